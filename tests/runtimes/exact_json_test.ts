import { assertEquals, assertThrows } from "@std/assert";
import { jsonEntry, parseExactJson } from "../../runtimes/exact_json.ts";

Deno.test("exact JSON: integers of any size keep their digits", () => {
  const texts = [
    "1180591620717411303424",
    '{"a":[-9007199254740993,1,2.5],"b":"1234567890123456789"}',
    "[123456789012345678901234567890]",
    '{"__proto__":9007199254740993}',
  ];
  for (const text of texts) assertEquals(JSON.stringify(parseExactJson(text)), text);
});

Deno.test("exact JSON: other values are as from JSON.parse", () => {
  const text = '{"x":0.1234567890123456789,"y":[null,true,"z"]}';
  assertEquals(JSON.stringify(parseExactJson(text)), JSON.stringify(JSON.parse(text)));
  assertThrows(() => parseExactJson("[1234567890123456789"), SyntaxError);
});

Deno.test("exact JSON: nesting too deep for revivers loses no value", () => {
  for (const depth of [100, 5_000, 50_000]) {
    const text = "[".repeat(depth) + "1180591620717411303424" + "]".repeat(depth);
    assertEquals(JSON.stringify(parseExactJson(text)).length >= text.length, true);
  }
});

Deno.test("exact JSON: a value nested too deeply for V8 to serialize is text", () => {
  const kinds: readonly (readonly [open: string, close: string, deepest: number])[] = [
    ['{"0":', "}", 1_000],
    ['{"toJSON":', "}", 1_000],
    ["[", "]", Infinity],
    ['{"]\\"}":[', "]}", Infinity],
  ];
  for (const [open, close, deepest] of kinds) {
    for (const depth of [10, 900, 20_000]) {
      const text = open.repeat(depth) + "1" + close.repeat(depth);
      const written = depth <= deepest ? `{"json":${text}}` : JSON.stringify({ text });
      assertEquals(JSON.stringify(jsonEntry(text)), written, `${open} ${depth}`);
    }
  }
  const wide = JSON.stringify(Array.from({ length: 5_000 }, () => ["[", { a: [] }]));
  assertEquals(jsonEntry(wide), { json: JSON.parse(wide) });
});
