import { assertEquals } from "@std/assert";
import {
  MODULE_THIS_NAME,
  RETURN_NAME,
  SCRIPT_THIS_NAME,
} from "../../../../../runtimes/languages/javascript/host/loader_names.ts";
import { prepared, scriptPreparer } from "./preparer.ts";

const T = SCRIPT_THIS_NAME;
const M = MODULE_THIS_NAME;
const R = RETURN_NAME;

const SCRIPTS: readonly (readonly [code: string, expected: string])[] = [
  ["this", T],
  [
    "f(this.a, [this], `${this}`, { ...this, this: 1 })",
    `f(${T}.a, [${T}], \`\${${T}}\`, { ...${T}, this: 1 })`,
  ],
  ["() => this; async x => { this }", `() => ${T}; async x => { ${T} }`],
  ["(a = this) => 1", `(a = ${T}) => 1`],
  [
    "class A extends this.B { [this.c] = this; static { this } }",
    `class A extends ${T}.B { [${T}.c] = this; static { this } }`,
  ],
  ["return", `throw ${R}`],
  ["return 5;", `throw( 5,${R});`],
  ["if (a) return\nelse return(b)\n", `if (a) throw ${R}\nelse throw((b,${R}))\n`],
  ["return {\n a: this\n}\n", `throw( {\n a: ${T}\n},${R})\n`],
  ["try { return } finally { return 1 }", `try { throw ${R} } finally { throw( 1,${R}) }`],
  ["try { f() } catch { return a, b }", `try { f() } catch { throw( a, b,${R}) }`],
  ["import(this); return", `__belljar_import_async__(${T}); throw ${R}`],
];

/** Code with its own `this` or `return`, or with one that is not allowed. */
const UNTOUCHED: readonly string[] = [
  "function f() { return this }",
  "x = { m() { return this }, get g() { return this }, f: function () { this } }",
  "class A { a = this; #b = () => this; static c = this; m() { return this } }",
  "() => { return 1 }",
  "o.this = o.return = { this: 1, return: 2 }",
  "'this'; `return`; // return this",
  "try { return } catch {}",
  "try { if (a) { for (;;) return } } catch {} finally {}",
];

Deno.test("source: `this` and `return` at the top level are those of Node's module", () => {
  const preparer = scriptPreparer();
  for (const [code, expected] of SCRIPTS) assertEquals(prepared(preparer, code).code, expected);
  for (const code of UNTOUCHED) assertEquals(prepared(preparer, code).code, code);
});

Deno.test("source: in a context `this` is the global object, and `return` is not allowed", () => {
  const preparer = scriptPreparer();
  for (const [code] of SCRIPTS.slice(0, -1)) {
    const preparation = preparer.prepare(code, { typescript: false, inContext: true });
    assertEquals(preparation.ok && preparation.source.code, code);
  }
});

Deno.test("source: a module has no `this` and no `return`", () => {
  const code = "export {}; () => this; return this";
  assertEquals(prepared(scriptPreparer(), code).code, `'use strict';; () => ${M}; return ${M}`);
});

Deno.test("source: many nested `this` and `return` are found in bounded time", () => {
  const preparer = scriptPreparer();
  const code = "if(this)return this;".repeat(3000);
  const expected = `if(${T})throw( ${T},${R});`.repeat(3000);
  assertEquals(prepared(preparer, code).code, expected);
});
