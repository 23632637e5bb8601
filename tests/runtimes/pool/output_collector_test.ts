import { assert, assertEquals, assertLess, assertThrows } from "@std/assert";
import { encodeFrame } from "../../../runtimes/isolate/protocol.ts";
import { FrameReader } from "../../../runtimes/pool/frame_reader.ts";
import { OutputCollector } from "../../../runtimes/pool/output_collector.ts";
import { ProtocolError } from "../../../wire/message.ts";

const RUN = 3;
const payload = (text: string) => new TextEncoder().encode(text);

Deno.test("output collector: pieces of each stream come out in order and whole", () => {
  const collector = new OutputCollector(RUN, 10_000);
  for (let i = 0; i < 1_000; i++) {
    collector.push({ kind: 1, run: RUN, payload: payload(`${i},`) });
    if (i % 100 === 0) collector.push({ kind: 2, run: RUN, payload: payload(`e${i};`) });
  }
  const { stdout, stderr } = collector.take();
  const numbers = Array.from({ length: 1_000 }, (_, i) => `${i},`);
  assertEquals(new TextDecoder().decode(stdout), numbers.join(""));
  assertEquals(new TextDecoder().decode(stderr).split(";").length, 11);
});

Deno.test("output collector: output of another run, or too much output, is refused", () => {
  const collector = new OutputCollector(RUN, 2);
  const push = (kind: number, run: number, text: string) => () =>
    collector.push({ kind, run, payload: payload(text) });
  assertThrows(push(1, RUN + 1, "x"), ProtocolError);
  assertThrows(push(3, RUN, "x"), ProtocolError);
  push(1, RUN, "xy")();
  assertThrows(push(2, RUN, "z"), ProtocolError);
});

Deno.test("output collector: a listener hears of the beginning, then pieces in order, joined where they can be", () => {
  const heard: string[] = [];
  const collector = new OutputCollector(RUN, 100, {
    start: () => heard.push("start"),
    output: (stream, bytes) => heard.push(`${stream} ${new TextDecoder().decode(bytes)}`),
  });
  const push = (kind: number, text: string) =>
    collector.push({ kind, run: RUN, payload: payload(text) });
  assertThrows(() => push(1, "early"), ProtocolError);
  push(3, "");
  collector.tell();
  for (const [kind, text] of [[1, "a"], [1, "b"], [2, "c"], [1, "d"]] as const) push(kind, text);
  collector.tell();
  push(1, "e");
  collector.tell();
  collector.tell();
  assertEquals(heard, ["start", "stdout ab", "stderr c", "stdout d", "stdout e"]);
  assertThrows(() => push(3, ""), ProtocolError);
  assertEquals(new TextDecoder().decode(collector.take().stdout), "abde");
});

Deno.test("output collector: a run is over when its beginning and all of its output have arrived", async () => {
  const listener = { start: () => {}, output: () => {} };
  for (const [bytes, heard] of [[0, true], [3, true], [0, false], [3, false]] as const) {
    const collector = new OutputCollector(RUN, 100, heard ? listener : undefined);
    const ended = Promise.withResolvers<void>();
    let isOver = false;
    const over = collector.reached(bytes, ended.promise).then(() => isOver = true);
    const frames = [
      ...(heard ? [[3, ""] as const] : []),
      ...(bytes > 0 ? [[1, "abc"] as const] : []),
    ];
    for (const [kind, text] of frames) {
      await Promise.resolve();
      assertEquals(isOver, false, `${kind}, ${bytes} bytes`);
      collector.push({ kind, run: RUN, payload: payload(text) });
    }
    await over;
    assertEquals(isOver, true);
  }
});

/** Bytes that this process holds for JavaScript. */
function held(): number {
  const { heapUsed, external } = Deno.memoryUsage();
  return heapUsed + external;
}

Deno.test("output collector: output byte by byte takes about as much memory as its length", () => {
  const bytes = 1 << 20;
  const chunk = new Uint8Array(64 * 10);
  for (let i = 0; i < 64; i++) chunk.set(encodeFrame(1, RUN, payload("x")), i * 10);
  const reader = new FrameReader();
  const collector = new OutputCollector(RUN, bytes);
  const before = held();
  for (let i = 0; i < bytes / 64; i++) reader.push(chunk).forEach((frame) => collector.push(frame));
  assertLess(held() - before, 64 << 20);
  assert(collector.take().stdout.every((byte) => byte === 0x78));
});
