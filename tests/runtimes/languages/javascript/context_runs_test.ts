/** Programs that run one after the other in the same guest, as in a context. */
import { assertEquals, assertLess, assertMatch } from "@std/assert";
import type { Ending } from "../../../../runtimes/engine/engine.ts";
import { runInTurn } from "./guest/support.ts";

function shown(ending: Ending): string {
  switch (ending.kind) {
    case "text":
      return ending.text;
    case "json":
      return ending.json;
    case "error":
      return `${ending.error.name}: ${ending.error.message}`;
    default:
      return ending.kind;
  }
}

/** Runs programs in turn and checks the outcome of each. */
async function expectInTurn(steps: readonly (readonly [string, string])[]): Promise<void> {
  const outcomes = await runInTurn(steps.map(([code]) => code));
  assertEquals(outcomes.map(({ ending }) => shown(ending)), steps.map(([, value]) => value));
}

Deno.test("contexts: each kind of declaration can follow each other kind", async () => {
  const declarations: Readonly<Record<string, (value: string) => string>> = {
    let: (value) => `let x = () => "${value}"`,
    const: (value) => `const { x } = { x: () => "${value}" }`,
    var: (value) => `var x = () => "${value}"`,
    function: (value) => `function x() { return "${value}" }`,
    class: (value) => `class x { static value = "${value}" }`,
  };
  for (const [first, declareFirst] of Object.entries(declarations)) {
    for (const [second, declareSecond] of Object.entries(declarations)) {
      const read = `let found = x.value ?? x(); found`;
      await expectInTurn([
        [declareFirst("one"), "none"],
        [read, "'one'"],
        [declareSecond("two"), "none"],
        [read, "'two'"],
        [`${declareFirst("three")}; x.value ?? x()`, "'three'"],
        [`(() => ["${first}", "${second}"])()`, JSON.stringify([first, second])],
      ]);
    }
  }
});

Deno.test("contexts: functions see the latest declaration of a name", async () => {
  await expectInTurn([
    [
      "let rate = 2; const price = (n) => n * rate; function twice(n) { return 2 * price(n) }",
      "none",
    ],
    ["twice(10)", "40"],
    ["const rate = 3; twice(10)", "60"],
    ["let rate = 4, price = (n) => n + rate; twice(10)", "28"],
    ["rate = 5", "5"],
    ["twice(10)", "30"],
  ]);
});

Deno.test("contexts: a constant stays constant, and a variable of `eval` or of a block is not shared", async () => {
  await expectInTurn([
    ["const limit = 1; { let inner = 2 } eval('let local = 3'); 0", "0"],
    ["limit = 2", "TypeError: 'limit' is read-only"],
    ["[limit, typeof inner, typeof local]", '[1,"undefined","undefined"]'],
  ]);
});

Deno.test("contexts: imports can be repeated, and named anew", async () => {
  await expectInTurn([
    ["import fs from 'fs'; import { join } from 'path'; join('a', typeof fs)", "'a/object'"],
    ["import fs, { existsSync } from 'fs'; existsSync('/workspace')", "true"],
    ["import * as path from 'path'; import { join } from 'path'; join === path.join", "true"],
    ["const fs = require('fs'); typeof fs.readFileSync", "'function'"],
    ["import { existsSync as fs } from 'fs'; typeof fs", "'function'"],
    ["const url = import.meta.url; url", "'file:///workspace/main.js'"],
    ["const url = import.meta.filename; url", "'/workspace/main.js'"],
  ]);
});

Deno.test("contexts: a script that does not compile leaves everything as it was", async () => {
  await expectInTurn([
    ["let a = 1; const b = [2]; class C { static c = 3 }", "none"],
    ["let a = 10; const b = ;", "SyntaxError: unexpected token in expression: ';'"],
    ["let a = 10, a = 11;", "SyntaxError: invalid redefinition of lexical identifier"],
    [
      "class C {} const b = /(/; 1",
      "SyntaxError: expecting ')'",
    ],
    ["[a, b[0], C.c]", "[1,2,3]"],
  ]);
});

Deno.test("contexts: an error halfway keeps new declarations, and old names that were not redeclared", async () => {
  await expectInTurn([
    ["let a = 1; let b = 2; const c = 3", "none"],
    ["let a = 10; fail(); let b = 20; const c = 30, d = 40", "ReferenceError: fail is not defined"],
    ["[a, b, c]", "[10,2,3]"],
    ["d", "ReferenceError: d is not defined"],
    ["await null; let b = 21; await Promise.reject(new Error('no')); const c = 31", "Error: no"],
    ["b + c", "24"],
    ["let b = (() => { throw new Error('no value') })()", "Error: no value"],
    ["let c = 4, d = a + c; process.exit(0); let b = 5", "none"],
    ["c = c + 1; [b, c, d]", "[21,5,14]"],
    ["var v = 7; const w = v.x.y", "TypeError: cannot read property 'y' of undefined"],
    ["let w = 8; v + w", "15"],
  ]);
});

Deno.test("contexts: a kept constant is still constant", async () => {
  await expectInTurn([
    ["const c = 1", "none"],
    ["fail(); let c = 2", "ReferenceError: fail is not defined"],
    ["c = 3", "TypeError: 'c' is read-only"],
    ["c", "1"],
  ]);
});

