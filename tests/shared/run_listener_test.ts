import { assertEquals } from "@std/assert";
import type { OutputEvent, RunEvent } from "../../client/protocol/run_events.ts";
import { lineListener, outputLines } from "../../shared/run_listener.ts";
import { count } from "../support/counts.ts";
import { printedSeed, seededBelow } from "../support/random.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Lines by the rule of `logs`, in the plainest way. */
function plainLines(bytes: Uint8Array): string[] {
  const lines = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function listening() {
  const events: RunEvent[] = [];
  return { events, ...lineListener((event) => events.push(event)) };
}

const CASES: Record<string, string> = {
  "nothing": "",
  "a line": "a\n",
  "a last line without a newline": "a\nb",
  "empty lines": "\n\n",
  "carriage returns, which belong to their lines": "a\r\nb\r",
  "a byte order mark, which is text": "\ufeffa\n\ufeffb",
  "characters of all lengths": "aé€😀\n😀",
};

for (const [name, text] of Object.entries(CASES)) {
  Deno.test(`lines: ${name}`, () => {
    const expected = text.split("\n");
    if (expected.at(-1) === "") expected.pop();
    assertEquals(outputLines(bytesOf(text)), expected);
  });
}

/** Bytes that cut characters, lines and invalid sequences in every way. */
const ALPHABET = [
  ..."ab\n\n\r\0",
  "é",
  "€",
  "😀",
  "\ufeff",
  "\u2028",
].map(bytesOf).concat([0x80, 0xc3, 0xe2, 0xf0, 0xff].map((byte) => Uint8Array.of(byte)));

Deno.test("lines: pieces of output give the lines of the whole", () => {
  const below = seededBelow(printedSeed("lines"));
  for (let round = 0; round < count(2_000, 50_000); round++) {
    const { listener, end, events } = listening();
    const whole = { stdout: new Array<number>(), stderr: new Array<number>() };
    listener.start();
    for (let pieces = below(12); pieces > 0; pieces--) {
      const stream = below(3) === 0 ? "stderr" : "stdout";
      const letters = Array.from(
        { length: below(6) },
        () => ALPHABET[below(ALPHABET.length)] ?? new Uint8Array(),
      );
      const bytes = Uint8Array.from(letters.flatMap((letter) => [...letter]));
      const cut = below(bytes.length + 1);
      for (const piece of [bytes.slice(0, cut), bytes.slice(cut)]) {
        whole[stream].push(...piece);
        listener.output(stream, piece);
        piece.fill(0x78); // the bytes are valid only during the call
      }
    }
    end();
    assertEquals(events.shift(), { type: "start" });
    for (const stream of ["stdout", "stderr"] as const) {
      const told = events.filter((event): event is OutputEvent => event.type === stream);
      const bytes = Uint8Array.from(whole[stream]);
      assertEquals(told.map(({ text }) => text), plainLines(bytes));
      assertEquals(outputLines(bytes), plainLines(bytes));
    }
  }
});

Deno.test("lines: lines come in the order of their ends", () => {
  const { listener, end, events } = listening();
  listener.output("stdout", bytesOf("a"));
  listener.output("stderr", bytesOf("b\n"));
  listener.output("stdout", bytesOf("\nc"));
  listener.output("stderr", bytesOf("d"));
  end();
  const told = events.map((event) => "text" in event ? [event.type, event.text] : event);
  assertEquals(told, [["stderr", "b"], ["stdout", "a"], ["stdout", "c"], ["stderr", "d"]]);
});
