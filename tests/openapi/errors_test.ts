// test: slow
import { assertEquals } from "@std/assert";
import { createHostCheck } from "../../gateway/host_check.ts";
import { type DocumentedService, type Json, objectAt } from "./documented.ts";
import type { Send } from "./exchange.ts";
import { MCP_PATH } from "../../gateway/mcp_route.ts";
import { withGateway } from "./fixture.ts";

/** A path with values in it that the service takes. */
function concrete(path: string): string {
  return path.replace("{language}", "python").replaceAll(/\{\w+\}/g, "x");
}

/** Whether an operation has a body of JSON. */
function takesJson(operation: Json): boolean {
  return "requestBody" in operation &&
    "application/json" in objectAt(operation, ["requestBody", "content"]);
}

/** Sends a request for each operation of a kind; gives how many there were. */
async function eachOperation(
  service: DocumentedService,
  send: Send,
  init: RequestInit,
  expected: number,
  withBody: boolean,
): Promise<number> {
  const chosen = service.operations.filter(({ path, operation }) =>
    !withBody || takesJson(operation) && !(path === MCP_PATH && expected === 400)
  );
  for (const { method, path } of chosen) {
    const answer = await send(concrete(path), { method, ...init });
    assertEquals([method, path, answer.status], [method, path, expected]);
    await service.check(method, path, answer);
  }
  return chosen.length;
}

const JSON_TYPE = { "content-type": "application/json" };

Deno.test("openapi: a bad body is answered as documented, on every route", async () => {
  await withGateway({}, async ({ service, send }) => {
    const bad = [
      [415, { body: "{}", headers: { "content-type": "text/plain" } }],
      [400, { body: "{", headers: JSON_TYPE }],
      [400, { body: "[]", headers: JSON_TYPE }],
      [413, { body: "x".repeat(9 * 1024 * 1024), headers: JSON_TYPE }],
    ] as const;
    for (const [status, init] of bad) {
      // what is no message of JSON-RPC is refused in its own form
      const count = status === 400 ? 15 : 16;
      assertEquals(await eachOperation(service, send, init, status, true), count);
    }
  });
});

Deno.test("openapi: a foreign Host is answered as documented, on every route", async () => {
  await withGateway({ gateway: { hostCheck: createHostCheck([]) } }, async ({ service, send }) => {
    const headers = { host: "attacker.example", origin: "https://attacker.example" };
    await eachOperation(service, send, { headers }, 403, false);
  });
});

Deno.test("openapi: another method is answered as documented, on every route", async () => {
  await withGateway({}, async ({ service, send }) => {
    for (const { method, path } of service.operations) {
      const answer = await send(concrete(path), { method: "PATCH" });
      assertEquals([path, answer.status], [path, 405]);
      await service.check(method, path, answer);
    }
  });
});

Deno.test("openapi: a path without a parameter is answered as documented", async () => {
  await withGateway({}, async ({ service, send }) => {
    const ending = service.operations.filter(({ path }) => path.endsWith("}"));
    assertEquals(ending.length, 14);
    for (const { method, path } of ending) {
      const answer = await send(concrete(path.replace(/\{\w+\}$/, "")), { method });
      // an empty path of a file is one that no file has
      const expected = path.endsWith("{path}") ? 400 : 404;
      assertEquals([method, path, answer.status], [method, path, expected]);
      await service.check(method, path, answer);
    }
  });
});
