import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { evaluate, newPreparer, prepared, refused, thrown, TYPESCRIPT } from "./preparer.ts";

const preparer = newPreparer();

/** Types only: stripping keeps every position. */
const ERASED: readonly (readonly [code: string, value: unknown])[] = [
  ["let a: number = 1; a", 1],
  ["interface A { x: number }\ntype B = A | null\n7", 7],
  ["7\ninterface A {}", 7],
  ["const f = <T,>(x: T, y?: number): T => x as T; f<number>(3)!", 3],
  ["const f = <T>(x: T) => x; f(4)", 4],
  ["function f<T extends object>(this: void, a: T): T { return a } f({ b: 5 }).b", 5],
  ["function o(a: string): string;\nfunction o(a: any) { return a }\no(5 as any)", 5],
  [
    "abstract class A { abstract m(): void; n(): number { return 1 } }\nclass B extends A { m() {} }\nnew B().n()",
    1,
  ],
  [
    "class A<T> implements I { x!: T; private readonly y = 2; static #z?: number; declare w: string; get v(): number { return this.y } }\ninterface I {}\nnew A().v",
    2,
  ],
  ["let v = { a: 1 } satisfies { a: number }; v!.a", 1],
  ["const c = [1, 2] as const; c[1]", 2],
  ["declare const z: number; declare module 'x' {}\ndeclare function g(): void; 1", 1],
  [
    "import type { A } from 'a'; import { type B, readFileSync } from 'fs'; readFileSync() as string",
    "data",
  ],
  ["export type X = 1; export interface Y {}\nexport type { X as Z }; 9", 9],
  ["import x, { type Y } from 'fs'; export { x, type Y }; x.name", "fs"],
  ["new Map<string, number[]>([['a', [1]]]).get('a')![0]", 1],
  ["let a: A<B<C<D>>> = 1; a", 1],
  ["try { throw 1 } catch (e: unknown) { var q = e as number }\nq", 1],
  ["for (const x of [1, 2] as number[]) { var last: number = x }\nlast", 2],
  ["let u: unique symbol = 5 as any\nu", 5],
  ["let t: `a${string}` = 'ab'; t", "ab"],
  ["type F = (a: number, ...r: string[]) => asserts a is 1; let n: F | undefined; n", undefined],
  ["let é: string = '😀'; let x: number = é.length; x", 2],
  ["label: for (const a of [1] as number[]) { break label }\n1", 1],
  ["(async <T>(x: T): Promise<T> => x)(1) instanceof Promise", true],
  ["var x = (y: number): number =>\n  y\nx(3)", 3],
  ["export default interface A {}\n9", 9],
  ["function f(a?) { return a } f(1)", 1],
  ['let [a, b]: [number, string] = [1, "x"]; a', 1],
  ["var { a, ...rest }: { a: number; b: number } = { a: 1, b: 2 }; rest.b", 2],
  ["let i = 0; for (let [k]: [number] = [3]; i < 1; i++) { var last = k }\nlast", 3],
  ["function f(this: any) { return 1 }\nf()", 1],
  ["class C { m(this: C, n: number) { return n } }\nnew C().m(4)", 4],
  ["const o = { m(this: { v: number }) { return this.v }, v: 5 }\no.m()", 5],
  ["const f = function (this: void, a: number) { return a }\nf(6)", 6],
  ["class C { get v(this: C) { return 7 } }\nnew C().v", 7],
];

Deno.test("TypeScript: types are replaced by spaces", () => {
  for (const [code, value] of ERASED) {
    const source = prepared(preparer, code);
    assertEquals(evaluate(source), value, `${code}\n${source.code}`);
    assertEquals(source.code.split("\n").length, code.split("\n").length, code);
    assert(source.hasValue, code);
  }
});

Deno.test("TypeScript: a stripped source that is not a module keeps every column", () => {
  const source = prepared(
    preparer,
    "let a: number = 1, b: A<B> = f<C>(2); function f(x?: any) { return x }",
  );
  assertEquals(
    source.code,
    "let a         = 1, b       = f   (2); function f(x      ) { return x }",
  );
  assertEquals([...source.names].sort(), ["a", "b", "f"]);
  assertEquals(source.hasValue, false);
});

