// test: slow
import { assert, assertEquals, assertLess, assertThrows } from "@std/assert";
import { encodeFrame } from "../../../runtimes/isolate/protocol.ts";
import { FrameReader } from "../../../runtimes/pool/frame_reader.ts";
import { OutputCollector } from "../../../runtimes/pool/output_collector.ts";
import { SHARED_LIMITS } from "../../../shared/limits.ts";
import { ProtocolError } from "../../../shared/message.ts";

const RUN = 3;

/** Limits with so many bytes of output. */
function limits(outputBytes: number) {
  return { outputBytes, displayBytes: SHARED_LIMITS.displayBytes };
}

const payload = (text: string) => new TextEncoder().encode(text);

Deno.test("output collector: pieces of each stream come out in order and whole", () => {
  const collector = new OutputCollector(RUN, limits(10_000));
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
  const collector = new OutputCollector(RUN, limits(2));
  const push = (kind: number, run: number, text: string) => () =>
    collector.push({ kind, run, payload: payload(text) });
  assertThrows(push(1, RUN + 1, "x"), ProtocolError);
  assertThrows(push(3, RUN, "x"), ProtocolError);
  assertThrows(push(1, RUN, ""), ProtocolError);
  assertThrows(push(2, RUN, ""), ProtocolError);
  assertThrows(push(5, RUN, ""), ProtocolError);
  push(1, RUN, "xy")();
  assertThrows(push(2, RUN, "z"), ProtocolError);
});

Deno.test("output collector: the prompt of a question is the unfinished line after the question before", () => {
  const collector = new OutputCollector(RUN, limits(10_000));
  const promptAfter = (text: string) => {
    if (text !== "") collector.push({ kind: 1, run: RUN, payload: payload(text) });
    return collector.prompt();
  };
  assertEquals(promptAfter("begin\nName? "), "Name? ");
  assertEquals(promptAfter("Age? "), "Age? ");
  assertEquals(promptAfter(""), "");
  assertEquals(promptAfter("\n"), "");
  const long = promptAfter("é".repeat(2_000));
  assert(long.length > 100 && /^é+$/.test(long), long.slice(0, 9));
});

Deno.test("output collector: a listener hears of the beginning, then pieces in order, joined where they can be", () => {
  const heard: string[] = [];
  const collector = new OutputCollector(RUN, limits(100), {
    start: () => heard.push("start"),
    output: (stream, bytes) => heard.push(`${stream} ${new TextDecoder().decode(bytes)}`),
    display: ({ data }) => heard.push(`display ${JSON.stringify(data)}`),
  });
  const push = (kind: number, text: string) =>
    collector.push({ kind, run: RUN, payload: payload(text) });
  assertThrows(() => push(1, "early"), ProtocolError);
  push(3, "");
  collector.tell();
  for (const [kind, text] of [[1, "a"], [1, "b"], [2, "c"], [1, "d"]] as const) push(kind, text);
  push(5, '{"data":{"a/b":12345678901234567890}}');
  push(1, "e");
  collector.tell();
  collector.tell();
  assertEquals(heard, [
    "start",
    "stdout ab",
    "stderr c",
    "stdout d",
    'display {"a/b":12345678901234567890}',
    "stdout e",
  ]);
  assertThrows(() => push(3, ""), ProtocolError);
  assertEquals(new TextDecoder().decode(collector.take().stdout), "abde");
});

Deno.test("output collector: a run is over when its beginning and all of its output have arrived", async () => {
  const listener = { start: () => {}, output: () => {}, display: () => {} };
  const shown = '{"data":{"a/b":1}}';
  for (
    const [bytes, heard, shows] of [
      [0, true, false],
      [3, true, false],
      [0, false, false],
      [3, false, false],
      [3, true, true],
      [0, false, true],
    ] as const
  ) {
    const collector = new OutputCollector(RUN, limits(100), heard ? listener : undefined);
    const ended = Promise.withResolvers<void>();
    let isOver = false;
    const over = collector.reached({
      outputBytes: bytes,
      displayBytes: shows ? shown.length : 0,
    }, ended.promise).then(() => isOver = true);
    const frames = [
      ...(heard ? [[3, ""] as const] : []),
      ...(bytes > 0 ? [[1, "abc"] as const] : []),
      ...(shows ? [[5, shown] as const] : []),
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

Deno.test("output collector: a display of another shape, too many or too large ones are refused", () => {
  const push = (collector: OutputCollector, text: string) =>
    collector.push({ kind: 5, run: RUN, payload: payload(text) });
  for (
    const text of [
      "",
      "{",
      "null",
      "[]",
      "{}",
      '{"data":[]}',
      '{"data":{}}',
      '{"data":{"html":1}}',
      '{"data":{"a/b":1},"main":1}',
      '{"data":{"a/b":1},"metadata":null}',
      '{"data":{"a/b":1},"__proto__":{}}',
      '{"__proto__":{"data":{"a/b":1}}}',
      `{"data":{"a/b":${"[".repeat(300)}${"]".repeat(300)}}}`,
      `{"data":{"a/b":[${"0,".repeat(600_000)}0]}}`,
      `{"data":{"a/b":"${"x".repeat(1 << 20)}"}}`,
      '{"data":{"a/b":1}}\0',
      "\ufeff{}",
    ]
  ) {
    const collector = new OutputCollector(RUN, limits(100));
    assertThrows(() => push(collector, text), ProtocolError, "display");
    assertEquals(collector.take().displays.length, 0);
  }
  const collector = new OutputCollector(RUN, limits(100));
  for (let i = 0; i < 16; i++) push(collector, '{"data":{"a/b":1}}');
  assertThrows(() => push(collector, '{"data":{"a/b":1}}'), ProtocolError, "over the limit");
  const half = `{"data":{"a/b":"${"x".repeat(600_000)}"}}`;
  const full = new OutputCollector(RUN, limits(100));
  push(full, half);
  assertThrows(() => push(full, half), ProtocolError, "over the limit");
});

Deno.test("output collector: keys of a display such as __proto__ are plain data", () => {
  const collector = new OutputCollector(RUN, limits(100));
  const json = '{"data":{"a/b":{"__proto__":{"x":1}}},"metadata":{"__proto__":2}}';
  collector.push({ kind: 5, run: RUN, payload: payload(json) });
  const { displays } = collector.take();
  assertEquals(JSON.stringify(displays), `[${json}]`);
  assertEquals(Reflect.get({}, "x"), undefined);
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
  const collector = new OutputCollector(RUN, limits(bytes));
  const before = held();
  for (let i = 0; i < bytes / 64; i++) reader.push(chunk).forEach((frame) => collector.push(frame));
  assertLess(held() - before, 64 << 20);
  assert(collector.take().stdout.every((byte) => byte === 0x78));
});
