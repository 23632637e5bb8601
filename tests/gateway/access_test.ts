import { assertEquals, assertMatch } from "@std/assert";
import type { KvStore } from "../../store/kv.ts";
import { Admission, KillMeter } from "../../gateway/admission.ts";
import type { GatewayOptions, Handler } from "../../gateway/app.ts";
import { createAuthenticator } from "../../gateway/authentication.ts";
import { startServer } from "../../gateway/server.ts";
import type { RunCaller } from "../../shared/binding.ts";
import { ADMISSION_LIMITS } from "../../shared/limits.ts";
import { assertError } from "../contract/assertions.ts";
import { fakeRuntimes, sandboxProcess, withStore } from "../sandbox/fixture.ts";
import { echoRuntime } from "./echo_runtime.ts";
import { exchange } from "./raw_exchange.ts";
import { testGateway, unexpected } from "./test_gateway.ts";

const BOX = "/languages/python/sandboxes/box";

/** Every route but health, with a body where it takes one. */
const ROUTES: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ["POST", "/execute", { code: "1" }],
  ["POST", "/execute/javascript", { code: "1" }],
  ["POST", "/execute/cobol", { code: "1" }],
  ["GET", "/languages"],
  ["GET", "/openapi.json"],
  ["GET", "/docs"],
  ["GET", "/nothing"],
  ["PUT", "/execute"],
  ["OPTIONS", "/execute"],
  ["GET", BOX],
  ["DELETE", BOX],
  ["POST", `${BOX}/execute`, { code: "1" }],
  ["POST", `${BOX}/contexts`, {}],
  ["GET", `${BOX}/contexts`],
  ["DELETE", `${BOX}/contexts/x`],
  ["POST", `${BOX}/env`, { envVars: { A: "1" } }],
  ["POST", `${BOX}/files`, { op: "list", path: "/workspace" }],
];

const REFUSED: readonly (readonly string[])[] = [
  [],
  [""],
  ["Bearer"],
  ["Bearer "],
  ["Bearer alph"],
  ["Bearer alphaa"],
  ["Bearer ALPHA"],
  ["Bearer a:alpha"],
  ["Bearer \u00ff"],
  ["Bearer alpha,"],
  ["Bearer alpha beta"],
  ["Bearer=alpha"],
  ["Basic YTphbHBoYQ=="],
  ["Token alpha"],
  ["alpha"],
  ["Bearer alpha", "Bearer alpha"],
  ["Bearer alpha", "Bearer beta"],
];

const authenticate = createAuthenticator([
  { tenant: "a", token: "alpha" },
  { tenant: "b", token: "beta" },
]);

function gatewayOver(store: KvStore, options: Partial<GatewayOptions> = {}): Handler {
  return testGateway({
    authenticate,
    sandboxes: sandboxProcess(store, { runtimes: fakeRuntimes() }),
    ...options,
  });
}

function request(
  [method, path, body]: (typeof ROUTES)[number],
  authorizations: readonly string[],
): Request {
  const headers = new Headers({ "content-type": "application/json" });
  for (const value of authorizations) headers.append("authorization", value);
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  return new Request(`http://localhost:8000${path}`, { method, headers, ...init });
}

Deno.test("access: without exactly one known token every route is 401 with a challenge", () =>
  withStore(async (store) => {
    const gateway = gatewayOver(store);
    for (const route of ROUTES) {
      for (const authorizations of REFUSED) {
        const answer = await gateway(request(route, authorizations));
        const told = `${route[0]} ${route[1]} ${JSON.stringify(authorizations)}`;
        assertMatch(answer.headers.get("www-authenticate") ?? told, /^Bearer realm="belljar"/);
        await assertError(answer, 401, "UNAUTHORIZED");
      }
    }
  }));

