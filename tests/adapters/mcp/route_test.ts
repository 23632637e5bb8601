/** The rules of the gateway hold for `/mcp`, without engines. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Handler } from "../../../gateway/app.ts";
import { createAuthenticator } from "../../../gateway/authentication.ts";
import { BodyBudget } from "../../../gateway/body_budget.ts";
import { createHostCheck } from "../../../gateway/host_check.ts";
import { MCP_MESSAGE_BYTES } from "../../../gateway/mcp_route.ts";
import { KillMeter } from "../../../gateway/admission.ts";
import { ADMISSION_LIMITS, BODY_BUDGET } from "../../../shared/limits.ts";
import { echoRuntime } from "../../gateway/echo_runtime.ts";
import { testGateway } from "../../gateway/test_gateway.ts";
import { pause } from "../../support/wait.ts";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "tests", version: "1" },
  },
};

const HEADERS = {
  host: "localhost:8000",
  accept: "application/json, text/event-stream",
  "content-type": "application/json",
};

function post(
  gateway: Handler,
  body: unknown,
  headers: { readonly [name: string]: string } = {},
): Promise<Response> {
  return gateway(
    new Request("http://localhost:8000/mcp", {
      method: "POST",
      headers: { ...HEADERS, ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    }),
  );
}

/** The messages of an answer, which is JSON or a stream. */
async function messagesOf(answer: Response): Promise<unknown[]> {
  const text = await answer.text();
  if (answer.headers.get("content-type")?.startsWith("application/json")) return [JSON.parse(text)];
  const data = text.split("\n").filter((line) => line.startsWith("data: "));
  return data.map((line) => JSON.parse(line.slice("data: ".length)));
}

async function codeOf(answer: Response): Promise<[number, unknown]> {
  return [answer.status, (await answer.json()).code];
}

Deno.test("mcp route: /mcp exists only when it is switched on", async () => {
  assertEquals(await codeOf(await post(testGateway(), INITIALIZE)), [404, "VALIDATION_FAILED"]);
  const on = await post(testGateway({ mcp: true }), INITIALIZE);
  assertEquals(on.status, 200);
  await on.body?.cancel();
});

Deno.test("mcp route: each earlier revision is agreed on", async () => {
  const gateway = testGateway({ mcp: true });
  for (const protocolVersion of ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]) {
    const params = { ...INITIALIZE.params, protocolVersion };
    const answer = await post(gateway, { ...INITIALIZE, params });
    const [message] = await messagesOf(answer);
    assertStringIncludes(JSON.stringify(message), `"protocolVersion":"${protocolVersion}"`);
    assert(answer.headers.has("mcp-session-id"));
  }
});

Deno.test("mcp route: a session id is only given by initialize, and any is accepted", async () => {
  const gateway = testGateway({ mcp: true });
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  for (const id of ["", "unknown", "x".repeat(2_000)]) {
    const answer = await post(gateway, list, { "mcp-session-id": id });
    assertEquals([answer.status, answer.headers.get("mcp-session-id")], [200, null]);
    await answer.body?.cancel();
  }
});

Deno.test("mcp route: other methods are 405 and name POST", async () => {
  const gateway = testGateway({ mcp: true });
  for (const method of ["GET", "DELETE", "PUT"]) {
    const request = new Request("http://localhost:8000/mcp", { method, headers: HEADERS });
    const answer = await gateway(request);
    assertEquals([method, answer.headers.get("allow")], [method, "POST, OPTIONS"]);
    assertEquals(await codeOf(answer), [405, "VALIDATION_FAILED"]);
  }
});

Deno.test("mcp route: a wrong token is 401 and says how to authenticate", async () => {
  const authenticate = createAuthenticator([{ tenant: "a", token: "alpha" }]);
  const gateway = testGateway({ mcp: true, authenticate });
  for (const headers of [{}, { authorization: "Bearer beta" }, { authorization: "Basic alpha" }]) {
    const answer = await post(gateway, INITIALIZE, headers);
    assert(answer.headers.get("www-authenticate")?.startsWith("Bearer "));
    assertEquals(await codeOf(answer), [401, "UNAUTHORIZED"]);
  }
  const known = await post(gateway, INITIALIZE, { authorization: "Bearer alpha" });
  assertEquals(known.status, 200);
  await known.body?.cancel();
});

