/** Streams of runs that fail, break off, or are not what they should be. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { runCode, SandboxError } from "../../client/mod.ts";
import type { ErrorResponse } from "../../client/protocol/types.ts";
import { end, hearing, out, START, telling } from "./heard_run.ts";
import { liveStream, settled } from "./live_stream.ts";
import { failing, recorder, RESULT } from "./recording.ts";

const FAILURE: ErrorResponse = {
  code: "OVERLOADED",
  message: "The service is stopping",
  context: { retryAfterMs: 0 },
  httpStatus: 503,
  timestamp: "2026-01-02T03:04:05.006Z",
};

Deno.test("client streams: a refusal before the run is an ordinary error, and is retried", async () => {
  const stream = liveStream();
  stream.send(START, end());
  stream.close();
  const binding = recorder((_request, count) =>
    count === 1 ? failing("OVERLOADED", 503) : stream.response
  );
  const retry = { sleep: () => Promise.resolve() };
  await runCode(binding, "1", { retry, onStdout: () => undefined });
  assertEquals(binding.seen.length, 2);
});

Deno.test("client streams: `failed` is the error of an ErrorResponse, and is not tried again", async () => {
  const stream = liveStream();
  const { run, told, binding } = hearing(stream);
  stream.send(START, out("a"), { type: "failed", error: { ...FAILURE, operation: "run" } });
  stream.close();
  const error = await assertRejects(() => run, SandboxError, FAILURE.message);
  assertEquals([error.code, error.httpStatus, error.timestamp, error.operation], [
    FAILURE.code,
    503,
    FAILURE.timestamp,
    "run",
  ]);
  assertEquals([error.context, error.retryAfterMs], [FAILURE.context, 0]);
  assertEquals([told, binding.seen.length], [["out a"], 1]);
});

Deno.test("client streams: an interrupted stream is an error without a result", async () => {
  const whole = JSON.stringify(end());
  for (const tail of ["", whole, whole.slice(0, -1), '{"type":"std']) {
    for (const ending of ["close", "break"] as const) {
      const stream = liveStream();
      const { run, binding } = hearing(stream);
      stream.send(START, out("a"));
      stream.write(tail);
      await settled();
      stream[ending]();
      const error = await assertRejects(() => run, SandboxError);
      assertEquals([error.code, error.httpStatus], ["INTERNAL_ERROR", 502]);
      assert(error.message.startsWith("The connection broke before"), error.message);
      assertEquals(binding.seen.length, 1);
    }
  }
});

Deno.test("client streams: an event of another shape is an error that ends the stream", async () => {
  const wrong = [
    "no JSON",
    "[]",
    "{}",
    '{"type":1}',
    '{"type":"stdout"}',
    '{"type":"stderr","text":1}',
    '{"type":"end"}',
    '{"type":"end","execution":{}}',
    '{"type":"failed","error":"no"}',
    '{"type":"failed","error":{"code":"X","message":"m"}}',
    '{"__proto__":{"type":"end"}}',
  ];
  for (const line of wrong) {
    const stream = liveStream();
    const { run } = hearing(stream);
    stream.send(START);
    stream.write(`${line}\n`);
    await assertRejects(() => run, SandboxError, "something unexpected");
    assert(stream.left() !== undefined, line);
  }
  const stream = liveStream();
  const { run } = hearing(stream);
  stream.write(Uint8Array.of(0x22, 0xff, 0x22, 0x0a));
  await assertRejects(() => run, SandboxError, "not UTF-8");
});

Deno.test("client streams: an endless line or stream is an error", async () => {
  const megabyte = new Uint8Array(1024 * 1024).fill(0x20);
  const keepalives = megabyte.slice();
  keepalives.set(new TextEncoder().encode('{"type":"keepalive"}'));
  keepalives[keepalives.length - 1] = 0x0a;
  for (
    const [chunk, message] of [[megabyte, "A line of"], [keepalives, "The answer is"]] as const
  ) {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(chunk),
      cancel: () => void (cancelled = true),
    });
    const headers = { "content-type": "application/x-ndjson; charset=utf-8" };
    const binding = recorder(() => new Response(body, { headers }));
    const run = () => runCode(binding, "1", { onStdout: () => undefined });
    await assertRejects(run, SandboxError, `${message}`);
    assertEquals(cancelled, true);
  }
});

Deno.test("client streams: a connection that stays open after `end` is left", async () => {
  const stream = liveStream();
  const { run } = hearing(stream);
  stream.send(START, end(), out("late"));
  assertEquals((await run).code, RESULT.code);
  assert(stream.left() !== undefined);
});

Deno.test("client streams: only a 200 of the right type is a stream", async () => {
  const text = `${JSON.stringify(RESULT)}`;
  const [callbacks, told] = telling();
  for (const type of ["application/json", "text/plain", "application/x-ndjson-seq"]) {
    const answer = () => new Response(text, { headers: { "content-type": type } });
    assertEquals((await runCode(recorder(answer), "1", callbacks)).code, "1");
  }
  const headers = { "content-type": "application/x-ndjson" };
  const refused = recorder(() => new Response(JSON.stringify(FAILURE), { status: 500, headers }));
  const error = await assertRejects(
    () => runCode(refused, "1", { ...callbacks, retry: false }),
    SandboxError,
  );
  assertEquals([error.httpStatus, told], [500, []]);
});
