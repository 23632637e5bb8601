/** Callbacks of runs whose answer is a stream (docs/contract.md#streaming). */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { connect, getSandbox, runCode, SandboxError } from "../../client/mod.ts";
import { end, hearing, out, outcome, START, telling } from "./heard_run.ts";
import { liveStream, pieces, settled } from "./live_stream.ts";
import { recorder, RESULT } from "./recording.ts";

Deno.test("live callbacks: lines are reported during the run, in order; the rest at its end", async () => {
  const stream = liveStream();
  const { run, told } = hearing(stream);
  stream.send(START);
  await settled();
  assertEquals(told, []);
  stream.send(out("a"), { type: "stderr", text: "b" });
  await settled();
  assertEquals(told, ["out a", "err b"]);
  stream.send(out("c"), { type: "keepalive" });
  await settled();
  assertEquals(told.splice(0), ["out a", "err b", "out c"]);
  const logs = { stdout: ["a", "c"], stderr: ["b"] };
  stream.send(end({ logs, results: [{ text: "42" }] }));
  stream.close();
  const result = await run;
  assertEquals(told, ["result 42"]);
  assertEquals(result, { ...RESULT, logs, results: result.results });
  assertEquals(result.results[0]?.formats(), ["text"]);
});

Deno.test("live callbacks: a stream is asked for only with a callback; JSON is fine too", async () => {
  const binding = recorder(() => Response.json(RESULT));
  const { interpreter } = getSandbox(binding.namespace, "a");
  const none = { onStdout: undefined, onError: undefined };
  await runCode(binding, "1", none);
  await interpreter.runCode("1", { binding: "RUBY", ...none });
  const stream = "application/x-ndjson, application/json;q=0.9";
  for (const name of ["onStdout", "onStderr", "onResult", "onError"]) {
    await runCode(binding, "1", { [name]: () => undefined });
    await interpreter.runCode("1", { binding: "RUBY", [name]: () => undefined });
  }
  assertEquals(
    binding.seen.map(({ headers }) => headers.get("accept")),
    [...Array(2).fill("application/json"), ...Array(8).fill(stream)],
  );
  const bodies = [{ code: "1" }, { code: "1", binding: "RUBY" }];
  assertEquals(binding.seen.map(({ body }) => body), Array(5).fill(bodies).flat());
});

Deno.test("live callbacks: with a JSON answer all lines are reported at the end, stream by stream", async () => {
  const [callbacks, told] = telling();
  const answer = {
    ...RESULT,
    logs: { stdout: ["a", "b"], stderr: ["c"] },
    results: [{ text: "1" }],
    error: { name: "E", message: "m", traceback: [] },
  };
  await runCode(recorder(() => Response.json(answer)), "1", callbacks);
  assertEquals(told, ["out a", "out b", "err c", "result 1", "error E"]);
});

Deno.test("live callbacks: lines that were not streamed are reported at the end", async () => {
  const stream = liveStream();
  const { run, told } = hearing(stream);
  stream.send(START, out("a"), end({ logs: { stdout: ["a", "b"], stderr: ["c"] } }));
  stream.close();
  await run;
  assertEquals(told, ["out a", "out b", "err c"]);
});

Deno.test("live callbacks: pieces end anywhere, lines by LF or CRLF; unknown events are nothing", async () => {
  const error = { name: "Fehler", message: "größer 🌍", traceback: ["é"] };
  const events = [
    START,
    out("grüße 🌍\u2028\r"),
    { type: "display", display: { data: {} } },
    { type: "keepalive" },
    { type: "stderr", text: "" },
    end({ logs: { stdout: ["grüße 🌍\u2028\r"], stderr: [""] }, error }),
  ];
  for (const newline of ["\n", "\r\n", "\n\n"]) {
    const text = events.map((event) => JSON.stringify(event) + newline).join("");
    const bytes = new TextEncoder().encode(text);
    for (const size of [1, 2, 3, 7, 64, bytes.length]) {
      const parts = Array.from(
        { length: Math.ceil(bytes.length / size) },
        (_, index) => bytes.subarray(index * size, (index + 1) * size),
      );
      const [callbacks, told] = telling();
      const result = await runCode(recorder(() => pieces(parts, "close")), "1", callbacks);
      assertEquals(told, ["out grüße 🌍\u2028\r", "err ", "error Fehler"]);
      assertEquals(result.error, error);
    }
  }
});

Deno.test("live callbacks: each callback is awaited while the stream is read", async () => {
  const stream = liveStream();
  const gate = Promise.withResolvers<void>();
  const told: string[] = [];
  const { run } = hearing(stream, {
    onStdout: async ({ text }) => {
      told.push(text);
      if (text === "a") await gate.promise;
    },
    onResult: ({ text }) => void told.push(`${text}`),
  });
  stream.send(START, out("a"), out("b"), end({ results: [{ text: "42" }] }));
  stream.close();
  await settled();
  assertEquals([told, stream.left()], [["a"], undefined]);
  assertEquals(await Promise.race([outcome(run), settled()]), undefined);
  gate.resolve();
  await run;
  assertEquals(told, ["a", "b", "42"]);
});

