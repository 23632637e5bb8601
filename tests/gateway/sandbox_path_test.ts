import { assert, assertEquals, assertMatch } from "@std/assert";
import type { KvStore } from "../../store/kv.ts";
import type { Handler } from "../../gateway/app.ts";
import { createAuthenticator } from "../../gateway/authentication.ts";
import { callPlaces, KillMeter } from "../../gateway/admission.ts";
import { BodyBudget } from "../../gateway/body_budget.ts";
import { ADMISSION_LIMITS, BODY_BUDGET } from "../../shared/limits.ts";
import { serveHttp } from "./runtime_server.ts";
import { assertFailure, fakeRuntimes, sandboxProcess, withStore } from "../sandbox/fixture.ts";
import { echoRuntime } from "./echo_runtime.ts";
import { exchange } from "./raw_exchange.ts";
import { testGateway } from "./test_gateway.ts";

const BOX = "/languages/python/sandboxes/box";

function call(method: string, path: string, body?: unknown, init: RequestInit = {}): Request {
  return new Request(`http://localhost:8000${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...init,
    headers: { "content-type": "application/json", ...init.headers },
  });
}

function gatewayOver(store: KvStore, options: Parameters<typeof testGateway>[0] = {}): Handler {
  return testGateway({
    sandboxes: sandboxProcess(store, { runtimes: fakeRuntimes() }),
    bodies: new BodyBudget(BODY_BUDGET),
    runtimes: new Map([["python", echoRuntime("python")], ["perl", echoRuntime("perl")]]),
    ...options,
  });
}

async function ok(gateway: Handler, request: Request) {
  const answer = await gateway(request);
  const body = await answer.json();
  assertEquals([answer.ok, body], [true, body]);
  return body;
}

Deno.test("sandbox path: the path's language is the binding, and all bindings share one sandbox", () =>
  withStore(async (store) => {
    const gateway = gatewayOver(store);
    const other = BOX.replace("python", "perl");
    for (const binding of [undefined, "PERL", "not valid", 7]) {
      const made = await ok(gateway, call("POST", `${BOX}/contexts`, { binding }));
      assertEquals(made.binding, "PYTHON");
    }
    const run = await ok(gateway, call("POST", `${other}/execute`, { code: "1", binding: "X" }));
    assertEquals(run.language, "perl");
    const { contexts } = await ok(gateway, call("GET", `${BOX}/contexts`));
    const bindings = contexts.map(({ binding }: { binding: string }) => binding);
    assertEquals(bindings, ["PYTHON", "PYTHON", "PYTHON", "PYTHON", "PERL"]);
    const contextId = contexts[0].id;
    const inOther = await ok(gateway, call("POST", `${other}/execute`, { code: "1", contextId }));
    assertEquals([inOther.language, inOther.context.id], ["python", contextId]);
    await ok(gateway, call("POST", `${other}/files`, { op: "write", path: "f", content: "text" }));
    const read = await ok(gateway, call("POST", `${BOX}/files`, { op: "read", path: "f" }));
    assertEquals(read.content, "text");
    assertEquals(await ok(gateway, call("DELETE", `${BOX}/contexts/${contextId}`)), {
      success: true,
    });
    assertEquals((await ok(gateway, call("GET", BOX))).contexts.length, 4);
    assertEquals(await ok(gateway, call("DELETE", BOX)), { success: true });
    assertEquals((await ok(gateway, call("GET", `${other}/`))).createdAt, null);
  }));

Deno.test("sandbox path: routes, methods, languages and ids that do not exist", () =>
  withStore(async (store) => {
    const gateway = gatewayOver(store);
    const fails = async (status: number, method: string, path: string, init: RequestInit = {}) => {
      const answer = await gateway(call(method, path, undefined, init));
      const { headers } = answer;
      return { ...await assertFailure(answer, status, "VALIDATION_FAILED"), headers };
    };
    await fails(404, "GET", `${BOX}/nothing`);
    await fails(404, "POST", `${BOX}/contexts/a/b`, { body: "{}" });
    assertEquals(
      (await fails(405, "GET", `${BOX}/execute`)).headers.get("allow"),
      "POST, OPTIONS",
    );
    await fails(405, "PUT", `${BOX}/execute`, { body: "{}" });
    await fails(400, "GET", "/languages/cobol/sandboxes/box");
    await fails(400, "GET", "/languages/ruby/sandboxes/box");
    await fails(400, "GET", "/languages/Python/sandboxes/box");
    for (const id of ["-a", "a-", "%2e%2e", "a%2Fb", "a%20b", "a".repeat(64), "%00", "%C3%A9"]) {
      const answer = await gateway(call("GET", `/languages/python/sandboxes/${id}`));
      assert(answer.status === 400 || answer.status === 404, `${id} ${answer.status}`);
      await answer.body?.cancel();
    }
    for (const id of ["a", "A.b_c-9", "...", "a".repeat(63)]) {
      assertEquals((await ok(gateway, call("GET", `/languages/python/sandboxes/${id}`))).id, id);
    }
    const spoofed = { headers: { "x-sandbox-id": "other" } };
    for (const method of ["GET", "DELETE"]) await fails(400, method, BOX, spoofed);
    for (const method of ["GET", "POST"]) await fails(400, method, `${BOX}/contexts`, spoofed);
    for (const path of ["execute", "env", "files"]) {
      await fails(400, "POST", `${BOX}/${path}`, spoofed);
    }
    await fails(400, "DELETE", `${BOX}/contexts/c`, spoofed);
    await fails(404, "GET", `${BOX}/none`, spoofed);
    await fails(405, "PUT", BOX, spoofed);
    const options = await gateway(call("OPTIONS", BOX));
    assertEquals(options.status, 204);
    const head = await gateway(call("HEAD", BOX));
    assertEquals([head.status, await head.text()], [200, ""]);
  }));

Deno.test("sandbox path: an object's id is not a sandbox id, even if the header names it", () =>
  withStore(async (store) => {
    const sandboxes = sandboxProcess(store);
    const gateway = gatewayOver(store, { sandboxes });
    for (const id of [sandboxes.forTenant("default").idFromName("box"), "a".repeat(64)]) {
      for (const headers of [{}, { "x-sandbox-id": "box" }]) {
        const path = `/languages/python/sandboxes/${id}`;
        const answer = await gateway(call("GET", path, undefined, { headers }));
        const { message } = await assertFailure(answer, 400, "VALIDATION_FAILED");
        assertMatch(String(message), new RegExp(`^Invalid sandbox id '${id}'`));
      }
    }
  }));

Deno.test("sandbox path: dot segments in any spelling are 404", () =>
  withStore(async (store) => {
    await using server = serveHttp(gatewayOver(store));
    const send = async (method: string, path: string) => {
      const request = `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
      const [head = "", body = ""] = (await exchange(server.url, request)).split("\r\n\r\n");
      return { status: Number(head.split(" ")[1]), body: JSON.parse(body) };
    };
    const body = JSON.stringify({ op: "write", path: "f", content: "kept" });
    const headers = { "content-type": "application/json" };
    const written = await fetch(`${server.url}${BOX}/files`, { method: "POST", headers, body });
    assertEquals((await written.json()).success, true);
    for (const id of ["%2e%2e", "..", ".%2E", "%2e", ".", "x\\..\\..", "x%5C..%5C..", "..\\"]) {
      const { status, body } = await send("DELETE", `${BOX}/contexts/${id}`);
      assertEquals([status, body.code], [404, "CONTEXT_NOT_FOUND"], id);
    }
    for (
      const path of ["/contexts/x/%2e%2e/%2e%2e", "/%2e%2e", "/..", "/../other/contexts", "/\\.."]
    ) {
      for (const method of ["GET", "DELETE"]) {
        const { status, body } = await send(method, `${BOX}${path}`);
        assertEquals([status, body.code], [404, "VALIDATION_FAILED"], path);
      }
    }
    for (const id of ["%2e%2e", "..", "."]) {
      const { status, body } = await send("DELETE", `/languages/python/sandboxes/${id}`);
      assertEquals([status, body.code], [400, "VALIDATION_FAILED"], id);
    }
    assertEquals((await send("GET", `${BOX}/contexts/%2e%2e`)).status, 405);
    assertEquals((await send("GET", BOX)).body.workspace, { files: 1, bytes: 4 });
    assertEquals((await send("GET", `${BOX}/%63ontexts`)).body, { contexts: [] });
  }));

