/** What a runtime on another machine reports of a run while it goes on. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { createRuntimeApp } from "../../runtimes/app.ts";
import type { Display } from "../../client/protocol/types.ts";
import { encodeFrame, FRAME_BEGUN } from "../../runtimes/isolate/protocol.ts";
import { encodeOutcome } from "../../runtimes/remote/protocol.ts";
import { FRAME_ANSWER, RUN_FRAMES } from "../../runtimes/remote/run_frames.ts";
import { contentHash } from "../../wire/content_hash.ts";
import { conflict, type ServiceError } from "../../wire/errors.ts";
import { limitsByLanguage, SHARED_CEILINGS } from "../../wire/limits.ts";
import { jsonResponse } from "../../wire/responses.ts";
import type {
  ExecuteInContextArgs,
  InterpreterExecuteResponse,
} from "../../wire/run_in_context.ts";
import type { RunListener } from "../../wire/run_listener.ts";
import { until } from "../support/wait.ts";
import { NearEnd, serveFar, serveHttp } from "./ends.ts";

const DATA = new TextEncoder().encode("data");
const LINES = ["so", "far"];
const REQUEST = { code: "x", envVars: new Map<string, string>(), typescript: false };
const DISPLAYS: readonly Display[] = [
  { data: { "text/html": "<b>" } },
  { data: { "a/b": [1e21] }, metadata: { x: 1 }, main: true },
];
const RESULT = {
  code: "x",
  language: "python",
  engine: "Fake 1",
  durationMs: 1,
  logs: { stdout: LINES, stderr: ["e"] },
  results: [{ text: "1" }],
  displays: DISPLAYS,
} as const;
const IN_CONTEXT: InterpreterExecuteResponse = {
  ...RESULT,
  executionCount: 1,
  context: { id: "c", cwd: "/workspace", executions: 1, snapshot: null },
  workspace: { dirs: [], files: [], deleted: [] },
  snapshotRef: "s1",
};

/** Notes what it hears. */
class Noting implements RunListener {
  readonly heard: string[] = [];

  start(): void {
    this.heard.push("start");
  }

  output(stream: string, bytes: Uint8Array): void {
    this.heard.push(`${stream} ${new TextDecoder().decode(bytes)}`);
  }

  display({ data }: Display): void {
    this.heard.push(`display ${JSON.stringify(data)}`);
  }
}

function report(listener: RunListener | undefined): void {
  listener?.start();
  listener?.output("stdout", new TextEncoder().encode("so\nfa"));
  listener?.output("stderr", new TextEncoder().encode("e"));
  for (const display of DISPLAYS) listener?.display(display);
  listener?.output("stdout", new TextEncoder().encode("r"));
}

const REPORTED = [
  "start",
  "stdout so\nfa",
  "stderr e",
  'display {"text/html":"<b>"}',
  'display {"a/b":[1e+21]}',
  "stdout r",
];

/** A runtime that reports its runs, and waits for a gate in the middle. */
function farRuntime(gate: () => Promise<void> = () => Promise.resolve(), refused?: ServiceError) {
  const signals: (AbortSignal | undefined)[] = [];
  const app = createRuntimeApp({
    language: "python",
    engine: "Fake 1",
    limits: limitsByLanguage().python,
    hasContexts: true,
    clock: Date.now,
    execute: async (_request, { listener, signal }) => {
      signals.push(signal);
      if (refused !== undefined) throw refused;
      report(listener);
      await gate();
      return jsonResponse(RESULT);
    },
    onUnexpected: (thrown) => {
      throw thrown;
    },
  });
  return {
    signals,
    fetch: async (request: Request) => await app.fetch(request),
    executeInContext: async (
      _key: string,
      { listener, signal, workspace }: ExecuteInContextArgs,
      getFiles: (paths: readonly string[]) => Promise<readonly unknown[]>,
    ) => {
      await Promise.resolve();
      signals.push(signal);
      const body = refused?.toBody(Date.now);
      if (body !== undefined) return { ok: false as const, status: body.httpStatus, body };
      const missing = Object.keys(workspace.manifest);
      if (missing.length > 0) await getFiles(missing);
      report(listener);
      await gate();
      return { ok: true as const, result: IN_CONTEXT };
    },
  };
}

Deno.test("remote: the events of a run arrive during the run, and its answer is the same as without a stream", async () => {
  const gate = Promise.withResolvers<void>();
  await using far = serveFar(farRuntime(() => gate.promise));
  using near = new NearEnd(far.url);
  const [stateless, inContext] = [new Noting(), new Noting()];
  const answers = Promise.all([
    near.binding.execute(REQUEST, { tenant: "t", listener: stateless }),
    near.run("x", { listener: inContext }),
  ]);
  await until(() => [stateless, inContext].every(({ heard }) => heard.length === REPORTED.length));
  gate.resolve();
  const [answer, outcome] = await answers;
  assertEquals([answer.status, await answer.json()], [200, RESULT]);
  assertEquals(outcome, { ok: true, result: IN_CONTEXT });
  assertEquals([stateless.heard, inContext.heard], [REPORTED, REPORTED]);
});

Deno.test("remote: a run that has to be given files first is heard too", async () => {
  await using far = serveFar(farRuntime());
  using near = new NearEnd(far.url);
  const listener = new Noting();
  const manifest = Object.assign(Object.create(null), { "/workspace/in": contentHash(DATA) });
  const args = { workspace: { dirs: [], manifest }, listener };
  const give = (paths: readonly string[]) =>
    Promise.resolve(paths.map((path) => ({ path, data: DATA, updatedAt: 1 })));
  assertEquals(await near.run("x", args, give), { ok: true, result: IN_CONTEXT });
  assertEquals(listener.heard, REPORTED);
});

