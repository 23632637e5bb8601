/** JSON as Perl expressions. */
import { assertEquals } from "@std/assert";
import { perlAnswer, perlLiteral } from "../../../../runtimes/languages/perl/host/literals.ts";

const LITERALS: readonly (readonly [json: string, perl: string])[] = [
  ["null", "undef"],
  ["[true, false]", "[$JSON::PP::true,$JSON::PP::false]"],
  ["-1.50e+3", "-1.50e+3"],
  ["123456789012345678", "123456789012345678"],
  ["1234567890123456789", "'1234567890123456789'"],
  ["-12345678901234567890.5", "-12345678901234567890.5"],
  ['"it\'s \\\\ \\u00e9☃ $x @y"', "'it\\'s \\\\ é☃ $x @y'"],
  ['"a\\n\\"$x\\@\\u0000"'.replace("\\@", "@"), '"a\\x{a}\\x{22}\\x{24}x\\x{40}\\x{0}"'],
  ['{"a": {"b": []}, "c\\td": 1}', "+{'a'=>+{'b'=>[]},\"c\\x{9}d\"=>1}"],
];

Deno.test("perl literals: values of JSON as expressions in one line", () => {
  for (const [json, perl] of LITERALS) assertEquals(perlLiteral(json), perl, json);
});

Deno.test("perl literals: long texts and lists take linear time", () => {
  const text = JSON.stringify('é"\\\n'.repeat(200_000));
  assertEquals(perlLiteral(text).length > text.length, true);
  const list = `[${Array.from({ length: 200_000 }, (_, index) => index).join()}]`;
  assertEquals(perlLiteral(list), list);
});

Deno.test("perl literals: an answer that is too deep is an expression that dies", () => {
  const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
  assertEquals(perlAnswer(nested(512)), nested(512));
  assertEquals(perlAnswer(nested(513)), "die q(The answer has more than 512 levels)");
});