Deno.test("access: two tokens in one request are 401 in any order", async () => {
  const stopping = new AbortController();
  const createHandler = () => testGateway({ authenticate });
  const options = { host: "127.0.0.1", port: 0, loopbackOnly: true, createHandler, stopping };
  const server = await startServer({ ...options, onFailure: unexpected });
  const ask = (tokens: readonly string[]) =>
    exchange(
      server.url,
      `GET /languages HTTP/1.1\r\nhost: localhost\r\n${
        tokens.map((token) => `authorization: Bearer ${token}\r\n`).join("")
      }connection: close\r\n\r\n`,
    );
  assertMatch(await ask(["alpha"]), /^HTTP\/1\.1 200 /);
  for (const tokens of [["alpha", "alpha"], ["alpha", "wrong"], ["wrong", "alpha"]]) {
    assertMatch(await ask(tokens), /^HTTP\/1\.1 401 [^]*www-authenticate: Bearer/);
  }
  await server.stop();
});

Deno.test("access: a token in the query or the body does not count", () =>
  withStore(async (store) => {
    const gateway = gatewayOver(store);
    for (const name of ["token", "access_token", "authorization"]) {
      const route = ["POST", `/execute?${name}=alpha`, { code: "1", [name]: "alpha" }] as const;
      await assertError(await gateway(request(route, [])), 401, "UNAUTHORIZED");
    }
  }));

Deno.test("access: a sandbox of another tenant looks like one that never existed", () =>
  withStore(async (store) => {
    const gateway = gatewayOver(store, {
      runtimes: new Map([["python", echoRuntime("python")]]),
    });
    const send = async (token: string, route: (typeof ROUTES)[number]) => {
      const answer = await gateway(request(route, [`Bearer ${token}`]));
      return { status: answer.status, body: await answer.json() };
    };
    const before = await send("beta", ["GET", BOX]);
    await send("alpha", ["POST", `${BOX}/files`, { op: "write", path: "f", content: "secret" }]);
    const { body: { id: contextId } } = await send("alpha", ["POST", `${BOX}/contexts`, {}]);
    assertEquals((await send("alpha", ["GET", `${BOX}/contexts`])).body.contexts.length, 1);
    assertEquals(await send("beta", ["GET", BOX]), before);
    assertEquals((await send("beta", ["GET", `${BOX}/contexts`])).body, { contexts: [] });
    assertEquals((await send("beta", ["DELETE", `${BOX}/contexts/${contextId}`])).status, 404);
    const run = { code: "1", contextId };
    assertEquals((await send("beta", ["POST", `${BOX}/execute`, run])).status, 404);
    const read = { op: "read", path: "f" };
    assertEquals((await send("beta", ["POST", `${BOX}/files`, read])).status, 404);
    await send("beta", ["DELETE", BOX]);
    assertEquals((await send("alpha", ["POST", `${BOX}/files`, read])).body.content, "secret");
  }));

Deno.test("access: one tenant's queue, places and kills affect no other tenant's answers", async () => {
  const gates: (() => void)[] = [];
  const before = ({ tenant }: RunCaller) =>
    tenant === "b" ? Promise.resolve() : new Promise<void>((resolve) => gates.push(resolve));
  const kills = new KillMeter({ ...ADMISSION_LIMITS, killsPerMinute: 1 }, () => 0);
  const gateway = testGateway({
    authenticate,
    kills,
    runtimes: new Map([["javascript", echoRuntime("javascript", { before })]]),
    admission: new Admission({ ...ADMISSION_LIMITS, runsPerTenant: 2, waitingPerTenant: 3 }),
  });
  const run = (token: string) =>
    gateway(request(["POST", "/execute", { code: "1" }], [`Bearer ${token}`]));
  const shown = async (answer: Response) => {
    const { code, logs, results, error } = await answer.json();
    return [answer.status, [...answer.headers], { code, logs, results, error }];
  };
  const alone = await shown(await run("beta"));
  const busy = Array.from({ length: 5 }, () => run("alpha"));
  while (gates.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
  assertEquals((await run("alpha")).status, 429);
  assertEquals(await shown(await run("beta")), alone);
  kills.record("a", 0);
  kills.record("a", 0);
  assertEquals((await run("alpha")).status, 429);
  assertEquals(await shown(await run("beta")), alone);
  while (gates.length > 0) {
    gates.shift()?.();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const statuses = (await Promise.all(busy)).map(({ status }) => status);
  // waiting callers are checked against the kill budget again when their turn comes
  assertEquals(statuses, [200, 200, 429, 429, 429]);
});