Deno.test("contexts: pending work of a run is not part of the next", async () => {
  const outcomes = await runInTurn([
    "Promise.resolve().then(() => console.log('job')); process.nextTick(console.log, 'tick');" +
    "setTimeout(console.log, 1, 'timer'); setImmediate(console.log, 'immediate'); fail()",
    "console.log('second')",
    "setInterval(console.log, 1, 'interval').unref(); Promise.reject(new Error('left')); 1",
    "await new Promise((resolve) => setTimeout(resolve, 100)); console.log('fourth')",
    "queueMicrotask(() => console.log('never')); process.exit(0)",
    "await new Promise((resolve) => setTimeout(resolve, 100)); console.log('sixth')",
  ]);
  assertEquals(outcomes.map(({ stdout }) => stdout), [
    ...["", "second\n", "", "fourth\n", "", "sixth\n"],
  ]);
  assertEquals(outcomes.map(({ ending }) => shown(ending)), [
    "ReferenceError: fail is not defined",
    ...["none", "Error: left", "none", "none", "none"],
  ]);
});

Deno.test("contexts: promises, generators and timers of the program continue in later runs", async () => {
  await expectInTurn([
    ["let open; const opened = new Promise((resolve) => { open = resolve }); 0", "0"],
    ["function* count() { let n = 0; while (true) yield ++n } const counter = count(); 0", "0"],
    ["setTimeout(open, 50, 'open'); await opened", "'open'"],
    ["counter.next().value + counter.next().value", "3"],
    ["[await opened, counter.next().value]", '["open",3]'],
  ]);
});

Deno.test("contexts: frames and line numbers identify their script", async () => {
  const outcomes = await runInTurn([
    "function check(n) {\n  if (n > 1)\n    throw new RangeError('too many')\n  return n\n}",
    "check(1)",
    "\n\n\n  check(2)",
    "enum Size { Small }\nconst size: Size = Size.Small\n\ncheck(2 + (size as number))",
  ]);
  const errors = outcomes.map(({ ending }) => ending.kind === "error" ? ending.error : undefined);
  assertEquals(errors.map((error) => error?.lineNumber), [undefined, undefined, 4, 4]);
  const traceback = errors[2]?.traceback.join("\n") ?? "";
  assertMatch(
    traceback,
    /^RangeError: too many\n {4}at check \(main\.js:3:\d+\)\n {4}at main-3\.js:4:\d+$/,
  );
});

Deno.test("contexts: values of earlier runs are not held", async () => {
  const big = "((kept) => () => kept)(new Uint8Array(6 << 20).fill(1))";
  const programs = [
    big,
    `await Promise.resolve(${big})`,
    `throw ${big}`,
    `Promise.reject(${big}); 1`,
    `queueMicrotask(() => { throw ${big} }); ${big}`,
    `process.once("uncaughtException", () => {}); throw ${big}`,
  ];
  const outcomes = await runInTurn(Array.from({ length: 4 }, () => programs).flat());
  const [first] = outcomes;
  assertEquals(outcomes.map(({ ending }) => ending.kind === "limit"), outcomes.map(() => false));
  assertLess(outcomes.at(-1)?.memoryBytes ?? Infinity, (first?.memoryBytes ?? 0) + (16 << 20));
});

Deno.test("contexts: numbers that jobs throw are errors of the run, integers too", async () => {
  await expectInTurn([
    ...[3, 1e10, 0.5, -1, 2 ** 53].flatMap((n): [string, string][] => [
      [`queueMicrotask(() => { throw ${n} }); 1`, `Error: ${n}`],
      [`process.on("uncaughtException", (e) => { globalThis.seen = e }); 1`, "1"],
      [`queueMicrotask(() => { throw ${n} }); 2`, "2"],
      [`process.removeAllListeners("uncaughtException"); [seen]`, `[${n}]`],
    ]),
  ]);
});

Deno.test("contexts: standard streams that a run used up work again in the next", async () => {
  const lines = "require('readline').createInterface({ input: process.stdin })" +
    ".on('line', console.log).on('close', () => console.log('closed')); 0";
  const outcomes = await runInTurn([
    "require('stream').Readable.from(['piped\\n']).pipe(process.stdout); 0",
    "process.stdout.write('after\\n'); 0",
    lines,
    lines,
    "process.stdout.end('bye\\n'); process.stderr.end(); 0",
    "process.stdout.write('again\\n', () => console.error('written')); 0",
  ]);
  assertEquals(outcomes.map(({ stdout }) => stdout), [
    ...["piped\n", "after\n", "closed\n", "closed\n", "bye\n", "again\n"],
  ]);
  assertEquals(outcomes.at(-1)?.stderr, "written\n");
});

Deno.test("contexts: code that a run leaves to hinder the next is metered", async () => {
  const poison = "Object.defineProperty(process.stdout, 'writable', { get() { for (;;); } });" +
    "Object.defineProperty(Object.prototype, 'get', { get() { for (;;); }, configurable: true });" +
    "process.stdout.end(); 0";
  const outcomes = await runInTurn([poison, "1"]);
  assertEquals(outcomes.map(({ ending }) => ending.kind === "crash"), [false, false]);
});
