import { assertEquals, assertThrows } from "@std/assert";
import { readRunAnswer } from "../../../runtimes/pool/run_answer.ts";
import { encodeMessage, ProtocolError } from "../../../shared/message.ts";
import { plainAnswer } from "./fake_isolate.ts";

const { head } = plainAnswer(3);

Deno.test("run answer: a whole answer is read with its value", () => {
  const bytes = encodeMessage({ ...head, ending: { kind: "text" } }, [
    new TextEncoder().encode("42"),
  ]);
  const answer = readRunAnswer(bytes, 3, 1_000);
  assertEquals([answer.head.ending.kind, answer.value], ["text", "42"]);
});

Deno.test("run answer: invalid fields from an isolate are refused", () => {
  const wrong: readonly unknown[] = [
    null,
    [],
    "text",
    {},
    { ...head, run: 4 },
    { ...head, fuelConsumed: -1 },
    { ...head, fuelConsumed: "1" },
    { ...head, durationMs: null },
    { ...head, outputBytes: 1.5 },
    { ...head, healthy: 1 },
    { ...head, ending: { kind: "other" } },
    { ...head, ending: { kind: "error", name: 1, message: "", traceback: [] } },
    { ...head, ending: { kind: "error", name: "E", message: "", traceback: [{}] } },
    { ...head, ending: { kind: "limit", limit: "patience", traceback: [] } },
  ];
  for (const value of wrong) {
    assertThrows(() => readRunAnswer(encodeMessage(value), 3, 1_000), ProtocolError);
  }
});

Deno.test("run answer: bytes that are not a message are refused, wherever they are cut", () => {
  const bytes = encodeMessage(head, [new Uint8Array(10)]);
  for (let length = 0; length < bytes.length; length++) {
    if (length === bytes.length - 14) continue; // exactly the head: a message without parts
    assertThrows(() => readRunAnswer(bytes.slice(0, length), 3, 1_000), ProtocolError);
  }
});

Deno.test("run answer: a head larger than any answer's is refused before it is parsed", () => {
  const lines = (count: number) => ({ ...head, extra: Array.from({ length: count }, () => 1) });
  assertEquals(readRunAnswer(encodeMessage(lines(20_000)), 3, 1_000).head.run, 3);
  assertThrows(
    () => readRunAnswer(encodeMessage(lines(40_000)), 3, 1_000),
    ProtocolError,
    "too large",
  );
});

Deno.test("run answer: one part too many ends the reading, however many follow", () => {
  const empty = (count: number) => Array.from({ length: count }, () => new Uint8Array());
  const most = encodeMessage(head, empty(8_194));
  assertThrows(() => readRunAnswer(most, 3, 1_000), ProtocolError, "other parts");
  const more = encodeMessage(head, empty(8_195));
  assertThrows(() => readRunAnswer(more, 3, 1_000), ProtocolError, "too many parts");
  const zeros = new Uint8Array(1 << 20); // each part is a length of zero
  assertThrows(() => readRunAnswer(zeros, 3, 1_000), ProtocolError, "too many parts");
});

Deno.test("run answer: names outside the schema are dropped", () => {
  const answer = readRunAnswer(encodeMessage({ ...head, extra: 1 }), 3, 1_000);
  assertEquals(Object.keys(answer.head).includes("extra"), false);
});