Deno.test("mcp route: a foreign origin or host is 403, an allowed origin may send all headers", async () => {
  const origin = "https://app.example";
  const hostCheck = createHostCheck([origin]);
  const gateway = testGateway({ mcp: true, hostCheck, allowedOrigins: [origin] });
  for (const headers of [{ origin: "https://evil.example" }, { host: "evil.example" }]) {
    assertEquals(await codeOf(await post(gateway, INITIALIZE, headers)), [403, "FORBIDDEN"]);
  }
  const answer = await post(gateway, INITIALIZE, { origin });
  assertEquals(answer.headers.get("access-control-allow-origin"), origin);
  await answer.body?.cancel();
  const preflight = await gateway(
    new Request("http://localhost:8000/mcp", {
      method: "OPTIONS",
      headers: { host: "localhost", origin, "access-control-request-method": "POST" },
    }),
  );
  const allowed = preflight.headers.get("access-control-allow-headers") ?? "";
  for (const name of ["mcp-protocol-version", "mcp-method", "mcp-name", "authorization"]) {
    assertStringIncludes(allowed, name);
  }
});

Deno.test("mcp route: a body is refused if it is too long, of another type, or not JSON", async () => {
  const gateway = testGateway({ mcp: true });
  const long = " ".repeat(MCP_MESSAGE_BYTES + 1);
  assertEquals(await codeOf(await post(gateway, long)), [413, "VALIDATION_FAILED"]);
  const type = { "content-type": "text/plain" };
  assertEquals(await codeOf(await post(gateway, "{}", type)), [415, "VALIDATION_FAILED"]);
  for (const body of ["", "{", `[${"[],".repeat(20_000)}[]]`]) {
    const answer = await post(gateway, body);
    assertEquals(answer.status, 400);
    assertEquals((await answer.json()).error.code, -32_700);
  }
});

Deno.test("mcp route: JSON that is no message is refused, and does nothing", async () => {
  const gateway = testGateway({ mcp: true });
  const kinds = ["null", "7", '"x"', "[]", "{}", '{"jsonrpc":"1.0"}', '{"jsonrpc":"2.0","id":1}'];
  for (const body of kinds) {
    const answer = await post(gateway, body);
    assertEquals([body, answer.status], [body, 400]);
    assert("error" in await answer.json(), body);
  }
});

Deno.test("mcp route: a batch of several messages is refused and does nothing", async () => {
  let runs = 0;
  const before = () => {
    runs++;
    return Promise.resolve();
  };
  const runtimes = new Map([["javascript", echoRuntime("javascript", { before })]] as const);
  const gateway = testGateway({ mcp: true, runtimes });
  const params = { name: "run_code", arguments: { language: "javascript", code: "1" } };
  const call = (id: number) => ({ jsonrpc: "2.0", id, method: "tools/call", params });
  assertEquals((await messagesOf(await post(gateway, [call(1)]))).length, 1);
  for (const count of [2, 100]) {
    const refused = await post(gateway, Array.from({ length: count }, (_, id) => call(id)));
    assertEquals(refused.status, 400);
    const { id, error } = await refused.json();
    assertEquals([id, error.code], [null, -32_600]);
  }
  assertEquals(runs, 1);
});

Deno.test("mcp route: refusals of a run are errors of the tool, with the time to wait", async () => {
  const kills = new KillMeter({ ...ADMISSION_LIMITS, killsPerMinute: 0 }, Date.now);
  kills.record("default", 1);
  const gateway = testGateway({ mcp: true, kills });
  const params = { name: "run_code", arguments: { language: "javascript", code: "1" } };
  const answer = await post(gateway, { jsonrpc: "2.0", id: 2, method: "tools/call", params });
  const text = JSON.stringify(await messagesOf(answer));
  assertStringIncludes(text, "RATE_LIMITED, status 429");
  assertStringIncludes(text, '"isError":true');
});

Deno.test("mcp route: an answered message uses no bytes of its tenant", async () => {
  const bodies = new BodyBudget(BODY_BUDGET);
  const gateway = testGateway({ mcp: true, bodies });
  const params = { name: "run_code", arguments: { language: "javascript", code: "1".repeat(9) } };
  for (const method of ["tools/list", "tools/call", "none"]) {
    await (await post(gateway, { jsonrpc: "2.0", id: 3, method, params })).text();
    const left = await post(gateway, { jsonrpc: "2.0", id: 4, method, params });
    await left.body?.cancel();
  }
  assertEquals(bodies.bytesInUse, 0);
  // the call whose caller disconnected ends after a turn of the thread, which is a timer
  for (let turn = 0; turn < 20; turn++) await pause(0);
});

Deno.test("mcp route: a subscription to changes is acknowledged as empty, and its stream ends", async () => {
  const gateway = testGateway({ mcp: true });
  const method = "subscriptions/listen";
  const params = {
    notifications: { toolsListChanged: true, promptsListChanged: true },
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "tests", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  };
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": method };
  const answer = await post(gateway, { jsonrpc: "2.0", id: 5, method, params }, headers);
  const [acknowledged, result] = (await messagesOf(answer)).map((message) =>
    JSON.stringify(message)
  );
  assertStringIncludes(acknowledged ?? "", '"notifications":{}');
  assertStringIncludes(result ?? "", '"resultType":"complete"');
});
