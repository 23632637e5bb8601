/** How the value of a program is shown. */
import { assertEquals, assertMatch } from "@std/assert";
import { run, shortEnding } from "./ruby.ts";

const CASES: readonly (readonly [code: string, ending: string])[] = [
  ["nil", "none"],
  ["", "none"],
  ["x = nil", "none"],
  ["puts 1", "none"],
  ["1 + 1", "text 2"],
  ["x = 5", "text 5"],
  ["def f = 1", "text :f"],
  ["2**100", "text 1267650600228229401496703205376"],
  ['"é☃\\n"', 'text "é☃\\n"'],
  ['"x\\xff"', 'text "x\\xFF"'],
  [":sym", "text :sym"],
  ["1..3", "text 1..3"],
  ["1.0", "text 1.0"],
  ["true", "text true"],
  ["Struct.new(:a).new(1)", "text #<struct a=1>"],
  ["Comparable", "text Comparable"],
  ["[]", "json []"],
  ["{}", "json {}"],
  ['[1, "a", :b, nil, true, false, 1.5, [2]]', 'json [1,"a","b",null,true,false,1.5,[2]]'],
  ['{ a: 1, "b" => { 3 => 4, 1.5 => nil } }', 'json {"a":1,"b":{"3":4,"1.5":null}}'],
  ["[12345678901234567890123]", "json [12345678901234567890123]"],
  ["[1e20, 1e-7, -0.0]", "json [1.0e+20,1.0e-07,-0.0]"],
  ['["q\\"\\\\\\n\\t\\u0001\\u007f\\u2028"]', 'json ["q\\"\\\\\\n\\t\\u0001\\u007f\u2028"]'],
  ['["é".b, "é".encode("UTF-16LE"), "é".encode("ISO-8859-1")]', 'json ["é","é","é"]'],
  ['["\\xff"]', 'text ["\\xFF"]'],
  ['{ a: ["\\xff".b] }', 'text {a: ["\\xFF"]}'],
  ['{ "\\xff".b => 1 }', 'text {"\\xFF" => 1}'],
  ['["\\x82".dup.force_encoding("Shift_JIS")]', 'text ["\\x82"]'],
  ['["a".dup.force_encoding("UTF-7")]', 'text ["\\x61"]'],
  ["Class.new(Array)[1, 2]", "json [1,2]"],
  ["Class.new(Hash)[1, 2]", 'json {"1":2}'],
  ["Hash.new { raise }.merge(a: 1)", 'json {"a":1}'],
  ["[Float::NAN]", "text [NaN]"],
  ["{ a: Float::INFINITY }", "text {a: Infinity}"],
  ["[1..2]", "text [1..2]"],
  ["a = [1]; a << a", "text [1, [...]]"],
  ["h = {}; h[:h] = h", "text {h: {...}}"],
  ['{ 1 => 2, "1" => 3 }', 'text {1 => 2, "1" => 3}'],
  ["[1, 2, 3].group_by(&:odd?)", 'json {"true":[1,3],"false":[2]}'],
  ['{ true => 1, "true" => 2 }', 'text {true => 1, "true" => 2}'],
  ["{ nil => 1 }", "text {nil => 1}"],
  ["[Time.at(0)]", "text [1970-01-01 00:00:00 +0000]"],
  ["{ [1] => 1 }", "text {[1] => 1}"],
  ["a = [1]; [a, a]", "json [[1],[1]]"],
  ["[1, 2].freeze", "json [1,2]"],
  ["return 5", "none"],
  ["return if true\n1", "none"],
];

const THING = "class Thing\n  def inspect = '#<thing>'\n";

/** Bodies of a class, and the form of a container with an object of that class. */
const OWN_JSON: readonly (readonly [body: string, ending: string])[] = [
  ["", "text [#<thing>]"],
  [`def to_json(*) = '{"a":[1,2.5,null]}'`, 'json [{"a":[1,2.5,null]}]'],
  [`def to_json = '"no arguments"'`, 'json ["no arguments"]'],
  ["def to_json(state) = { a: 1 }.to_json(state)", 'json [{"a":1}]'],
  ["def to_json(*) = raise('no')", "text [#<thing>]"],
  ["def to_json(*) = exit(3)", "text [#<thing>]"],
  ["def to_json(*) = 5", "text [#<thing>]"],
  ["def to_json(*) = 'no JSON'", "text [#<thing>]"],
  ["def to_json(*) = '[NaN]'", "text [#<thing>]"],
  [`def to_json(*) = '{"a":1,"a":2}'`, "text [#<thing>]"],
  [String.raw`def to_json(*) = "\"\xff\""`, "text [#<thing>]"],
  ["def to_json(*) = loop {}", "limit fuel"],
  ["def to_json(*) = '\"' + 'x' * 300_000 + '\"'", "limit result"],
  ["undef to_json", "text [#<thing>]"],
];

