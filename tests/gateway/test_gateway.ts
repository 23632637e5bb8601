/**
 * A gateway for tests, with defaults except for the subject of a test.
 *
 * @module
 */
import { Admission, KillMeter } from "../../gateway/admission.ts";
import { createGateway, type GatewayOptions, type Handler } from "../../gateway/app.ts";
import { createAuthenticator } from "../../gateway/authentication.ts";
import { ADMISSION_LIMITS, limitsByLanguage } from "../../shared/limits.ts";
import { echoRuntime } from "./echo_runtime.ts";

/** Makes a gateway over an echo runtime for JavaScript, open to everybody, that logs nothing. */
export function testGateway(options: Partial<GatewayOptions> = {}): Handler {
  return createGateway({
    runtimes: new Map([["javascript", echoRuntime("javascript")]]),
    limits: limitsByLanguage(),
    authenticate: createAuthenticator(undefined),
    allowedOrigins: [],
    admission: new Admission(ADMISSION_LIMITS),
    kills: new KillMeter(ADMISSION_LIMITS, Date.now),
    stopping: new AbortController().signal,
    clock: Date.now,
    log: () => undefined,
    ...options,
  });
}

/** A request to run code, as a caller of the gateway makes it. */
export function runRequest(path: string, body: unknown, init: RequestInit = {}): Request {
  return new Request(`http://localhost:8000${path}`, {
    method: "POST",
    body: JSON.stringify(body),
    ...init,
    headers: { "content-type": "application/json", ...init.headers },
  });
}

/** For functions that must not be called: the failure ends the test. */
export function unexpected(thrown: unknown): never {
  throw thrown;
}
