import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createJavaScriptEngine } from "../../../../runtimes/languages/javascript/create.ts";
import type { JavaScriptEngine } from "../../../../runtimes/languages/javascript/engine.ts";
import { MAX_DISPLAYS, MEMORY_BYTES, SHARED_LIMITS } from "../../../../shared/limits.ts";
import { builtIsolate, TEST_STACK_BYTES } from "../../../support/built.ts";
import { type Program, type Ran, runOn, WIDE_LIMITS } from "../../../support/engine_runs.ts";

let engine: Promise<JavaScriptEngine> | undefined;

async function make(): Promise<JavaScriptEngine> {
  const { artifact } = await builtIsolate("javascript");
  const memoryBytes = MEMORY_BYTES.javascript;
  return await createJavaScriptEngine({ ...artifact, memoryBytes, stackBytes: TEST_STACK_BYTES });
}

async function runIn(code: string, options: Partial<Program> = {}): Promise<Ran> {
  engine ??= make();
  return runOn(await engine, { code, limits: WIDE_LIMITS, ...options });
}

async function run(code: string, options: Partial<Program> = {}): Promise<Ran> {
  engine ??= make();
  (await engine).reset();
  return await runIn(code, options);
}

const S = "const S = Symbol.for('Jupyter.display');\n";
const shown = ({ displays }: Ran): unknown[] => displays.map((json) => JSON.parse(json));

Deno.test("javascript displays: an object shows the bundle of its method, a plain value its text", async () => {
  const ran = await run(`${S}
display({ [S]() { return { "text/html": "<b>1</b>", "application/json": { a: [1] } } } });
display(class { static [S]() { return { "text/plain": "class" } } });
display({ a: 1 }); display("text"); display(null); display(undefined); display(7n)`);
  assertEquals(shown(ran), [
    { data: { "text/html": "<b>1</b>", "application/json": { a: [1] } } },
    { data: { "text/plain": "class" } },
    ...["{ a: 1 }", "'text'", "null", "undefined", "7n"].map((text) => ({
      data: { "text/plain": text },
    })),
  ]);
  assertEquals(ran.ending, { kind: "none" });
});

Deno.test("javascript displays: bytes are base64, and known images are recognised", async () => {
  const ran = await run(`${S}
const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1);
display({ [S]: () => ({ "image/png": png, "image/gif": png.buffer, "a/b": new DataView(png.buffer, 1, 1) }) });
display(png); display(Uint8Array.of(0xff, 0xd8, 0xff)); display(Uint8Array.of(1))`);
  const base64 = "iVBORw0KGgoB";
  assertEquals(shown(ran), [
    { data: { "image/png": base64, "image/gif": base64, "a/b": "UA==" } },
    { data: { "image/png": base64 } },
    { data: { "image/jpeg": "/9j/" } },
    { data: { "text/plain": "Uint8Array(1) [ 1 ]" } },
  ]);
});

Deno.test("javascript displays: the program's value is the last one, and main", async () => {
  const ran = await run(`${S}
class Table { rows = [1]; [S]() { return { "text/html": "<table>" } } }
display(1);
setTimeout(() => display(2), 10);
new Table()`);
  assertEquals(shown(ran), [
    { data: { "text/plain": "1" } },
    { data: { "text/plain": "2" } },
    { data: { "text/html": "<table>" }, main: true },
  ]);
  assertEquals(ran.ending, { kind: "json", json: '{"rows":[1]}' });
});

Deno.test("javascript displays: a method that returns a promise is awaited, also of the value", async () => {
  const later = `async [S]() {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    return { "text/html": String(n++) };
  }`;
  const ran = await run(`${S}let n = 0; const later = { n: 1, ${later} };
console.log(display(1), display(later) instanceof Promise);
await display(later); later`);
  assertEquals(shown(ran), [
    { data: { "text/plain": "1" } },
    { data: { "text/html": "0" } },
    { data: { "text/html": "1" } },
    { data: { "text/html": "2" }, main: true },
  ]);
  assertEquals([ran.stdout, ran.ending], ["undefined true\n", { kind: "json", json: '{"n":1}' }]);
});

Deno.test("javascript displays: a mistake of a method is the guest's error, for the value too", async () => {
  const cases = [
    ["() => { throw new RangeError('mine') }", "mine"],
    ["() => Promise.reject(new Error('mine'))", "mine"],
    ["async () => 7", "must return an object"],
    ["() => 'text'", "must return an object"],
    ["() => ({ html: 1 })", "media types"],
    ["() => Object.fromEntries(Array.from({ length: 33 }, (_, i) => ['a/' + i, 1]))", "at most 32"],
    ["() => { const a = {}; a.a = a; return { 'a/b': a } }", "circular"],
    ["() => ({ 'a/b': 1n })", "BigInt"],
    ["() => ({ get 'a/b'() { throw new Error('mine') } })", "mine"],
    ["() => ({ 'a/b': { toJSON() { throw new Error('mine') } } })", "mine"],
    [
      "() => { let a = 1; for (let i = 0; i < 300; i++) a = [a]; return { 'a/b': a } }",
      "too deeply",
    ],
    ["() => new Proxy({}, { ownKeys() { throw new Error('mine') } })", "mine"],
  ] as const;
  for (const [method, message] of cases) {
    for (const use of ["display(hostile)", "hostile"]) {
      const { ending, displays } = await run(`${S}const hostile = { [S]: ${method} };\n${use}`);
      assert(ending.kind === "error", `${method}: ${JSON.stringify(ending)}`);
      assertStringIncludes(ending.error.message, message);
      assertEquals(displays, []);
    }
  }
});

