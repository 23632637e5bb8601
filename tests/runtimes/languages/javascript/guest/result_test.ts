/** Result mapping: which values become JSON, which become text, and in what form. */
import { assertEquals } from "@std/assert";
import { errorOf, runGuest } from "./support.ts";

const JSON_VALUES: readonly (readonly [code: string, json: string])[] = [
  ["({ a: 1, b: [1, 'x'] })", '{"a":1,"b":[1,"x"]}'],
  ["[1, NaN, undefined, () => 1, -0]", "[1,null,null,null,0]"],
  ["class L extends Array {}; L.of(1, 2)", "[1,2]"],
  ["class P { x = 1; #y = 2; get z() { return 3 } }; new P()", '{"x":1}'],
  ["class A { a = 1 } class B extends A { b = 2 }; new B()", '{"a":1,"b":2}'],
  ["Object.assign(Object.create(null), { a: 1 })", '{"a":1}'],
  ["Object.create({ inherited: 1 }, { own: { value: 2, enumerable: true } })", '{"own":2}'],
  ["({ toJSON() { return { z: 1 } } })", '{"z":1}'],
  ["({ d: new Date(0), m: new Map([[1, 2]]) })", '{"d":"1970-01-01T00:00:00.000Z","m":{}}'],
  ["new Proxy({ a: 1 }, {})", '{"a":1}'],
  ["new Proxy([1], {})", "[1]"],
  ["Promise.resolve({ a: 1 })", '{"a":1}'],
  ["process.env", "{}"],
  ["function F() { this.x = 1 }; new F()", '{"x":1}'],
];

const TEXT_VALUES: readonly (readonly [code: string, text: string])[] = [
  ["'it\\'s'", `"it's"`],
  ["'a\\nb'", "'a\\nb'"],
  ["1.50", "1.5"],
  ["-0", "-0"],
  ["2n ** 70n", "1180591620717411303424n"],
  ["null", "null"],
  ["true", "true"],
  ["Symbol('x')", "Symbol(x)"],
  ["(function foo() {})", "[Function: foo]"],
  ["(class A extends Map {})", "[class A extends Map]"],
  ["new Date(0)", "1970-01-01T00:00:00.000Z"],
  ["/x/g", "/x/g"],
  [
    "new Map([[1, { a: { b: { c: { d: 1 } } } }]])",
    [
      "Map(1) {",
      "  1 => {",
      "    a: { b: { c: { d: 1 } } }",
      "  }",
      "}",
    ].join("\n"),
  ],
  ["class M extends Map {}; new M([[1, 2]])", "M(1) [Map] { 1 => 2 }"],
  ["class D extends Date {}; new D(0)", "D 1970-01-01T00:00:00.000Z"],
  ["new TypeError('te')", "TypeError: te\n    at main.js:1:5"],
  ["Buffer.from('hi')", "<Buffer 68 69>"],
  ["new Uint8Array(3)", "Uint8Array(3) [ 0, 0, 0 ]"],
  ["const a = { n: 1 }; a.self = a; a", "<ref *1> { n: 1, self: [Circular *1] }"],
  ["({ a: 1n })", "{ a: 1n }"],
  ["({ a: 1, toJSON() { throw new Error('no') } })", "{ a: 1, toJSON: [Function: toJSON] }"],
  ["({ a: 1, toJSON() {} })", "{ a: 1, toJSON: [Function: toJSON] }"],
  ["({ get a() { throw new Error('no') } })", "{ a: [Getter] }"],
  ["new Proxy({ a: 1 }, { get() { throw new Error('trap') } })", "{ a: 1 }"],
  ["(function () { return arguments })(1)", "[Arguments] { '0': 1 }"],
  ["(function* () {})()", "Object [Generator] {}"],
  ["new Map([[1, 2]]).keys()", "[Map Iterator] { 1 }"],
  ["Math", "Object [Math] {}"],
  ["new Intl.NumberFormat('en')", "NumberFormat [Intl.NumberFormat] {}"],
  ["new WeakMap()", "WeakMap { <items unknown> }"],
  ["new Number(5)", "[Number: 5]"],
];

Deno.test("result: containers become JSON as by JSON.stringify", async () => {
  for (const [code, json] of JSON_VALUES) {
    assertEquals((await runGuest(code)).ending, { kind: "json", json }, code);
  }
});

Deno.test("result: other values become text as a console shows them", async () => {
  for (const [code, text] of TEXT_VALUES) {
    assertEquals((await runGuest(code)).ending, { kind: "text", text }, code);
  }
});

Deno.test("result: undefined and a missing last expression give no value", async () => {
  for (const code of ["undefined", "const x = 1", "void 0", "if (true) 1"]) {
    assertEquals((await runGuest(code)).ending, { kind: "none" }, code);
  }
});

Deno.test("result: texts are never shortened", async () => {
  const long = await runGuest("'x'.repeat(20000)");
  assertEquals(long.ending, { kind: "text", text: `'${"x".repeat(20000)}'` });
  const set = await runGuest("new Set(Array.from({ length: 300 }, (_, i) => i))");
  assertEquals(set.ending.kind === "text" && set.ending.text.includes(" 299\n}"), true);
});

Deno.test("result: an error that a value's own code throws is the guest's error", async () => {
  const error = await errorOf(
    "new Map([[1, { [Symbol.for('nodejs.util.inspect.custom')]() { throw new Error('own') } }]])",
  );
  assertEquals([error.name, error.message], ["Error", "own"]);
});

Deno.test("result: an endless value ends with the fuel", async () => {
  const { ending } = await runGuest("new Proxy({}, { ownKeys() { for (;;); } })", {
    fuel: 100_000_000,
  });
  assertEquals(ending.kind === "limit" && ending.limit, "fuel");
});

Deno.test("result: deep values do not break the mapping", async () => {
  const deep = "let d = {}; for (let i = 0; i < 900; i++) d = { d };";
  const { ending } = await runGuest(`${deep} d`);
  assertEquals(ending.kind, "json");
  const cyclic = await runGuest(`${deep} d.self = d; d`);
  assertEquals(
    cyclic.ending.kind === "text" && cyclic.ending.text.startsWith("<ref *1> {"),
    true,
  );
});
