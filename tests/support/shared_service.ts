/**
 * One service for the tests of a file: each test takes a sandbox, or a tenant, of its own.
 *
 * @module
 */
import { type Service, startService } from "./service.ts";

/**
 * Starts a service before the first test of the file that calls this, and ends it after the last
 * one. Gives a function that returns the service during the tests.
 */
export function sharedService(env: Record<string, string> = {}): () => Service {
  let service: Service | undefined;
  Deno.test.beforeAll(async () => {
    service = await startService(env);
  });
  Deno.test.afterAll(async () => await service?.[Symbol.asyncDispose]());
  return () => {
    if (service === undefined) throw new Error("The service of the file was not started");
    return service;
  };
}
