/** Runs that are safe to repeat: `idempotencyKey` and `ifExecutions` (docs/contract.md#idempotency). */
import { assertEquals, assertRejects } from "@std/assert";
import {
  getSandbox,
  type RunCodeOptions,
  SandboxError,
  ValidationFailedError,
} from "../../client/mod.ts";
import type { RunEvent } from "../../client/protocol/run_events.ts";
import type { ErrorResponse } from "../../client/protocol/types.ts";
import { liveStream } from "./live_stream.ts";
import { type Answer, failing, recorder, RESULT } from "./recording.ts";

const KEY = "0b9c-run:1";
const DONE = { ...RESULT, logs: { stdout: ["a", "b"], stderr: ["c"] } };

/** A run against these answers, one after another. */
function running(answers: readonly (() => ReturnType<Answer>)[], options: RunCodeOptions) {
  const waits: number[] = [];
  const sleep = (milliseconds: number) => Promise.resolve(void waits.push(milliseconds));
  const binding = recorder((_request, count) => answers[count - 1]?.() ?? Response.json(DONE));
  const { interpreter } = getSandbox(binding.namespace, "a");
  const retry = { sleep, random: () => 0.5 };
  const run = interpreter.runCode("1", { binding: "PYTHON", retry, ...options });
  return { run, binding, waits };
}

function stream(events: readonly RunEvent[], ending: "close" | "break"): Response {
  const { response, send, ...rest } = liveStream();
  send(...events);
  rest[ending]();
  return response;
}

const BROKEN: readonly (() => ReturnType<Answer>)[] = [
  () => Promise.reject(new TypeError("connection reset")),
  () => {
    const { response, write, break: end } = liveStream("application/json");
    write('{"code":');
    end();
    return response;
  },
  () => new Response("<html>Bad gateway", { status: 502 }),
  () => new Response("<html>Timeout", { status: 504 }),
];

Deno.test("safe repeats: the options are headers and leave the body unchanged", async () => {
  const cases: readonly (readonly [RunCodeOptions, string | null, string | null])[] = [
    [{}, null, null],
    [{ idempotencyKey: undefined, ifExecutions: undefined }, null, null],
    [{ idempotencyKey: KEY }, KEY, null],
    [{ ifExecutions: 0 }, null, '"0"'],
    [{ idempotencyKey: "~".repeat(255), ifExecutions: 12 }, "~".repeat(255), '"12"'],
  ];
  for (const [options, key, match] of cases) {
    const { run, binding } = running([], options);
    await run;
    const { headers, body } = binding.seen[0] ?? { headers: new Headers() };
    assertEquals([headers.get("idempotency-key"), headers.get("if-match")], [key, match]);
    assertEquals(body, { code: "1", binding: "PYTHON" });
  }
});

Deno.test("safe repeats: a call with a key is repeated after a broken connection, with the key", async () => {
  for (const broken of BROKEN) {
    const { run, binding, waits } = running([broken, broken], { idempotencyKey: KEY });
    assertEquals((await run).logs, DONE.logs);
    assertEquals(binding.seen.map(({ headers }) => headers.get("idempotency-key")), [
      KEY,
      KEY,
      KEY,
    ]);
    assertEquals(binding.seen.map(({ body }) => body), Array(3).fill(binding.seen[0]?.body));
    assertEquals(waits, [125, 250]);
  }
});

Deno.test("safe repeats: without a key, with retry: false and at the last attempt it is not", async () => {
  for (const broken of BROKEN) {
    const cases: readonly (readonly [RunCodeOptions, number])[] = [
      [{ ifExecutions: 3 }, 1],
      [{ idempotencyKey: KEY, retry: false }, 1],
      [{ idempotencyKey: KEY, retry: { attempts: 2, baseDelayMs: 0 } }, 2],
    ];
    for (const [options, attempts] of cases) {
      const { run, binding } = running(Array(9).fill(broken), options);
      await assertRejects(() => run, SandboxError);
      assertEquals(binding.seen.length, attempts);
    }
  }
});

Deno.test("safe repeats: an answered call is not repeated, except 429 and 503", async () => {
  const answers = [
    () => failing("INTERNAL_ERROR", 502),
    () => failing("INTERNAL_ERROR", 500),
    () => failing("CONFLICT", 409),
    () => failing("PRECONDITION_FAILED", 412),
    () => new Response("not JSON"),
  ];
  for (const answer of answers) {
    const { run, binding } = running([answer], { idempotencyKey: KEY, ifExecutions: 3 });
    await assertRejects(() => run, SandboxError);
    assertEquals(binding.seen.length, 1);
  }
  const { run, binding } = running([() => failing("OVERLOADED", 503)], { idempotencyKey: KEY });
  await run;
  assertEquals(binding.seen.length, 2);
});

Deno.test("safe repeats: callbacks receive each line once, even if the stream breaks several times", async () => {
  const start: RunEvent = { type: "start" };
  const a: RunEvent = { type: "stdout", text: "a" };
  const b: RunEvent = { type: "stdout", text: "b" };
  const c: RunEvent = { type: "stderr", text: "c" };
  const end: RunEvent = { type: "end", execution: DONE };
  const stopping: ErrorResponse = {
    code: "OVERLOADED",
    message: "stopping",
    context: { retryAfterMs: 1 },
    httpStatus: 503,
    timestamp: "2026-01-02T03:04:05.006Z",
  };
  const sequences: readonly (readonly (() => Response)[])[] = [
    [() => stream([start, a], "break"), () => stream([start, end], "close")],
    [() => stream([start, a, c], "close"), () => stream([start, a, c, b, end], "close")],
    [() => stream([start, a, { type: "failed", error: stopping }], "close")],
    [() => stream([start, a, b], "break"), () => stream([start], "break")],
  ];
  for (const answers of sequences) {
    const told: string[] = [];
    const { run, binding } = running(answers, {
      idempotencyKey: KEY,
      onStdout: ({ text }) => void told.push(text),
      onStderr: ({ text }) => void told.push(text),
    });
    assertEquals((await run).logs, DONE.logs);
    assertEquals([told[0], told.toSorted()], ["a", ["a", "b", "c"]]);
    assertEquals(binding.seen.length >= 2, true);
  }
});

Deno.test("safe repeats: a callback that throws ends the call, with and without a key", async () => {
  const thrown = new TypeError("connection of the callback's own");
  const { run, binding } = running([], {
    idempotencyKey: KEY,
    onStdout: () => Promise.reject(thrown),
  });
  assertEquals(await run.catch((error: unknown) => error), thrown);
  assertEquals(binding.seen.length, 1);
});

Deno.test("safe repeats: malformed keys and numbers are refused, and errors show no key", async () => {
  const { interpreter } = getSandbox(recorder(() => Response.json(RESULT)).namespace, "a");
  const refused = async (options: object) => {
    const run = () =>
      Reflect.apply(interpreter.runCode, undefined, ["1", { binding: "RUBY", ...options }]);
    return (await assertRejects(run, ValidationFailedError)).message;
  };
  for (const idempotencyKey of ["", "a b", "a\n", "é", "x".repeat(256), 1, null]) {
    assertEquals(
      await refused({ idempotencyKey }),
      "idempotencyKey must be 1 to 255 visible ASCII characters",
    );
  }
  for (const ifExecutions of [-1, 0.5, NaN, 2 ** 53, "1", null]) {
    assertEquals(await refused({ ifExecutions }), "ifExecutions must be an integer, 0 or more");
  }
});