/** Programs that redefine what the mapping could rely on; the value is still correct. */
const HOSTILE: readonly (readonly [code: string, ending: string])[] = [
  ["def nil.inspect = 'zz'\nnil", "none"],
  ["class NilClass; def nil? = false; def ==(o) = false; end; nil", "none"],
  ["class Hash; def each = raise; def to_a = 1; def map = 2; end; { a: [1] }", 'json {"a":[1]}'],
  ["class String; def to_json(*) = 1; def gsub(*) = 2; end; ['x']", 'json ["x"]'],
  ["class Object; def to_json(*) = loop {}; end; [1]", "json [1]"],
  ["class Integer; def to_s(*) = 'zz'; end; [1]", "json [1]"],
  ["class Module; def ===(o) = false; end; { a: 1 }", 'json {"a":1}'],
  ["class Array; def size = 3; def at(i) = 9; def push(*) = 1; end; [1]", "json [1]"],
  ["module Kernel; def raise(*) = 5; def class = 7; end; [1]", "json [1]"],
  [
    "%i[String Hash Array Integer Exception Kernel].each { |n| Object.send(:remove_const, n) }\n{ a: ['x'] }",
    'json {"a":["x"]}',
  ],
  ["Object.send(:remove_const, :Belljar); [1]", "json [1]"],
  ["module Kernel; def raise(*) = 5; end; [Float::NAN]", "text [NaN]"],
  ["class Foo; def inspect = 'a'.dup.force_encoding('UTF-7'); end; Foo.new", "text a"],
  ["class UnboundMethod; def bind_call(*) = 1; end", "error FrozenError"],
  ["Encoding.default_internal = 'UTF-16LE'; ['é']", 'json ["é"]'],
  ["GC.disable; [1]", "json [1]"],
  ["$stdout = nil; 5", "error TypeError"],
  ["class Foo; def inspect = raise('i'); end; Foo.new", "error RuntimeError"],
  ["class Foo; def inspect = loop {}; end; Foo.new", "limit fuel"],
  ["class Foo; def inspect = raise('i'); end; [Foo.new]", "error RuntimeError"],
  [
    "class Foo < BasicObject; def method_missing(*) = ::Kernel.loop {}; end; [Foo.new]",
    "limit fuel",
  ],
];

Deno.test("ruby values: values are mapped by the contract", async () => {
  for (const [code, ending] of CASES) {
    assertEquals(shortEnding((await run(code)).ending), ending, code);
  }
});

Deno.test("ruby values: an object's own to_json counts in a container, unless it fails", async () => {
  for (const [body, ending] of OWN_JSON) {
    const limits = { fuel: 2_000_000_000 };
    const ran = await run(`${THING}  ${body}\nend\n[Thing.new]`, { limits });
    assertEquals(shortEnding(ran.ending), ending, body);
  }
  const list = `Class.new(Array) { def to_json(*) = '{"own":true}' }.new`;
  assertEquals(shortEnding((await run(list)).ending), 'json {"own":true}');
  const time = 'require "json/add/time"; [Time.at(0)]';
  assertEquals(
    shortEnding((await run(time)).ending),
    'json [{"json_class":"Time","s":0,"n":0}]',
  );
});

Deno.test("ruby values: redefined core methods do not change the mapping", async () => {
  for (const [code, ending] of HOSTILE) {
    const limits = { fuel: 2_000_000_000 };
    assertEquals(shortEnding((await run(code, { limits })).ending), ending, code);
    assertEquals(shortEnding((await run("[6 * 7]")).ending), "json [42]", `after ${code}`);
  }
});

Deno.test("ruby values: objects without inspect are still shown", async () => {
  const { ending } = await run("BasicObject.new");
  assertMatch(shortEnding(ending), /^text #<BasicObject:0x[0-9a-f]+>$/);
  const odd = await run("class Foo; def inspect = 5; end; Foo.new");
  assertMatch(shortEnding(odd.ending), /^text #<Foo:0x[0-9a-f]+>$/);
});

Deno.test("ruby values: text and JSON over the limit end with the result limit", async () => {
  const limits = { resultBytes: 100 };
  for (const code of ["'x' * 200", "[1] * 200", "{ a: 'x' * 200 }", "(1..100_000).to_a"]) {
    assertEquals(shortEnding((await run(code, { limits })).ending), "limit result", code);
  }
  assertEquals(shortEnding((await run("'x' * 98", { limits })).ending), `text "${"x".repeat(98)}"`);
});
