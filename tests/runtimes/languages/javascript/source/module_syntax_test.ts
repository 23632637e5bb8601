import { assertEquals, assertStringIncludes } from "@std/assert";
import {
  evaluate,
  newPreparer,
  newScope,
  prepared,
  refused,
  scriptPreparer,
  thrown,
} from "./preparer.ts";

const preparer = scriptPreparer();

function lines(code: string): number {
  return code.split(/\n/).length;
}

const PROGRAMS: readonly (readonly [code: string, value: unknown])[] = [
  ["import fs from 'fs'; fs.name", "fs"],
  ["import fs from 'node:fs'\nfs.name", "fs"],
  ["import { readFileSync } from 'fs'; readFileSync()", "data"],
  ["import { readFileSync as r, default as d } from 'fs'; r() + d.name", "datafs"],
  ["import * as fs from 'fs'; fs.readFileSync()", "data"],
  ["import d, { readFileSync } from 'fs'; d.name + readFileSync()", "fsdata"],
  ["import d, * as ns from 'fs'; d === ns.default", true],
  ["import { 'string name' as s } from 'fs'; s", 7],
  ["import {} from 'fs'; 1", 1],
  ["import 'fs'; 1", 1],
  ["import fs from 'fs' with { type: 'x' }; fs.name", "fs"],
  ["import { absent } from 'fs'; absent", undefined],
  ["import/* a */fs/* b */from/* c */'fs'/* d */; fs.name", "fs"],
  ["#!/usr/bin/env node\nimport fs from 'fs'; fs.name", "fs"],
  ["'use strict'\nimport fs from 'fs'\n;(function () { return this })()", undefined],
  ["export const x = 1, { y } = { y: 2 }\nx + y", 3],
  ["export let a = 1;\nexport var b = 2;\na + b", 3],
  ["export function f() { return 5 }\nf()", 5],
  ["export async function f() {}; typeof f", "function"],
  ["export function* g() { yield 1 }; [...g()][0]", 1],
  ["export class A { x = 1 }\nnew A().x", 1],
  ["const v = f()\nexport default function f() { return 5 }\nv", 5],
  ["export default class A {}\nA.name", "A"],
  ["export default function () {}\n[1][0]", 1],
  ["export default class {}\n[1][0]", 1],
  ["export default async () => {}\n;1", 1],
  ["export default x => {}\n(5)", 5],
  ["let n = 0\nexport default (n++, n++);\nn", 2],
  ["let n = 0; export default { a: n++ }\nn", 1],
  ["let n = 0; export default n = 4\nn", 4],
  ["let n\nexport /* a */ default /* b */ (n = 4) // c\nn", 4],
  ["let a = 1, b = 2\nexport { a, b as c, a as 'string name' };\na + b", 3],
  ["let q = 1\nexport { q }\n(q)", 1],
  ["export * from 'fs'; 1", 1],
  ["export * as ns from 'fs'; 1", 1],
  ["export { readFileSync as x } from 'fs'; 1", 1],
  ["import.meta.url", "file:///workspace/main.js"],
  ["[import.meta.dirname, import.meta.filename].join()", "/workspace,/workspace/main.js"],
  ["import.meta.main && import.meta === import\n.meta", true],
  ["(function () { return this })() === globalThis; export {}", false],
];

Deno.test("modules: scripts written as modules run, and keep their lines", () => {
  for (const [code, value] of PROGRAMS) {
    const source = prepared(preparer, code);
    assertEquals(evaluate(source), value, `${code}\n${source.code}`);
    assertEquals(lines(source.code), lines(code), code);
  }
});

Deno.test("modules: imports are loaded before anything runs, in their order", () => {
  const code = [
    "use()",
    "function use() { value = fs.name + join('a', 'b') }",
    "var value",
    "import fs from 'fs'",
    "import { join } from 'path'",
    "value",
  ].join("\n");
  const { scope, loaded } = newScope();
  assertEquals(evaluate(prepared(preparer, code), scope), "fsa/b");
  assertEquals(loaded, ["fs", "path"]);
});

