import { assertEquals } from "@std/assert";
import {
  parseMappings,
  readLineMap,
} from "../../../../../runtimes/languages/javascript/host/source/source_map.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function encodeNumber(value: number): string {
  let rest = value < 0 ? -value * 2 + 1 : value * 2;
  let text = "";
  do {
    const digit = rest % 32;
    rest = Math.floor(rest / 32);
    text += ALPHABET[digit + (rest > 0 ? 32 : 0)];
  } while (rest > 0);
  return text;
}

/** Writes a map whose lines have segments that begin in the given original lines, from 0. */
function encodeLines(lines: readonly (readonly number[])[]): string {
  let before = 0;
  return lines.map((segments) =>
    segments.map((line, column) => {
      const relative = line - before;
      before = line;
      return [column * 7, 0, relative, column - 3, 1].map(encodeNumber).join("");
    }).join(",")
  ).join(";");
}

Deno.test("source map: each line takes its first segment's line", () => {
  assertEquals(readLineMap("AAAA"), [1, 1]);
  assertEquals(readLineMap("AAAA;AACA;AACA,GADA"), [1, 1, 2, 3]);
  const lines = [[4, 2], [100, 0, 70000], [0], [16, 15], [3]];
  assertEquals(readLineMap(encodeLines(lines)), [1, 5, 101, 1, 17, 4]);
});

Deno.test("source map: lines without segments take the previous line's", () => {
  assertEquals(readLineMap(""), [1, 1]);
  assertEquals(readLineMap(";;AAEA;;"), [1, 1, 1, 3, 3, 3]);
  assertEquals(readLineMap("AAEA;G;AACA"), [1, 3, 3, 4]);
});

Deno.test("source map: the mappings are read from JSON", () => {
  assertEquals(parseMappings('{"version":3,"mappings":"AAAA"}'), "AAAA");
  assertEquals(parseMappings('{"version":3}'), undefined);
  assertEquals(parseMappings('{"mappings":1}'), undefined);
  assertEquals(parseMappings("null"), undefined);
});
