/** Streams of runs at the gateway, over a runtime whose runs do what a test says. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { EVENT_STREAM, NDJSON } from "../../client/protocol/run_events.ts";
import { Admission } from "../../gateway/admission.ts";
import type { GatewayOptions } from "../../gateway/app.ts";
import { BodyBudget } from "../../gateway/body_budget.ts";
import { conflict, serviceStopping } from "../../shared/errors.ts";
import { ADMISSION_LIMITS } from "../../shared/limits.ts";
import type { RunListener } from "../../shared/run_listener.ts";
import {
  allEventsOf,
  eventsOf,
  heard,
  STREAM_TYPES,
  streamHeaders,
} from "../support/run_stream.ts";
import { pause, until } from "../support/wait.ts";
import { echoRuntime } from "./echo_runtime.ts";
import { runRequest, testGateway } from "./test_gateway.ts";

/** The work of a run between its beginning and its result. */
type Play = (listener: RunListener, signal: AbortSignal) => Promise<void> | void;

const NEVER: Play = (_listener, signal) =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

function line(listener: RunListener, text: string): void {
  listener.output("stdout", new TextEncoder().encode(`${text}\n`));
}

/** A gateway whose runs begin and play; plain ones just answer. */
function gatewayOf(play: Play = () => {}, options: Partial<GatewayOptions> = {}) {
  const runtime = echoRuntime("javascript", {
    before: async ({ listener, signal }) => {
      if (listener === undefined) return;
      listener.start();
      await play(listener, signal ?? new AbortController().signal);
    },
  });
  const handler = testGateway({ runtimes: new Map([["javascript", runtime]]), ...options });
  return (headers: Record<string, string> = streamHeaders(), init: RequestInit = {}) =>
    handler(runRequest("/execute", { code: "1" }, { ...init, headers }));
}

const NEGOTIATED: readonly (readonly [accept: string, type: string])[] = [
  [NDJSON, NDJSON],
  [EVENT_STREAM, EVENT_STREAM],
  ["Application/X-NDJSON; charset=utf-8", NDJSON],
  [`${EVENT_STREAM}, ${NDJSON}`, NDJSON],
  [`${NDJSON};q=0.5, ${EVENT_STREAM};q=0.7`, EVENT_STREAM],
  [`${NDJSON};q=0, ${EVENT_STREAM};q=0.1`, EVENT_STREAM],
  [`${NDJSON}, */*`, NDJSON],
  [`${EVENT_STREAM}, application/json;q=0.9`, EVENT_STREAM],
  [`application/json, ${NDJSON};q=0.5`, "application/json"],
  [`*/*, ${NDJSON};q=0.5`, "application/json"],
  [`${NDJSON};q=0`, "application/json"],
  ["application/json", "application/json"],
  ["*/*", "application/json"],
  ["application/*", "application/json"],
  ["text/*", "application/json"],
  ["text/html", "application/json"],
  ["application/x-ndjsonx", "application/json"],
  ["", "application/json"],
  [";;q=,,", "application/json"],
];

for (const [accept, type] of NEGOTIATED) {
  Deno.test(`streams: Accept: ${accept} is answered with ${type}`, async () => {
    const call = gatewayOf();
    const answer = await call(streamHeaders(accept));
    assertEquals([answer.status, answer.headers.get("content-type")], [200, type]);
    if (type === "application/json") {
      const plain = await call({ "content-type": "application/json" });
      assertEquals([...answer.headers], [...plain.headers]);
      assertEquals(await answer.text(), await plain.text());
    } else assertEquals((await heard(answer)).types, ["start", "end"]);
  });
}

for (const type of STREAM_TYPES) {
  Deno.test(`streams: ${type} has the events of the run in order, and the plain answer last`, async () => {
    const call = gatewayOf((listener) => {
      line(listener, "one");
      listener.output("stderr", new TextEncoder().encode('"two"\u2028\r\n'));
      listener.output("stdout", new TextEncoder().encode("three"));
    });
    const answer = await call(streamHeaders(type));
    const { types, stdout, stderr, last } = await heard(answer);
    assertEquals(types, ["start", "stdout", "stderr", "stdout", "end"]);
    assertEquals([stdout, stderr], [["one", "three"], ['"two"\u2028\r']]);
    assertEquals(last, await (await call({ "content-type": "application/json" })).json());
  });
}

Deno.test("streams: a refusal before the start is an ordinary error answer", async () => {
  const handler = testGateway();
  const refused = (path: string, body: unknown) =>
    handler(runRequest(path, body, { headers: streamHeaders() }));
  for (
    const [answer, status] of [
      [await refused("/execute", { code: "" }), 400],
      [await refused("/execute", { code: "x".repeat(70_000) }), 413],
      [await refused("/execute/cobol", { code: "1" }), 400],
    ] as const
  ) {
    assertEquals([answer.status, answer.headers.get("content-type")], [status, "application/json"]);
    assertEquals((await answer.json()).httpStatus, status);
  }
});

