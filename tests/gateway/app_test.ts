import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { LanguageListing } from "../../client/protocol/types.ts";
import { Admission, KillMeter } from "../../gateway/admission.ts";
import { createAuthenticator } from "../../gateway/authentication.ts";
import { SERVICE_VERSION } from "../../gateway/health.ts";
import { createHostCheck } from "../../gateway/host_check.ts";
import type { RunCaller } from "../../shared/binding.ts";
import { ADMISSION_LIMITS, limitsByLanguage } from "../../shared/limits.ts";
import type { LogFields } from "../../shared/log.ts";
import { assertError } from "../contract/assertions.ts";
import { until } from "../support/wait.ts";
import { echoOf, echoRuntime } from "./echo_runtime.ts";
import { runRequest, testGateway } from "./test_gateway.ts";

const ORIGIN = "https://app.example";
const BODY = { code: "1" };
const authenticate = createAuthenticator([
  { tenant: "a", token: "alpha" },
  { tenant: "b", token: "beta" },
]);

function get(path: string, headers: Record<string, string> = {}, method = "GET"): Request {
  return new Request(`http://localhost:8000${path}`, { method, headers });
}

Deno.test("gateway: without a token everything but health is 401, unknown paths and methods too", async () => {
  const gateway = testGateway({ authenticate });
  const requests = [
    get("/languages"),
    get("/nothing"),
    get("/execute"),
    get("/execute", {}, "OPTIONS"),
    runRequest("/execute", BODY),
    runRequest("/execute/cobol", BODY, { headers: { "content-type": "text/plain" } }),
  ];
  for (const request of requests) {
    const response = await gateway(request);
    assert(response.headers.get("www-authenticate")?.startsWith("Bearer"));
    await assertError(response, 401, "UNAUTHORIZED");
  }
  assertEquals((await gateway(get("/healthz"))).status, 200);
  assertEquals((await gateway(get("/healthz", {}, "HEAD"))).status, 200);
});

Deno.test("gateway: the tenant of the token reaches the runtime, a forged one does not", async () => {
  const gateway = testGateway({ authenticate });
  const headers = { authorization: "Bearer beta", "x-belljar-tenant": "a" };
  const echo = await echoOf(await gateway(runRequest("/execute", BODY, { headers })));
  assertEquals(echo.tenant, "b");
});

Deno.test("gateway: the path chooses the runtime", async () => {
  const runtimes = new Map(
    [
      ["javascript", echoRuntime("javascript")],
      ["ruby", echoRuntime("ruby")],
    ] as const,
  );
  const gateway = testGateway({ runtimes });
  for (
    const [path, language] of [
      ["/execute", "javascript"],
      ["/execute/javascript", "javascript"],
      ["/execute/ruby", "ruby"],
    ] as const
  ) {
    const response = await gateway(runRequest(path, BODY));
    assertEquals(response.headers.get("server-timing"), "run;dur=0.000");
    assertEquals((await response.json()).language, language);
  }
});

Deno.test("gateway: a language that is not enabled is 400 with that reason, javascript too", async () => {
  const gateway = testGateway({ runtimes: new Map([["perl", echoRuntime("perl")]]) });
  for (const [path, language] of [["/execute", "javascript"], ["/execute/python", "python"]]) {
    const response = await gateway(runRequest(path ?? "", BODY));
    const { message } = await assertError(response, 400, "VALIDATION_FAILED");
    assertEquals(message, `Language '${language}' is not enabled`);
  }
});

Deno.test("gateway: the listing shows enabled and other languages with their limits", async () => {
  const runtimes = new Map([["perl", echoRuntime("perl", { limits: { wallMs: 5 } })]] as const);
  const gateway = testGateway({ runtimes, limits: limitsByLanguage() });
  const { languages } = await (await gateway(get("/languages"))).json();
  const shown = languages.map(({ id, enabled, limits }: LanguageListing) => {
    return [id, enabled, limits.wallMs];
  });
  assertEquals(shown, [
    ["javascript", false, 60_000],
    ["python", false, 60_000],
    ["perl", true, 5],
    ["ruby", false, 60_000],
  ]);
});

Deno.test("gateway: health reports a failing language, and stays 200", async () => {
  const health = { state: "failing", isolates: 0, build: null } as const;
  const gateway = testGateway({
    runtimes: new Map([["javascript", echoRuntime("javascript", { health })]]),
  });
  const response = await gateway(get("/healthz"));
  assertEquals(response.status, 200);
  assertEquals(await response.json(), {
    status: "degraded",
    languages: [{ id: "javascript", state: "failing", isolates: 0, build: null }],
    failing: ["javascript"],
    version: SERVICE_VERSION,
  });
});

Deno.test("gateway: health reports a store that does not answer, and stays 200", async () => {
  const gateway = testGateway({ runtimes: new Map(), store: { state: "failing" } });
  const response = await gateway(get("/healthz"));
  assertEquals(response.status, 200);
  assertEquals(await response.json(), {
    status: "degraded",
    languages: [],
    failing: ["store"],
    version: SERVICE_VERSION,
  });
});

