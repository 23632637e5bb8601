import { assert, assertEquals } from "@std/assert";
import { evaluate, newPreparer, prepared, scriptPreparer } from "./preparer.ts";

const UNCHANGED = [
  "",
  "// only a comment",
  "1 + 1",
  "let a = 1; a;;",
  "'use strict'",
  "#!/usr/bin/env node\n5",
  "await Promise.resolve(1)",
  "for await (const x of []) ;",
  "with ({ a: 1 }) a",
  "010",
  "if (1) function f() {}",
  "a = b\n<!-- html\n--> html\n",
  "var await = 1",
  "/(?<a>.)|(?<a>.)/; /(/; /[/]/u",
  "let a; let a",
  "x = a < b > (c)",
  "a<b, c>(d)\nvar a, b, c, d",
  "obj.import(x); obj.export = 1; ({ import() {}, export: 2 })",
  "const text = 'import x from \"y\"'",
  "`import.meta ${1}`",
  "class A { #a = 1; static { this.x = 1 } get b() { return #a in this } }",
  "\ufeff1",
  "'\u2028'",
];

Deno.test("source: valid JavaScript is passed on as written", () => {
  const preparer = scriptPreparer();
  for (const code of UNCHANGED) {
    const source = prepared(preparer, code);
    assertEquals(source.code, code);
    assertEquals([1, 2, 77].map((line) => source.lineOf(line)), [1, 2, 77]);
  }
});

Deno.test("source: a syntax error of JavaScript is left to QuickJS, without the stripper", () => {
  const preparer = scriptPreparer();
  for (const code of ["let x = ;", "foo(", "`abc", "var 1a", "if (", "a b", "}", "'\n'"]) {
    assertEquals(prepared(preparer, code).code, code);
  }
});

Deno.test("source: a syntax error that could have been TypeScript is left to QuickJS too", () => {
  const preparer = newPreparer();
  for (
    const code of ["let x = { a: 1 };\nlet y = ;", "a ? b : ;", "f(x => { return !x", "a < b <"]
  ) {
    assertEquals(prepared(preparer, code).code, code);
  }
});

const VALUES: readonly (readonly [code: string, hasValue: boolean])[] = [
  ["1", true],
  ["1;;;", true],
  ["1; // c\n", true],
  ["x = 5", true],
  ["'use strict'", true],
  ["await 1", true],
  ["({})", true],
  ["`${1}`", true],
  ["import('fs')", true],
  ["1\nexport {}", true],
  ["", false],
  [";", false],
  ["let x = 1", false],
  ["1; var x", false],
  ["1; function f() {}", false],
  ["1; class A {}", false],
  ["1; if (1) 2", false],
  ["1; { 2 }", false],
  ["l: 1", false],
  ["for (;false;) 1", false],
  ["throw 1", false],
  ["1; import 'fs'", false],
  ["let x; export { x }", false],
  ["1; export default 2", false],
  ["1; export * from 'fs'", false],
  ["1; debugger", false],
];

Deno.test("source: a program has a value when it ends in an expression statement", () => {
  const preparer = scriptPreparer();
  for (const [code, hasValue] of VALUES) {
    assertEquals(prepared(preparer, code).hasValue, hasValue, code);
  }
});

const NAMES: readonly (readonly [code: string, names: readonly string[]])[] = [
  ["1", []],
  ["let a, b = 1; const c = 1; var d", ["a", "b", "c", "d"]],
  ["function f(p) { var inner; let other }", ["f"]],
  ["async function f() {} function* g() {} class A { m() {} }", ["A", "f", "g"]],
  ["const { a, b: c, d: { e = 1 }, ...f } = {}", ["a", "c", "e", "f"]],
  ["let [a, , [b], c = 1, ...d] = []", ["a", "b", "c", "d"]],
  ["{ let a; const b = 1; var c; function d() {} }", ["c"]],
  ["for (var i = 0; ;) { var j }", ["i", "j"]],
  ["for (var [k] of []) ; for (var l in {}) ; for (let m of []) ;", ["k", "l"]],
  ["if (1) var a; else { var b }", ["a", "b"]],
  ["try { var a } catch (e) { var b } finally { var c }", ["a", "b", "c"]],
  ["switch (1) { case 1: var a; default: var b }", ["a", "b"]],
  ["l: while (0) do { var a } while (0)", ["a"]],
  ["with ({}) { var a }", ["a"]],
  ["(() => { var a })(); (function b() {})", []],
  ["var a; { var a } function a() {}", ["a"]],
  ["import d, { a as b } from 'fs'; import * as n from 'fs'", ["b", "d", "n"]],
  ["export let a = 1; export function f() {} export default class A {}", ["A", "a", "f"]],
  ["export default function () {}", []],
  ["undeclared = 1", []],
];

Deno.test("source: the names of the top level are known", () => {
  const preparer = scriptPreparer();
  for (const [code, names] of NAMES) {
    assertEquals([...prepared(preparer, code).names].sort(), [...names], code);
  }
});

Deno.test("source: the top-level names found are those that become globals", () => {
  const preparer = scriptPreparer();
  const source = prepared(preparer, "for (var i = 0; i < 3; i++) { var q = i } let z = q; z");
  assertEquals(evaluate(source), 2);
  assertEquals([...source.names].sort(), ["i", "q", "z"]);
  assert(source.hasValue);
});
