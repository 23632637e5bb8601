/** The callback `onDisplay`: what a run shows, as it arises (docs/contract.md#displays). */
import { assertEquals } from "@std/assert";
import { getSandbox, type RunCallbacks, runCode } from "../../client/mod.ts";
import type { RunEvent } from "../../client/protocol/run_events.ts";
import type { Display } from "../../client/protocol/types.ts";
import { end, hearing, out, outcome, START, telling } from "./heard_run.ts";
import { liveStream, settled } from "./live_stream.ts";
import { recorder, RESULT } from "./recording.ts";

const HTML: Display = { data: { "text/html": "<b>" } };
const JSON_VALUE: Display = {
  data: { "application/json": { a: [1, null] } },
  metadata: { title: "A" },
  main: true,
};
const shows = (display: Display): RunEvent => ({ type: "display", display });

/** Callbacks that note displays among the rest. */
function tellingAll(): [RunCallbacks, string[]] {
  const [callbacks, told] = telling();
  const onDisplay = (display: Display) => void told.push(`display ${JSON.stringify(display)}`);
  return [{ ...callbacks, onDisplay }, told];
}

Deno.test("client displays: each is reported when it arrives, in order with the lines", async () => {
  const stream = liveStream();
  const [callbacks, told] = tellingAll();
  const { run } = hearing(stream, callbacks);
  stream.send(START, out("a"), shows(HTML));
  await settled();
  assertEquals(told, ["out a", `display ${JSON.stringify(HTML)}`]);
  stream.send(out("b"), shows(JSON_VALUE));
  const displays = [HTML, JSON_VALUE];
  stream.send(
    end({ logs: { stdout: ["a", "b"], stderr: [] }, displays, results: [{ text: "1" }] }),
  );
  stream.close();
  assertEquals((await run).displays, displays);
  assertEquals(told.slice(2), ["out b", `display ${JSON.stringify(JSON_VALUE)}`, "result 1"]);
});

Deno.test("client displays: with a JSON answer they are reported after the lines, before the result", async () => {
  const [callbacks, told] = tellingAll();
  const answer = {
    ...RESULT,
    logs: { stdout: ["a"], stderr: ["b"] },
    displays: [HTML],
    results: [{ text: "1" }],
  };
  await runCode(recorder(() => Response.json(answer)), "1", callbacks);
  assertEquals(told, ["out a", "err b", `display ${JSON.stringify(HTML)}`, "result 1"]);
});

Deno.test("client displays: the callback alone asks for a stream", async () => {
  const binding = recorder(() => Response.json(RESULT));
  await runCode(binding, "1", { onDisplay: () => undefined });
  assertEquals(
    binding.seen[0]?.headers.get("accept"),
    "application/x-ndjson, application/json;q=0.9",
  );
});

Deno.test("client displays: each callback is awaited while the stream is read", async () => {
  const stream = liveStream();
  const gate = Promise.withResolvers<void>();
  const told: string[] = [];
  const { run } = hearing(stream, {
    onDisplay: async () => {
      told.push("display");
      await gate.promise;
    },
    onStdout: ({ text }) => void told.push(text),
  });
  const logs = { stdout: ["a"], stderr: [] };
  stream.send(START, shows(HTML), out("a"), end({ logs, displays: [HTML] }));
  stream.close();
  await settled();
  assertEquals([told, stream.left()], [["display"], undefined]);
  gate.resolve();
  await run;
  assertEquals(told, ["display", "a"]);
});

Deno.test("client displays: a callback that throws rejects the run and ends all reports", async () => {
  const stream = liveStream();
  const thrown = new Error("mine");
  const told: string[] = [];
  const { run } = hearing(stream, {
    onDisplay: () => {
      throw thrown;
    },
    onStdout: ({ text }) => void told.push(text),
  });
  stream.send(START, shows(HTML), out("a"));
  assertEquals([await outcome(run), told], [thrown, []]);
});

Deno.test("client displays: a callback that never returns ends with the call's signal", async () => {
  const stream = liveStream();
  const caller = new AbortController();
  const { run } = hearing(stream, {
    onDisplay: () => new Promise<void>(() => undefined),
    signal: caller.signal,
  });
  stream.send(START, shows(HTML), end({ displays: [HTML] }));
  stream.close();
  await settled();
  assertEquals(await Promise.race([outcome(run), settled()]), undefined);
  const reason = new Error("enough");
  caller.abort(reason);
  assertEquals(await outcome(run), reason);
});

Deno.test("client displays: a call that is retried with its key reports each display once", async () => {
  const broken = liveStream();
  broken.send(START, shows(HTML));
  broken.break();
  const whole = liveStream();
  whole.send(START, end({ displays: [HTML, JSON_VALUE] }));
  whole.close();
  const binding = recorder((_request, count) => count === 1 ? broken.response : whole.response);
  const told: Display[] = [];
  const { displays } = await getSandbox(binding.namespace, "a").interpreter.runCode("1", {
    binding: "PYTHON",
    idempotencyKey: "k",
    retry: { sleep: () => Promise.resolve() },
    onDisplay: (display) => void told.push(display),
  });
  assertEquals([told, displays, binding.seen.length], [
    [HTML, JSON_VALUE],
    [HTML, JSON_VALUE],
    2,
  ]);
});