Deno.test("streams: a run that fails after it began ends with `failed`, after its output", async () => {
  const logged: string[] = [];
  const failing = (thrown: unknown) =>
    gatewayOf((listener) => {
      listener.output("stdout", new TextEncoder().encode("so far"));
      throw thrown;
    }, { log: (_level, message) => void logged.push(message) })();
  const told = await heard(await failing(conflict("The sandbox was deleted")));
  assertEquals(told.types, ["start", "stdout", "failed"]);
  assert("httpStatus" in told.last);
  assertEquals([told.last.httpStatus, told.last.code], [409, "CONFLICT"]);
  const unexpected = await heard(await failing(new Error("canary")));
  assert("httpStatus" in unexpected.last);
  assertEquals([unexpected.last.httpStatus, logged], [502, ["runtime call failed"]]);
});

Deno.test("streams: an event arrives during the run", async () => {
  const reached = Promise.withResolvers<void>();
  const call = gatewayOf(async (listener) => {
    line(listener, "first");
    await reached.promise;
  });
  const types: string[] = [];
  for await (const event of eventsOf(await call())) {
    types.push(event.type);
    if (event.type === "stdout") reached.resolve();
  }
  assertEquals(types, ["start", "stdout", "end"]);
});

Deno.test("streams: in silence keepalives come, but not for a reader that reads nothing", async () => {
  const enough = Promise.withResolvers<void>();
  const call = gatewayOf(() => enough.promise, { streams: { keepaliveMs: 10 } });
  let keepalives = 0;
  for await (const { type } of allEventsOf(await call())) {
    if (type === "keepalive" && ++keepalives === 3) enough.resolve();
  }
  const bodies = new BodyBudget({ bodyBytes: 1_000_000, bodyBytesPerTenant: 1_000_000 });
  const unread = gatewayOf(NEVER, { streams: { keepaliveMs: 5 }, bodies });
  const answer = await unread();
  await until(() => bodies.bytesInUse > 0);
  const held = bodies.bytesInUse;
  await pause(50);
  assertEquals(bodies.bytesInUse, held);
  await answer.body?.cancel();
});

Deno.test("streams: a disconnect ends the run and frees its place", async () => {
  const admission = new Admission({ ...ADMISSION_LIMITS, runsPerTenant: 1 });
  const call = gatewayOf(NEVER, { admission });
  const answer = await call();
  assertEquals(admission.counts().running, 1);
  await answer.body?.cancel();
  await until(() => admission.counts().running === 0);
});

Deno.test("streams: a caller that disconnects while waiting takes no place", async () => {
  const admission = new Admission({ ...ADMISSION_LIMITS, runsPerTenant: 1 });
  const call = gatewayOf(NEVER, { admission });
  const first = await call();
  const caller = new AbortController();
  const second = call(streamHeaders(), { signal: caller.signal });
  await until(() => admission.counts().waiting === 1);
  caller.abort();
  assertEquals((await second).status, 499);
  assertEquals(admission.counts().waiting, 0);
  await first.body?.cancel();
});

Deno.test("streams: the place is kept until the run has ended, not until it is read", async () => {
  const admission = new Admission({ ...ADMISSION_LIMITS, runsPerTenant: 1 });
  const go = Promise.withResolvers<void>();
  const call = gatewayOf(() => go.promise, { admission });
  const first = await call();
  const second = call();
  await until(() => admission.counts().waiting === 1);
  go.resolve();
  assertEquals((await heard(await second)).types, ["start", "end"]);
  assertEquals(admission.counts().running, 0);
  assertEquals((await heard(first)).types, ["start", "end"]);
});

Deno.test("streams: unread events count against their tenant until they are read", async () => {
  const bodies = new BodyBudget({ bodyBytes: 1_000_000, bodyBytesPerTenant: 100_000 });
  const call = gatewayOf((listener) => line(listener, "x".repeat(20_000)), { bodies });
  const answer = await call();
  await until(() => bodies.bytesInUse > 20_000);
  await heard(answer);
  assertEquals(bodies.bytesInUse, 0);
});

Deno.test("streams: the stream that exceeds the tenant's share is broken off, and no other", async () => {
  const bodies = new BodyBudget({ bodyBytes: 1_000_000, bodyBytesPerTenant: 100_000 });
  const ended: string[] = [];
  const call = gatewayOf((listener, signal) => {
    for (let i = 0; i < 3; i++) line(listener, "x".repeat(20_000));
    ended.push(signal.aborted ? "aborted" : "whole");
  }, { bodies });
  const [first, second] = [await call(), await call()];
  await until(() => ended.length === 2);
  assertEquals(ended, ["whole", "aborted"]);
  await assertRejects(() => heard(second), Error);
  assertEquals((await heard(first)).types.at(-1), "end");
  assertEquals(bodies.bytesInUse, 0);
});

Deno.test("streams: a stream that is never read is dropped after its run", async () => {
  const bodies = new BodyBudget({ bodyBytes: 1_000_000, bodyBytesPerTenant: 1_000_000 });
  const call = gatewayOf((listener) => line(listener, "x".repeat(20_000)), {
    bodies,
    streams: { pauseMs: 30 },
  });
  const answer = await call();
  await until(() => bodies.bytesInUse === 0);
  await assertRejects(() => heard(answer));
});

Deno.test("streams: a service that stops ends them with `failed`", async () => {
  const stopping = new AbortController();
  const call = gatewayOf(NEVER, { stopping: stopping.signal });
  const answer = await call();
  stopping.abort();
  const { types, last } = await heard(answer);
  assertEquals(types, ["start", "failed"]);
  assert("code" in last && "httpStatus" in last);
  assertEquals([last.code, last.message], ["OVERLOADED", serviceStopping().message]);
});