Deno.test("sandbox path: a token reaches only its own tenant's sandboxes", () =>
  withStore(async (store) => {
    const authenticate = createAuthenticator([
      { tenant: "a", token: "alpha" },
      { tenant: "b", token: "beta" },
    ]);
    const gateway = gatewayOver(store, { authenticate });
    const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    await assertFailure(await gateway(call("GET", BOX)), 401, "UNAUTHORIZED");
    const write = { op: "write", path: "f", content: "secret" };
    await ok(gateway, call("POST", `${BOX}/files`, write, as("alpha")));
    const read = { op: "read", path: "f" };
    const refused = await gateway(call("POST", `${BOX}/files`, read, as("beta")));
    await assertFailure(refused, 404, "FILE_NOT_FOUND");
    await ok(gateway, call("DELETE", BOX, undefined, as("beta")));
    const own = await ok(gateway, call("POST", `${BOX}/files`, read, as("alpha")));
    assertEquals(own.content, "secret");
  }));

Deno.test("sandbox path: too many kills refuse runs, and nothing else", () =>
  withStore(async (store) => {
    const kills = new KillMeter({ ...ADMISSION_LIMITS, killsPerMinute: 0 }, Date.now);
    kills.record("default", 0);
    const gateway = gatewayOver(store, { kills });
    const run = await gateway(call("POST", `${BOX}/execute`, { code: "1" }));
    assertMatch(run.headers.get("retry-after") ?? "", /^\d+$/);
    await assertFailure(run, 429, "RATE_LIMITED");
    await ok(gateway, call("GET", BOX));
    await ok(gateway, call("POST", `${BOX}/contexts`, {}));
  }));