/** Syntax that needs code: the program is rewritten. */
const TRANSFORMED: readonly (readonly [code: string, value: unknown])[] = [
  ["enum E { A, B = 5, C, D = 'd' }\nE.C + E[5] + E.D", "6Bd"],
  ["const enum E { A = 3 }\nE.A", 3],
  ["enum A { x }\nenum A { y = 5 }\nA[0] + A[5]", "xy"],
  ["enum A { x = 1 << 2, y = x | 1, z = 'abc'.length }\n[A.x, A.y, A.z].join()", "4,5,3"],
  ["namespace N { export const v = 3; const hidden = 1 }\nN.v", 3],
  ["namespace A.B.C { export let q = 1 }\nA.B.C.q", 1],
  ["namespace A { export namespace B { export const z = 5 } }\nimport Q = A.B;\nQ.z", 5],
  [
    "class P { constructor(public x: number, private readonly y = 2) {} sum() { return this.x + this.y } }\nnew P(4).sum()",
    6,
  ],
  ["let a = <any>5; a", 5],
  ["import fs = require('fs'); fs.name", "fs"],
  ["enum E { A }\nimport fs from 'fs'\nexport const x = fs.name\nx", "fs"],
  ["if (true) { enum Z { A = 'q' } }\n1", 1],
];

Deno.test("TypeScript: enums, namespaces and parameter properties work", () => {
  for (const [code, value] of TRANSFORMED) {
    const source = prepared(preparer, code);
    assertEquals(evaluate(source), value, `${code}\n${source.code}`);
    assert(source.hasValue, code);
  }
});

Deno.test("TypeScript: a statement that is not an expression in the source has no value", () => {
  const valueless = [
    "enum E { A }",
    "namespace N { export let a = 1 }\nlet x = N.a",
    "let q = 5; export = q",
  ];
  for (const code of valueless) assertEquals(prepared(preparer, code).hasValue, false, code);
  const namespace = prepared(preparer, "namespace N { export let a = 1 }");
  assertEquals(evaluate(namespace), undefined);
});

Deno.test("TypeScript: enums and namespaces declare names that a later run can use and extend", () => {
  const first = prepared(preparer, "enum E { A }\nnamespace N { export let a = 1 }");
  assertEquals([...first.names].sort(), ["E", "N"]);
  const later = prepared(preparer, "enum E { B = 7 }\nE.B + E[0]");
  assertStringIncludes(later.code, "E || {}");
});

const LINES: readonly (readonly [code: string, line: number])[] = [
  ["interface A {\n  x: number\n}\nthrow new Error('x')", 4],
  ["import {\n  type B,\n  readFileSync\n} from 'fs'\nnull!.x", 5],
  ["enum E {\n  A,\n  B,\n}\n\n\nnull!.x", 7],
  ["enum E { A }\n\n\nfunction boom(): never {\n\n  throw new Error('x')\n}\n\nboom()", 6],
  [
    "class P {\n  constructor(public x: number) {\n    // comment\n    null!.x\n  }\n}\n\nnew P(1)",
    4,
  ],
  ["namespace N {\n  const a = 1\n\n  export const v: number = undefined!.x\n}", 4],
  [
    "enum E { A }\nimport {\n readFileSync,\n default as fs } from 'fs'\n\nexport const x: any = null!.x",
    6,
  ],
  ["enum E { A }\nconst o: any = {\n  a: 1,\n  b() {\n    return this.c.d\n  },\n}\no.b()", 5],
  ["type T =\n | 1\n | 2\nconst f = (\n  a: T,\n): T => {\n  throw a\n}\nnull!.x", 9],
];

Deno.test("TypeScript: errors at run time name the submitted line", () => {
  for (const [code, line] of LINES) assertEquals(thrown(prepared(preparer, code)).line, line, code);
});

Deno.test("TypeScript: generated lines beyond the map have a line too", () => {
  const source = prepared(preparer, "\n\nenum E { A }\nE.A");
  for (const line of [0, 1, 5, 6, 7, 8, 1000]) {
    const mapped = source.lineOf(line);
    assert(mapped >= 1 && mapped <= 4, `${line} → ${mapped}`);
  }
  const given = [...Array(source.code.split("\n").length).keys()].map((at) =>
    source.lineOf(at + 1)
  );
  assertEquals(given, given.toSorted((a, b) => a - b));
});