Deno.test("remote: a run that is refused sends no beginning", async () => {
  await using far = serveFar(farRuntime(undefined, conflict("no")));
  using near = new NearEnd(far.url);
  const listener = new Noting();
  const answer = await near.binding.execute(REQUEST, { tenant: "t", listener });
  assertEquals([answer.status, (await answer.json()).code], [409, "CONFLICT"]);
  const outcome = await near.run("x", { listener });
  assert(!outcome.ok);
  assertEquals([outcome.status, listener.heard], [409, []]);
});

Deno.test("remote: a listener that leaves in mid-stream ends the run over there", async () => {
  const gate = Promise.withResolvers<void>();
  const runtime = farRuntime(() => gate.promise);
  await using far = serveFar(runtime);
  using near = new NearEnd(far.url);
  for (const kind of ["stateless", "context"]) {
    const [listener, caller] = [new Noting(), new AbortController()];
    const { signal } = caller;
    const ended = kind === "context"
      ? near.run("x", { listener, signal })
      : near.binding.execute(REQUEST, { tenant: "t", listener, signal }).catch(() => undefined);
    await until(() => listener.heard.length === REPORTED.length);
    caller.abort();
    await ended;
    await until(() => runtime.signals.at(-1)?.aborted === true);
  }
  gate.resolve();
});

Deno.test("remote: of an earlier version, everything is heard at the end", async () => {
  await using far = serveHttp((request) =>
    request.url.endsWith("/execute")
      ? Response.json(RESULT)
      : new Response(encodeOutcome({ ok: true, result: IN_CONTEXT }))
  );
  using near = new NearEnd(far.url);
  const heard = ["start", "stdout so\nfar\n", "stderr e\n", ...REPORTED.slice(3, 5)];
  const [stateless, inContext] = [new Noting(), new Noting()];
  await near.binding.execute(REQUEST, { tenant: "t", listener: stateless });
  assert((await near.run("x", { listener: inContext })).ok);
  assertEquals([stateless.heard, inContext.heard], [heard, heard]);
});

const frame = (kind: number, text: string, number = 0) =>
  encodeFrame(kind, number, new TextEncoder().encode(text));
const BEGUN = frame(FRAME_BEGUN, "");
const SHOWN = DISPLAYS.map((display) => frame(5, JSON.stringify(display)));
const OUTPUT = [frame(1, "so\nfar\n"), frame(2, "e"), ...SHOWN];
const ANSWER = frame(FRAME_ANSWER, JSON.stringify(RESULT), 200);

/** Streams that no honest runtime sends. */
const HOSTILE: Readonly<Record<string, readonly Uint8Array[]>> = {
  "nothing": [],
  "no answer": [BEGUN, ...OUTPUT],
  "a cut frame": [BEGUN, ...OUTPUT, ANSWER.slice(0, -5)],
  "output before the beginning": [...OUTPUT, BEGUN, ANSWER],
  "two beginnings": [BEGUN, BEGUN, ...OUTPUT, ANSWER],
  "output after the answer": [BEGUN, ANSWER, ...OUTPUT],
  "an unknown frame": [BEGUN, frame(9, "x"), ...OUTPUT, ANSWER],
  "other output than the result's": [
    BEGUN,
    frame(1, "so\nnear\n"),
    frame(2, "e"),
    ...SHOWN,
    ANSWER,
  ],
  "less output than the result's": [BEGUN, frame(1, "so\nfar\n"), ...SHOWN, ANSWER],
  "more output than the result's": [BEGUN, ...OUTPUT, frame(1, "x"), ANSWER],
  "fewer displays than the result's": [BEGUN, ...OUTPUT.slice(0, -1), ANSWER],
  "more displays than the result's": [BEGUN, ...OUTPUT, ...SHOWN, ANSWER],
  "a display before the beginning": [...SHOWN, BEGUN, ...OUTPUT.slice(0, 2), ANSWER],
  "a display that is none": [BEGUN, ...OUTPUT, frame(5, '{"data":{}}'), ANSWER],
  "too many displays": [BEGUN, ...OUTPUT, ...Array.from({ length: 9 }, () => SHOWN).flat(), ANSWER],
  "an answer that is no result": [BEGUN, ...OUTPUT, frame(FRAME_ANSWER, "{}", 200)],
  "a frame that is too large": [BEGUN, Uint8Array.of(1, 0, 0, 0, 0, 255, 255, 255, 255)],
  "too much output": [
    BEGUN,
    ...Array.from({ length: 9 }, () => frame(1, "x".repeat(SHARED_CEILINGS.outputBytes / 8))),
    ANSWER,
  ],
  "output without a byte": [BEGUN, frame(1, "a"), frame(2, ""), ANSWER],
  "pieces without a byte": [BEGUN, ANSWER, frame(FRAME_ANSWER, "")],
  "too many lines": [BEGUN, frame(1, "\n".repeat(SHARED_CEILINGS.outputLines + 1)), ANSWER],
};

for (const [name, frames] of Object.entries(HOSTILE)) {
  Deno.test(`remote: a stream with ${name} is 502`, async () => {
    const headers = { "content-type": RUN_FRAMES };
    await using far = serveHttp(() => new Response(ReadableStream.from(frames), { headers }));
    using near = new NearEnd(far.url);
    const listener = new Noting();
    const call = near.binding.execute(REQUEST, { tenant: "t", listener });
    const refused = await assertRejects(() => call, Error, "could not be called");
    assertEquals(Reflect.get(refused, "status"), 502);
  });
}