Deno.test("javascript displays: a value without the method is not shown", async () => {
  const cases = [
    "new Proxy({}, { get: () => () => ({ 'text/html': 1 }) })",
    "(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy })()",
    "({ [S]: 7 })",
    "({ [S]: () => undefined })",
    "({ [S]: () => null })",
    "({ [S]: () => ({}) })",
    "({ [S]: () => ({ 'a/b': undefined, 'a/c': () => 1, 'a/d': null }) })",
    "({ [S]: () => new Promise(() => {}) })",
    "(() => { const a = {}; return Object.setPrototypeOf(a, new Proxy(a, {})) })",
  ];
  for (const code of cases) {
    const { displays, ending } = await run(`${S}${code}`);
    assertEquals([displays, ending.kind === "error"], [[], false], code);
  }
  const through = await run(`${S}new Proxy({ [S]() { return { "a/b": this.x } }, x: 1 }, {})`);
  assertEquals(shown(through), [{ data: { "a/b": 1 }, main: true }]);
});

Deno.test("javascript displays: over the limits the run continues, and ends with that limit", async () => {
  for (
    const [code, count] of [
      ["for (let i = 0; i < 1000; i++) display(i)", MAX_DISPLAYS],
      [
        `display({ [S]: () => ({ "a/b": "x".repeat(${
          2 * SHARED_LIMITS.displayBytes
        }) }) }); display(1)`,
        0,
      ],
      [
        `const half = { [S]: () => ({ "a/b": "x".repeat(${
          SHARED_LIMITS.displayBytes / 2 - 100
        }) }) };
         for (let i = 0; i < 3; i++) display(half)`,
        2,
      ],
    ] as const
  ) {
    const { displays, ending, stdout } = await run(`${S}${code}; console.log("after"); 1`);
    assertEquals([displays.length, stdout], [count, "after\n"]);
    assertEquals(ending, { kind: "limit", limit: "display", traceback: [] });
  }
});

Deno.test("javascript displays: one without end ends by fuel", async () => {
  const limits = { ...WIDE_LIMITS, fuel: 500_000_000 };
  for (
    const code of [
      "({ [S]() { for (;;); } })",
      "for (;;) display(1)",
      "({ [S]: () => new Proxy({}, { ownKeys() { for (;;); } }) })",
    ]
  ) {
    const { ending } = await run(`${S}${code}`, { limits });
    assertEquals(ending.kind === "limit" && ending.limit, "fuel");
  }
});

Deno.test("javascript displays: programs may have a display of their own, also in contexts", async () => {
  const inContext = { inContext: true };
  for (
    const code of [
      "let display = 5; display",
      "const display = 5; display",
      "var display = 5; display",
      "function display() { return 5 } display()",
      "class display { static x = 5 } display.x",
      "display = 5; display",
      "delete globalThis.display; typeof display === 'undefined' ? 5 : 0",
      "(() => { const display = 5; return display })()",
      "({ display: 5 }).display",
    ]
  ) {
    for (const options of [{}, inContext]) {
      const { ending } = await run(code, options);
      assertEquals(ending, { kind: "text", text: "5" }, code);
    }
  }
  await run("let display = 5;", inContext);
  assertEquals((await runIn("let display = 6; display", inContext)).ending, {
    kind: "text",
    text: "6",
  });
});

Deno.test("javascript displays: replaced built-ins change nothing", async () => {
  const ran = await run(`${S}
const value = { [S]: () => ({ "text/html": "x", "a/b": [1] }) };
const evil = () => { throw new Error("evil") };
JSON.stringify = JSON.parse = Symbol.for = Object.keys = Map.prototype.get = evil;
Reflect.get = Reflect.apply = Promise.prototype.then = RegExp.prototype.exec = evil;
String.prototype.slice = String.prototype.toUpperCase = Array.prototype.push = evil;
globalThis.Symbol = globalThis.JSON = globalThis.Promise = globalThis.Uint8Array = evil;
Object.defineProperty(Array.prototype, 0, { set: evil, get: evil, configurable: true });
Object.defineProperty(Object.prototype, "main", { get: evil, configurable: true });
Object.prototype.get = Object.prototype.value = evil;
display(value); display(1); value`);
  assertEquals(ran.ending.kind, "json", JSON.stringify(ran.ending));
  const data = { "text/html": "x", "a/b": [1] };
  assertEquals(shown(ran), [{ data }, { data: { "text/plain": "1" } }, { data, main: true }]);
});

Deno.test("javascript displays: the program's own writes to the device do not join others", async () => {
  const ran = await run(`const fs = require("node:fs");
fs.writeFileSync("/dev/display", '{"data":{"a/b":1}}\\n{"data"');
display(2)`);
  assertEquals(shown(ran), [{ data: { "a/b": 1 } }, { data: { "text/plain": "2" } }]);
});