Deno.test("live callbacks: a callback that throws rejects the run and ends it, and ends all reports", async () => {
  for (const late of [false, true]) {
    const stream = liveStream();
    const told: string[] = [];
    const thrown = new SandboxError("of another run", { code: "OVERLOADED", httpStatus: 503 });
    const { run, binding } = hearing(stream, {
      onStdout: async ({ text }) => {
        told.push(text);
        if (late) await settled();
        throw thrown;
      },
    });
    stream.send(START, out("a"), out("b"));
    assertEquals(await outcome(run), thrown);
    assert(stream.left() !== undefined);
    await settled();
    assertEquals([told, binding.seen.length], [["a"], 1]);
  }
});

Deno.test("live callbacks: a callback that throws after the end rejects too, with JSON as well", async () => {
  const stream = liveStream();
  stream.send(START, end({ results: [{ text: "42" }] }));
  stream.close();
  const onResult = () => {
    throw new RangeError("mine");
  };
  await assertRejects(() => hearing(stream, { onResult }).run, RangeError, "mine");
  const json = recorder(() => Response.json({ ...RESULT, results: [{ text: "42" }] }));
  await assertRejects(() => runCode(json, "1", { onResult }), RangeError, "mine");
});

Deno.test("live callbacks: a callback that never returns is ended by signal and timeout", async () => {
  const never = () => new Promise<void>(() => undefined);
  const json = { ...RESULT, logs: { stdout: ["a"], stderr: [] } };
  for (const isStream of [true, false]) {
    for (const kind of ["signal", "timeout"]) {
      const stream = liveStream();
      stream.send(START, out("a"));
      const binding = recorder(() => isStream ? stream.response : Response.json(json));
      const controller = new AbortController();
      const options = kind === "timeout" ? { timeout: 5 } : { signal: controller.signal };
      const run = outcome(runCode(binding, "1", { ...options, onStdout: never }));
      await settled();
      controller.abort("enough");
      const reason = await run;
      assertEquals(
        reason instanceof DOMException ? reason.name : reason,
        {
          signal: "enough",
          timeout: "TimeoutError",
        }[kind],
      );
      assertEquals(stream.left() !== undefined, isStream);
    }
  }
});

Deno.test("live callbacks: an endless callback does not delay other runs", async () => {
  const stuck = liveStream();
  const controller = new AbortController();
  const { run } = hearing(stuck, {
    signal: controller.signal,
    onStdout: () => new Promise<void>(() => undefined),
  });
  stuck.send(START, out("a"));
  await settled();
  const other = liveStream();
  other.send(START, out("b"), end());
  other.close();
  const { run: second, told } = hearing(other);
  await second;
  assertEquals(told, ["out b"]);
  controller.abort("enough");
  assertEquals(await outcome(run), "enough");
});

Deno.test("live callbacks: an abort cancels the stream, and nothing is reported afterwards", async () => {
  const stream = liveStream();
  const controller = new AbortController();
  const { run, told, binding } = hearing(stream, { signal: controller.signal });
  stream.send(START, out("a"));
  await settled();
  stream.send(out("b"));
  controller.abort("enough");
  assertEquals(await outcome(run), "enough");
  await settled();
  assertEquals([told, stream.left()], [["out a"], { reason: "enough" }]);
  assertEquals(binding.seen[0]?.signal.aborted, true);
});

Deno.test("live callbacks: lines that wait when the call is aborted are not reported", async () => {
  const stream = liveStream();
  const gate = Promise.withResolvers<void>();
  const controller = new AbortController();
  const told: string[] = [];
  const { run } = hearing(stream, {
    signal: controller.signal,
    onStdout: ({ text }) => {
      told.push(text);
      return gate.promise;
    },
  });
  stream.send(START, out("a"), out("b"));
  await settled();
  gate.resolve();
  controller.abort("enough");
  assertEquals(await outcome(run), "enough");
  await settled();
  assertEquals(told, ["a"]);
});

Deno.test("live callbacks: lines arrive during the run over HTTP, and the service notices a disconnect", async () => {
  for (const kind of ["throws", "aborts", "is late"]) {
    const stream = liveStream();
    await using server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      () => stream.response,
    );
    const controller = new AbortController();
    const thrown = new RangeError("enough");
    stream.send(START, out("a"));
    const run = runCode(connect(`http://127.0.0.1:${server.addr.port}`).PERL, "1", {
      signal: controller.signal,
      timeout: kind === "is late" ? 200 : 60_000,
      onStdout: () => {
        if (kind === "throws") throw thrown;
        if (kind === "aborts") controller.abort(thrown);
      },
    });
    const reason = await outcome(run);
    if (kind === "is late") assertEquals(reason instanceof DOMException, true);
    else assertEquals(reason, thrown);
    while (stream.left() === undefined) await settled();
  }
});
