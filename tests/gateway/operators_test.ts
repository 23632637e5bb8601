import { assertEquals, assertMatch } from "@std/assert";
import { Hono } from "hono";
import { accessLog } from "../../gateway/access_log.ts";
import type { GatewayEnv } from "../../gateway/gateway_env.ts";
import { createAuthenticator } from "../../gateway/authentication.ts";
import { SERVICE_VERSION, type StoreHealth } from "../../gateway/health.ts";
import type { LogFields } from "../../shared/log.ts";
import { StoreUnavailable } from "../../shared/store_errors.ts";
import { assertError } from "../contract/assertions.ts";
import { sandboxProcess, withStore } from "../sandbox/fixture.ts";
import { runRequest, testGateway } from "./test_gateway.ts";

function get(path: string, headers: Record<string, string> = {}, method = "GET"): Request {
  return new Request(`http://localhost:8000${path}`, { method, headers });
}

Deno.test("healthz: has the version, and the commit where it is known", async () => {
  const bodyOf = async (commit: { readonly commit?: string }) =>
    await (await testGateway(commit)(get("/healthz"))).json();
  assertMatch(SERVICE_VERSION, /^\d+\.\d+\.\d+/);
  const { version, ...rest } = await bodyOf({});
  assertEquals([version, "commit" in rest], [SERVICE_VERSION, false]);
  assertEquals((await bodyOf({ commit: "a".repeat(40) })).commit, "a".repeat(40));
});

Deno.test("readyz: is 200 while the store answers, else 503, and asks it once a second", async () => {
  let now = 1_000_000;
  let probes = 0;
  let answers = true;
  const store: StoreHealth = {
    state: "ready",
    probe: () => {
      probes++;
      return answers ? Promise.resolve() : Promise.reject(new StoreUnavailable(false));
    },
  };
  const authenticate = createAuthenticator([{ tenant: "a", token: "alpha" }]);
  const gateway = testGateway({ store, authenticate, clock: () => now });
  const ask = () => gateway(get("/readyz"));
  const ready = await ask();
  assertEquals([ready.status, await ready.json()], [200, { status: "ready" }]);
  await (await ask()).body?.cancel();
  assertEquals(probes, 1);
  answers = false;
  now += 1_000;
  for (let n = 0; n < 2; n++) await assertError(await ask(), 503, "OVERLOADED");
  assertEquals(probes, 2);
  answers = true;
  now += 1_000;
  assertEquals((await gateway(get("/readyz", {}, "HEAD"))).status, 200);
});

/** The lines of an access log, without their times. */
function accessLines() {
  const lines: LogFields[] = [];
  return {
    lines,
    log: (_: string, event: string, fields: LogFields = {}) => {
      if (event !== "access") return;
      const { ms, ...rest } = fields;
      assertEquals(typeof ms, "number");
      lines.push(rest);
    },
  };
}

Deno.test("access log: each request has a line with the pattern of its route, and no contents", () =>
  withStore(async (store) => {
    const { lines, log } = accessLines();
    const authenticate = createAuthenticator([{ tenant: "ann", token: "alpha" }]);
    const gateway = testGateway({
      accessLog: true,
      authenticate,
      log,
      sandboxes: sandboxProcess(store),
    });
    const token = { authorization: "Bearer alpha" };
    const send = async (request: Request) => {
      const response = await gateway(request);
      const { byteLength } = await response.arrayBuffer();
      const { tenant, method, route, status, bytesIn, bytesOut } = lines.at(-1) ?? {};
      assertEquals([status, bytesOut], [response.status, byteLength]);
      return [method, route, tenant ?? null, bytesIn];
    };
    const box = "/languages/javascript/sandboxes/s3cret";
    assertEquals(await send(get("/healthz")), ["GET", "/healthz", null, 0]);
    assertEquals(await send(get("/languages")), ["GET", "/languages", null, 0]);
    assertEquals(await send(get("/s3cret?a=s3cret", token)), ["GET", "none", "ann", 0]);
    assertEquals(
      await send(get("/languages", token)),
      ["GET", "/languages", "ann", 0],
    );
    const write = runRequest(`${box}/files`, { op: "write", path: "s3cret", content: "s3cret" }, {
      headers: { ...token, "content-length": "55" },
    });
    assertEquals(
      await send(write),
      ["POST", "/languages/:language/sandboxes/:sandbox/files", "ann", 55],
    );
    assertEquals(
      await send(get(`${box}/contexts/s3cret`, token, "DELETE")),
      ["DELETE", "/languages/:language/sandboxes/:sandbox/contexts/:contextId", "ann", 0],
    );
    assertEquals(await send(get("/execute/javascript", token)), [
      "GET",
      "/execute/:language",
      "ann",
      0,
    ]);
    assertEquals(JSON.stringify(lines).includes("s3cret"), false);
  }));

Deno.test("access log: a stream has its line when it ends", async () => {
  const { lines, log } = accessLines();
  const gateway = testGateway({ accessLog: true, log });
  const headers = { accept: "application/x-ndjson" };
  const stream = await gateway(runRequest("/execute/javascript", { code: "1" }, { headers }));
  assertEquals(lines.length, 0);
  const text = await stream.text();
  assertEquals(lines.map(({ route, bytesOut }) => [route, bytesOut]), [
    ["/execute/:language", new TextEncoder().encode(text).length],
  ]);
});

Deno.test("access log: the line of a caller that leaves has the bytes that it took", async () => {
  const { lines, log } = accessLines();
  let cancelled: unknown;
  const app = new Hono<GatewayEnv>();
  app.use(accessLog({ log, routes: () => [] }));
  app.get("/", () =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(7)),
        cancel: (reason) => void (cancelled = reason),
      }),
    ));
  const { body } = await app.fetch(get("/"));
  const reader = body?.getReader();
  await reader?.read();
  await reader?.read();
  assertEquals(lines, []);
  await reader?.cancel("gone");
  assertEquals(lines.map(({ route, bytesOut }) => [route, bytesOut]), [["/", 14]]);
  assertEquals(cancelled, "gone");
});
