import { assertEquals, assertThrows } from "@std/assert";
import { parseExactJson } from "../../runtimes/exact_json.ts";

Deno.test("exact JSON: integers of any size keep their digits", () => {
  const texts = [
    "1180591620717411303424",
    '{"a":[-9007199254740993,1,2.5],"b":"1234567890123456789"}',
    "[123456789012345678901234567890]",
    '{"__proto__":9007199254740993}',
  ];
  for (const text of texts) assertEquals(JSON.stringify(parseExactJson(text)), text);
});

Deno.test("exact JSON: other values are as JSON.parse gives them", () => {
  const text = '{"x":0.1234567890123456789,"y":[null,true,"z"]}';
  assertEquals(JSON.stringify(parseExactJson(text)), JSON.stringify(JSON.parse(text)));
  assertThrows(() => parseExactJson("[1234567890123456789"), SyntaxError);
});

Deno.test("exact JSON: nesting too deep for revivers is no reason to lose a value", () => {
  for (const depth of [100, 5_000, 50_000]) {
    const text = "[".repeat(depth) + "1180591620717411303424" + "]".repeat(depth);
    assertEquals(JSON.stringify(parseExactJson(text)).length >= text.length, true);
  }
});