const ERRORS: readonly (readonly [code: string, message: string, place: string])[] = [
  ["let a: number = ;", "Expression expected", "1:17"],
  ["let x: string = 'a';\n\nlet y: A<B> = );", "Expression expected", "3:15"],
  ["enum E { A }\nlet y = ;", "Expression expected", "2:9"],
  ["@dec class A { x: number }", "Decorators are not supported", "1:1"],
  ["class A {\n  @dec m(): void {}\n}", "Decorators are not supported", "2:3"],
  ["let x: any = <div>hi</div>", "JSX is not supported", "1:22"],
];

Deno.test("TypeScript: syntax errors have a position and a plain message", () => {
  for (const [code, message, place] of ERRORS) {
    assertEquals(refused(preparer, code), {
      name: "SyntaxError",
      message,
      traceback: [`SyntaxError: ${message}`, `    at main.ts:${place}`],
      lineNumber: Number(place.split(":")[0]),
    }, code);
  }
});

Deno.test("JavaScript: decorators and JSX are refused by name", () => {
  const refusals: readonly (readonly [string, string, number])[] = [
    ["@dec\nclass A {}", "Decorators are not supported", 1],
    ["let a\nlet x = <div>hi</div>;", "JSX is not supported", 2],
    ["f(<>a</>)", "JSX is not supported", 1],
    ["f(\n  <Foo.Bar a={1} b />,\n)", "JSX is not supported", 2],
  ];
  for (const [code, message, line] of refusals) {
    const { lineNumber, ...error } = refused(preparer, code);
    assertEquals([error.name, error.message, lineNumber], ["SyntaxError", message, line], code);
  }
});

Deno.test("JavaScript: text that looks like JSX is not mistaken for it", () => {
  const scripts = [
    "let s = '<b>hi</b>' let t",
    "let s = `${1}<b>` 5",
    "let s = '<br/>' )",
    "for (let i = 0; i <n && m> x ) {",
  ];
  for (const code of scripts) assertEquals(prepared(preparer, code).code, code);
});

Deno.test("TypeScript: with the flag, types that are also JavaScript are stripped, and plain JavaScript is accepted", () => {
  const generic = "let a = (x) => x, b; a<b>(5)";
  assertEquals(prepared(preparer, generic).code, generic);
  assertEquals(evaluate(prepared(preparer, generic, TYPESCRIPT)), 5);
  const scripts: readonly (readonly [string, unknown])[] = [
    ["1 + 1", 2],
    ["var q = 010; with ({ q }) q", 8],
    ["#!/usr/bin/env node\nlet a: number = 1; a", 1],
    ["import fs from 'fs'; fs.name", "fs"],
  ];
  for (const [code, value] of scripts) {
    assertEquals(evaluate(prepared(preparer, code, TYPESCRIPT)), value, code);
  }
  assertEquals(refused(preparer, "let y = ;", TYPESCRIPT).traceback.at(-1), "    at main.ts:1:9");
});

const TYPE_ARGUMENTS: readonly (readonly [code: string, isTypeScript: boolean])[] = [
  ['new Set<string>(["a"]).size', true],
  ["f<T>(1)", true],
  ["a.b.f<T>(1)", true],
  ["f<ns.T>(1)", true],
  ["f<A, Date>(1)", true],
  ["f<Array<T>>(1)", true],
  ["f<{ a: string }>(1)", true],
  ["f<'a' | T>(1)", true],
  ["f<T>`x`", true],
  ["let T, f; f<T>(1)", false],
  ["function f(T) { return f<T>(1) }", false],
  ["class T {} f<T>(1)", false],
  ["import T from 'fs'; f<T>(1)", false],
  ["({ T } = {}); f<T>(1)", false],
  ["try {} catch (T) { f<T>(1) }", false],
  ["new Map<Date>(1)", false],
  ["f<undefined>(1)", false],
  ["f<{ string: Date }>(1)", false],
  ["f<Date.T>(1)", false],
  ["a < b > (c)", false],
  ["f<T> (1)", false],
  ["f<T>1", false],
  ["'f<T>(1)'", false],
  ["/f<T>(1)/", false],
  ["a<b && c>(d)", false],
  ["a<b, c >= (d)", false],
  ["i<n; x>(y)", false],
];

Deno.test("TypeScript: a<T>(…) is a call when the script does not know T", () => {
  for (const [code, isTypeScript] of TYPE_ARGUMENTS) {
    const source = prepared(preparer, code);
    if (code.startsWith("import")) assertStringIncludes(source.code, "f<T>(1)");
    else assertEquals(source.code !== code, isTypeScript, code);
  }
});