Deno.test("gateway: a foreign Host or Origin is 403 before anything else", async () => {
  const gateway = testGateway({ authenticate, hostCheck: createHostCheck([]) });
  for (const path of ["/healthz", "/languages", "/nothing"]) {
    await assertError(await gateway(get(path, { host: "evil.example" })), 403, "FORBIDDEN");
    await assertError(
      await gateway(get(path, { origin: "http://evil.example" })),
      403,
      "FORBIDDEN",
    );
  }
});

Deno.test("gateway: CORS headers are for allowed origins only", async () => {
  const gateway = testGateway({ authenticate, allowedOrigins: [ORIGIN] });
  const corsHeaders = (response: Response) =>
    [...response.headers.keys()].filter((name) => name.startsWith("access-control-"));
  const allowed = await gateway(get("/healthz", { origin: ORIGIN }));
  assertEquals(allowed.headers.get("access-control-allow-origin"), ORIGIN);
  assertEquals(allowed.headers.get("vary"), "Origin");
  const refused = await gateway(get("/languages", { origin: ORIGIN }));
  assertEquals([refused.status, refused.headers.get("access-control-allow-origin")], [401, ORIGIN]);
  const headers = { authorization: "Bearer alpha", origin: ORIGIN };
  const ran = await gateway(runRequest("/execute", BODY, { headers }));
  assertEquals([ran.status, ran.headers.get("access-control-allow-origin")], [200, ORIGIN]);
  assertStringIncludes(ran.headers.get("access-control-expose-headers") ?? "", "server-timing");
  const other = await gateway(get("/healthz", { origin: "https://other.example" }));
  assertEquals(corsHeaders(other), []);
  assertEquals(other.headers.get("vary"), "Origin");
  const off = await testGateway()(get("/healthz", { origin: ORIGIN }));
  assertEquals([corsHeaders(off), off.headers.get("vary")], [[], null]);
});

Deno.test("gateway: a preflight needs no token and lists the methods of the route", async () => {
  const gateway = testGateway({ authenticate, allowedOrigins: [ORIGIN] });
  const headers = { origin: ORIGIN, "access-control-request-method": "POST" };
  const response = await gateway(get("/execute/python", headers, "OPTIONS"));
  assertEquals(response.status, 204);
  assertEquals(response.headers.get("allow"), "POST, OPTIONS");
  assertEquals(response.headers.get("access-control-allow-methods"), "POST, OPTIONS");
  const allowed = response.headers.get("access-control-allow-headers") ?? "";
  for (const name of ["authorization", "content-type"]) assertStringIncludes(allowed, name);
  await assertError(await gateway(get("/nothing", headers, "OPTIONS")), 404, "VALIDATION_FAILED");
});

Deno.test("gateway: a tenant with all places taken is 429, another one is served", async () => {
  const entered = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const before = () => {
    entered.resolve();
    return goOn.promise;
  };
  const gateway = testGateway({
    authenticate,
    runtimes: new Map([["javascript", echoRuntime("javascript", { before })]]),
    admission: new Admission({ ...ADMISSION_LIMITS, runsPerTenant: 1, waitingPerTenant: 0 }),
  });
  const run = (token: string) =>
    gateway(runRequest("/execute", BODY, { headers: { authorization: `Bearer ${token}` } }));
  const first = run("alpha");
  await entered.promise;
  const refused = await run("alpha");
  assertEquals(refused.headers.get("retry-after"), "1");
  assertEquals(refused.status, 429);
  assertEquals((await refused.json()).context, { limit: "waiting runs", retryAfterMs: 1000 });
  const other = run("beta");
  goOn.resolve();
  assertEquals([(await first).status, (await other).status], [200, 200]);
  assertEquals((await run("alpha")).status, 200);
});

Deno.test("gateway: time spent waiting for a place shortens the wait at the runtime", async () => {
  let now = 0;
  const waits: (number | undefined)[] = [];
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const before = async ({ maxWaitMs }: RunCaller) => {
    waits.push(maxWaitMs);
    await gates[waits.length - 1]?.promise;
  };
  const admission = new Admission({ ...ADMISSION_LIMITS, runsPerTenant: 1, maxWaitMs: 60_000 });
  const gateway = testGateway({
    runtimes: new Map([["javascript", echoRuntime("javascript", { before })]]),
    admission,
    clock: () => now,
  });
  const first = gateway(runRequest("/execute", BODY));
  await until(() => waits.length === 1);
  const second = gateway(runRequest("/execute", BODY));
  await until(() => admission.counts().waiting === 1);
  now = 20_000;
  for (const gate of gates) gate.resolve();
  assertEquals([(await first).status, (await second).status], [200, 200]);
  assertEquals(waits, [60_000, 40_000]);
});