Deno.test("sandbox path: a service that stops ends runs with 503", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    runtimes.PYTHON.gate = new Promise(() => undefined);
    const stopping = new AbortController();
    runtimes.PYTHON.before = (what) => what === "run" ? stopping.abort() : undefined;
    const sandboxes = sandboxProcess(store, { runtimes });
    const gateway = gatewayOver(store, { sandboxes, stopping: stopping.signal });
    const run = await gateway(call("POST", `${BOX}/execute`, { code: "wait" }));
    await assertFailure(run, 503, "OVERLOADED");
  }));

Deno.test("sandbox path: bodies of sandbox calls count for the tenant's share of memory", () =>
  withStore(async (store) => {
    const bodies = new BodyBudget({ bodyBytes: 10_000, bodyBytesPerTenant: 1_000 });
    const gateway = gatewayOver(store, { bodies });
    const write = (length: number) =>
      gateway(
        call("POST", `${BOX}/files`, { op: "write", path: "f", content: "x".repeat(length) }),
      );
    await assertFailure(await write(1_000), 429, "RATE_LIMITED");
    for (let n = 0; n < 3; n++) assertEquals((await (await write(800)).json()).success, true);
    assertEquals(bodies.bytesInUse, 0);
  }));

Deno.test("sandbox path: calls that run no code have places per tenant, and wait in turn", () =>
  withStore(async (store) => {
    const limits = { ...ADMISSION_LIMITS, callsPerTenant: 1, waitingCallsPerTenant: 1 };
    const calls = callPlaces(limits);
    const gateway = gatewayOver(store, {
      calls,
      authenticate: createAuthenticator([
        { tenant: "a", token: "alpha" },
        { tenant: "b", token: "beta" },
      ]),
    });
    const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    const list = { op: "list", path: "/workspace" };
    const leave = await calls.enter("a", new AbortController().signal);
    const waiting = gateway(call("POST", `${BOX}/files`, list, as("alpha")));
    while (calls.counts().waiting === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    for (
      const [method, path] of [["GET", BOX], ["GET", `${BOX}/contexts`], ["GET", "/languages"]]
    ) {
      const refused = await gateway(call(method ?? "", path ?? "", undefined, as("alpha")));
      assertEquals([refused.status, refused.headers.get("retry-after")], [429, "1"]);
      assertEquals((await refused.json()).context.limit, "waiting calls");
    }
    await ok(gateway, call("POST", `${BOX}/files`, list, as("beta")));
    await ok(gateway, call("POST", `${BOX}/execute`, { code: "1" }, as("alpha")));
    leave();
    assertEquals((await (await waiting).json()).files, []);
    assertEquals(calls.counts().running, 0);
  }));