Deno.test("modules: an import after a line without a semicolon does not join that line", () => {
  const code = "let q = 1\nimport fs from 'fs'\n(fs.name)";
  assertEquals(evaluate(prepared(preparer, code)), "fs");
  const late = "let q = fs\nimport fs from 'fs'\n[q.name][0]";
  assertEquals(evaluate(prepared(preparer, late)), "fs");
});

Deno.test("modules: lines after multi-line imports keep their numbers", () => {
  const code = "import {\n  readFileSync,\r\n  default as d,\n} from 'fs'\nexport {\n d\n}\nnull.x";
  assertEquals(thrown(prepared(preparer, code)).line, 8);
});

const FAILURES: readonly (readonly [code: string, text: string, line: number])[] = [
  [
    "\n\nimport { nope } from 'fs'",
    "SyntaxError: The requested module 'fs' does not provide an export named 'nope'",
    3,
  ],
  [
    "import { readFileSync, x as y } from 'fs'",
    "SyntaxError: The requested module 'fs' does not provide an export named 'x'",
    1,
  ],
  [
    "export { 'a\"b' as c } from 'fs'",
    "SyntaxError: The requested module 'fs' does not provide an export named 'a\"b'",
    1,
  ],
  ["1\n\nimport 'nope'", "Error: Cannot find module 'nope'", 1],
  ["export * from 'it\\'s \\u2028'", "Error: Cannot find module 'it's \u2028'", 1],
  ["import fs from 'fs'\nfs = 1", "TypeError: Assignment to constant variable.", 2],
  ["export {}\nundeclared = 1", "ReferenceError: undeclared is not defined", 2],
];

Deno.test("modules: a module that cannot be linked fails as in Node", () => {
  for (const [code, text, line] of FAILURES) {
    const failure = thrown(prepared(preparer, code));
    // here the host's function reports a missing module
    assertEquals(failure.text, text);
    if (!text.includes("find module")) assertEquals(failure.line, line, code);
  }
});

Deno.test("modules: import() calls the guest, and does not make a script a module", async () => {
  const source = prepared(preparer, "import ( 'fs' ).then((m) => m.default.name)");
  assertEquals(source.code, "__belljar_import_async__ ( 'fs' ).then((m) => m.default.name)");
  assertEquals(await evaluate(source), "fs");
  const nested =
    "const f = () => import/* c */('path', { with: {} }); f().then((m) => m.join('a'))";
  assertEquals(await evaluate(prepared(preparer, nested)), "a");
  const awaited = "const { join } = await import('path')\njoin('a')";
  assertStringIncludes(prepared(preparer, awaited).code, "await __belljar_import_async__('path')");
});

Deno.test("modules: import.meta stays one object, and its name can be declared again", () => {
  const source = prepared(preparer, "import.meta.x = 1; import.meta.x");
  assertEquals(evaluate(source), 1);
  assertEquals(source.names, ["__belljar_import_meta__"]);
});

Deno.test("modules: import and export below the top level are left to QuickJS", () => {
  for (const code of ["if (1) { import fs from 'fs' }", "function f() { export {} }"]) {
    assertEquals(prepared(preparer, code).code, code);
  }
});

const ERRORS: readonly (readonly [code: string, message: string, place: string])[] = [
  ["import fs from 'fs'\nlet x = ;", "Unexpected token", "2:9"],
  ["import fs from 'fs'\nfoo(", "Unexpected token", "2:5"],
  ["export let a\nlet b c", "Unexpected token", "2:7"],
  ["import a b from 'c'", "Unexpected token", "1:10"],
  ["import 'a' 'b'", "Unexpected token", "1:12"],
  ["import 'a' 5", "Unexpected token", "1:12"],
  ["let a\nexport { a, a }", "Duplicate export 'a'", "2:13"],
];

Deno.test("modules: syntax errors of modules have a position, which QuickJS cannot give", () => {
  const both = newPreparer();
  for (const [code, message, place] of ERRORS) {
    assertEquals(refused(both, code), {
      name: "SyntaxError",
      message,
      traceback: [`SyntaxError: ${message}`, `    at main.js:${place}`],
      lineNumber: Number(place.split(":")[0]),
    });
  }
});