Deno.test("gateway: a tenant that caused too many kills is 429", async () => {
  const kills = new KillMeter({ ...ADMISSION_LIMITS, killsPerMinute: 1 }, () => 0);
  const gateway = testGateway({ kills });
  kills.record("default", 0);
  assertEquals((await gateway(runRequest("/execute", BODY))).status, 200);
  kills.record("default", 0);
  const response = await gateway(runRequest("/execute", BODY));
  assertEquals([response.status, response.headers.get("retry-after")], [429, "60"]);
  assertEquals((await gateway(get("/languages"))).status, 200);
});

Deno.test("gateway: a binding that cannot be called is 502 with a fixed text, and is logged", async () => {
  const lines: LogFields[] = [];
  const before = () => Promise.reject(new Error("ECONNREFUSED /secret"));
  const gateway = testGateway({
    runtimes: new Map([["javascript", echoRuntime("javascript", { before })]]),
    log: (level, event, fields) => lines.push({ level, event, ...fields }),
  });
  const error = await assertError(
    await gateway(runRequest("/execute", BODY)),
    502,
    "INTERNAL_ERROR",
  );
  assertEquals(error.message, "The runtime could not be called");
  assertEquals(lines.length, 1);
  assertEquals([lines[0]?.["event"], lines[0]?.["language"]], [
    "runtime call failed",
    "javascript",
  ]);
});

/** An echo runtime whose runs last until they are cancelled; counts them. */
function endlessRuntime(onCancel: () => void) {
  const started = Promise.withResolvers<void>();
  const before = ({ signal }: RunCaller) => {
    started.resolve();
    return new Promise<void>((_resolve, reject) => {
      signal?.addEventListener("abort", () => {
        onCancel();
        reject(signal.reason);
      });
    });
  };
  const runtime = echoRuntime("javascript", { before });
  return { runtimes: new Map([["javascript", runtime]] as const), started: started.promise };
}

Deno.test("gateway: a disconnect cancels the run, and nothing is logged", async () => {
  let cancelled = 0;
  const { runtimes, started } = endlessRuntime(() => cancelled++);
  const lines: string[] = [];
  const admission = new Admission({ ...ADMISSION_LIMITS, runsPerTenant: 1, waitingPerTenant: 0 });
  const gateway = testGateway({ runtimes, admission, log: (_level, event) => lines.push(event) });
  const caller = new AbortController();
  const answer = gateway(runRequest("/execute", BODY, { signal: caller.signal }));
  await started;
  caller.abort();
  await answer;
  assertEquals([cancelled, lines], [1, []]);
  (await admission.enter("default", new AbortController().signal))();
});

Deno.test("gateway: a caller that disconnects while waiting leaves the queue, and nothing is logged", async () => {
  const { runtimes, started } = endlessRuntime(() => undefined);
  const lines: string[] = [];
  const admission = new Admission({ ...ADMISSION_LIMITS, runsPerTenant: 1, waitingPerTenant: 1 });
  const gateway = testGateway({ runtimes, admission, log: (_level, event) => lines.push(event) });
  const callers = [new AbortController(), new AbortController()];
  const send = (caller: AbortController | undefined) =>
    gateway(runRequest("/execute", BODY, { signal: caller?.signal ?? null }));
  const going = send(callers[0]);
  await started;
  const waiting = send(callers[1]);
  await until(() => admission.counts().waiting === 1);
  assertEquals((await send(undefined)).status, 429);
  callers[1]?.abort();
  await waiting;
  callers[0]?.abort();
  await going;
  assertEquals(lines, []);
  (await admission.enter("default", new AbortController().signal))();
});

Deno.test("gateway: when the service stops, runs are cancelled and callers get 503", async () => {
  let cancelled = 0;
  const { runtimes, started } = endlessRuntime(() => cancelled++);
  const stopping = new AbortController();
  const admission = new Admission({ ...ADMISSION_LIMITS, runsPerTenant: 1 });
  const gateway = testGateway({ runtimes, admission, stopping: stopping.signal });
  const going = gateway(runRequest("/execute", BODY));
  await started;
  const waiting = gateway(runRequest("/execute", BODY));
  stopping.abort();
  for (
    const response of [await going, await waiting, await gateway(runRequest("/execute", BODY))]
  ) {
    assertEquals(response.headers.get("retry-after"), "1");
    await assertError(response, 503, "OVERLOADED");
  }
  assertEquals(cancelled, 1);
});

Deno.test("gateway: the signal given to a runtime does not fire after the answer", async () => {
  const signals: AbortSignal[] = [];
  const before = ({ signal }: RunCaller) => {
    if (signal !== undefined) signals.push(signal);
    return Promise.resolve();
  };
  const stopping = new AbortController();
  const gateway = testGateway({
    runtimes: new Map([["javascript", echoRuntime("javascript", { before })]]),
    stopping: stopping.signal,
  });
  const caller = new AbortController();
  await gateway(runRequest("/execute", BODY, { signal: caller.signal }));
  caller.abort();
  stopping.abort();
  assertEquals(signals.map(({ aborted }) => aborted), [false]);
});
