import { assertEquals, assertThrows } from "@std/assert";
import { jsonEntry, parseExactJson } from "../../shared/exact_json.ts";

Deno.test("exact JSON: integers of any size keep their digits", () => {
  const texts = [
    "1180591620717411303424",
    '{"a":[-9007199254740993,1,2.5],"b":"1234567890123456789"}',
    "[123456789012345678901234567890]",
    '{"__proto__":9007199254740993}',
    '{"a":{"b":[[],[9007199254740993,{"c":-9007199254740993}]]},"d":"9007199254740993"}',
    '{"1234567890123456789":1234567890123456789,"\\"12345678901234567":"\\\\"}',
    '["12345678901234567\\\\",12345678901234567,0.125,"\\"",null]',
  ];
  for (const text of texts) assertEquals(JSON.stringify(parseExactJson(text)), text);
});

Deno.test("exact JSON: other values are as from JSON.parse", () => {
  const text = '{"x":0.1234567890123456789,"y":[null,true,"z"]}';
  assertEquals(JSON.stringify(parseExactJson(text)), JSON.stringify(JSON.parse(text)));
  for (const number of ["1e12345678901234567", "1.12345678901234567e5", "1234567890123456789e-3"]) {
    assertEquals(parseExactJson(`[${number}]`), JSON.parse(`[${number}]`));
  }
});

Deno.test("exact JSON: parseExactJson() refuses invalid JSON with long integers in any place", () => {
  const long = "12345678901234567";
  const texts = [
    `[${long}`,
    `{${long}:1}`,
    `{${long} :1}`,
    `[0${long}]`,
    `[-0${long}]`,
    `[--${long}]`,
    `[+${long}]`,
    `[${long}-1]`,
    `[${long}.]`,
    `[${long}e]`,
    `[${long}${"x"}]`,
    `[${long} ${long}]`,
    `["${long}]`,
    `["\\${long}]`,
    `[${long},]`,
    `${long}"`,
  ];
  for (const text of texts) {
    assertThrows(() => JSON.parse(text), SyntaxError);
    assertThrows(() => parseExactJson(text), SyntaxError);
  }
});

Deno.test("exact JSON: no depth loses a value, and an ordinary one no digit", () => {
  for (const depth of [100, 1_900, 5_000, 50_000]) {
    const text = "[".repeat(depth) + "1180591620717411303424" + "]".repeat(depth);
    const written = JSON.stringify(parseExactJson(text));
    if (depth < 2_000) assertEquals(written, text);
    else assertEquals(written.length >= text.length, true);
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

Deno.test("parseExactJson() keeps the digits of an integer at any place of a text", () => {
  for (let before = 0; before < 40; before++) {
    for (const number of ["9007199254740993", "12345678901234567", "1".repeat(40)]) {
      const text = `["${"x".repeat(before)}",${number}]`;
      assertEquals(JSON.stringify(parseExactJson(text)), text);
    }
  }
});
