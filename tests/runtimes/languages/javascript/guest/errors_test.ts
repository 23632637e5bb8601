/** Errors that end a run, and the stacks guests see. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { errorOf, runGuest, valueOf } from "./support.ts";

Deno.test("errors: the traceback has a header and the guest's own frames", async () => {
  const error = await errorOf(`
function inner() {
  throw new RangeError("bad");
}
class Box { open() { inner(); } }
new Box().open();`);
  assertEquals(error, {
    name: "RangeError",
    message: "bad",
    traceback: [
      "RangeError: bad",
      "    at inner (main.js:3:9)",
      "    at open (main.js:5:22)",
      "    at main.js:6:11",
    ],
    lineNumber: 3,
  });
});

Deno.test("errors: the name is the error's own, or that of its class", async () => {
  const cases = [
    ["class MyError extends Error {}; throw new MyError('m')", "MyError"],
    ["class A extends TypeError {}; class B extends A {}; throw new B('m')", "B"],
    ["class E extends Error { name = 'Named' }; throw new E('m')", "Named"],
    ["class E extends Error { get name() { return 'Got' } }; throw new E('m')", "Got"],
    ["throw Object.assign(new Error('m'), { name: 'Set' })", "Set"],
    ["throw Object.assign(new Error('m'), { name: 5 })", "Error"],
    ["throw new DOMException('m', 'AbortError')", "AbortError"],
    ["throw new AggregateError([], 'm')", "AggregateError"],
    ["null.x", "TypeError"],
    ["nowhere", "ReferenceError"],
  ];
  for (const [code = "", name = ""] of cases) assertEquals((await errorOf(code)).name, name, code);
});

Deno.test("errors: a class that sets its name after super is shown under that name", async () => {
  const code = `
class ValidationError extends Error {
  constructor(message, field) { super(message); this.name = "ValidationError"; this.field = field; }
}
const error = new ValidationError("bad", "email");
console.log(error.stack);
console.log(error);
throw error;`;
  const { stdout, ending } = await runGuest(code);
  const stack = "ValidationError: bad\n    at main.js:5:19";
  assertEquals(stdout, `${stack}\n${stack} {\n  field: 'email'\n}\n`);
  assertEquals(ending.kind === "error" && ending.error.traceback, [
    "ValidationError: bad",
    "    at main.js:5:15 {",
    "  field: 'email'",
    "}",
  ]);
});

Deno.test("errors: causes and collected errors are shown", async () => {
  const { traceback, lineNumber } = await errorOf(`
try {
  JSON.parse("{");
} catch (cause) {
  throw new Error("outer", { cause });
}`);
  assertEquals(traceback[0], "Error: outer");
  assertEquals(lineNumber, 5);
  assertEquals(traceback.some((line) => line.startsWith("  [cause]: SyntaxError: ")), true);
  const aggregate = await errorOf("throw new AggregateError([new Error('a'), 2], 'both')");
  assertEquals(aggregate.traceback.includes("  [errors]: ["), true);
});

Deno.test("errors: the line is known for syntax errors, jobs, timers and evaluated code", async () => {
  const cases: readonly (readonly [code: string, line: number])[] = [
    ["let a = 1;\nlet b = ;", 2],
    ["\n\nPromise.reject(new Error('r'))", 3],
    ["\nasync function f() { await 1; throw new Error('x') }\nawait f()", 2],
    ["\nsetTimeout(() => {\n  throw new Error('t')\n}, 5)", 3],
    ["\n\neval('let x = ;')", 3],
    ["\n[3, 1].sort(() => { throw new Error('s') })", 2],
    ["\n\nrequire('nope')", 3],
    ["\nthrow new Error('see main.js:99:1\\n    at fake (main.js:77:7)')", 2],
  ];
  for (const [code, line] of cases) assertEquals((await errorOf(code)).lineNumber, line, code);
});

Deno.test("errors: any thrown value is described", async () => {
  const cases: readonly (readonly [code: string, name: string, message: string])[] = [
    ["throw null", "Error", "null"],
    ["throw undefined", "Error", "undefined"],
    ["throw Symbol('s')", "Error", "Symbol(s)"],
    ["throw 'text'", "Error", "text"],
    ["throw { name: {}, message: {} }", "Error", "{ name: {}, message: {} }"],
    ["throw { name: 'N', message: 'M' }", "N", "M"],
    ["throw function f() {}", "Error", "[Function: f]"],
    ["throw new Proxy({}, { get() { throw 1 } })", "Error", "{}"],
    ["const r = Proxy.revocable({}, {}); r.revoke(); throw r.proxy", "Error", "<Revoked Proxy>"],
  ];
  for (const [code, name, message] of cases) {
    const error = await errorOf(code);
    assertEquals([error.name, error.message], [name, message], code);
    assertEquals(error.traceback[0]?.startsWith("Uncaught "), true, code);
  }
});

Deno.test("errors: hostile properties of an error do no harm", async () => {
  const properties = ["message", "name", "stack", "cause", "errors", "constructor"];
  for (const property of properties) {
    const code = `
const error = new Error("x");
Object.defineProperty(error, "${property}", { get() { throw new Error("trap") } });
throw error;`;
    const error = await errorOf(code);
    assertEquals(typeof error.name, "string", property);
    assertEquals(error.traceback.length > 0, true, property);
  }
  const symbol = await errorOf("throw Object.assign(new Error('m'), { name: Symbol('n') })");
  assertEquals([symbol.name, symbol.message], ["Error", "m"]);
  const big = await errorOf("\nthrow new Error('x'.repeat(1e6))");
  assertEquals([big.name, big.lineNumber], ["Error", 2]);
});

Deno.test("errors: handlers of exit run after a failed run", async () => {
  const { stdout, ending } = await runGuest(
    "process.on('exit', (status) => { console.log(status); throw new Error('late') }); null.x",
  );
  assertEquals(stdout, "1\n");
  assertEquals(ending.kind === "error" && ending.error.name, "TypeError");
});

Deno.test("errors: a stack shows no frame of this environment", async () => {
  const code = `
const stacks = [];
const note = () => { stacks.push(new Error("here").stack) };
require("events").prototype.emit.call(new (require("events"))().on("a", note), "a");
[1].forEach(note);
setTimeout(() => { note(); process.nextTick(() => { note(); console.log(stacks.join("\\n")); }) }, 1);
try { require("fs").readFileSync("nope") } catch (error) { stacks.push(error.stack) }`;
  const { stdout } = await runGuest(code);
  assertEquals(stdout.includes("belljar"), false);
  assertEquals(stdout.includes("    at forEach (native)\n    at main.js:5:13"), true);
  assertStringIncludes(stdout, "open 'nope'\n    at main.js:7:21");
});

Deno.test("errors: only Node's own errors have a code in their header", async () => {
  assertMatch(
    await valueOf("(() => { try { require(5) } catch (error) { return error.stack } })()"),
    /^'TypeError \[ERR_INVALID_ARG_TYPE\]: The "id" argument must be of type string/,
  );
  assertMatch(
    await valueOf("Object.assign(new Error('own'), { code: 'ERR_OWN' }).stack"),
    /^'Error: own/,
  );
});

Deno.test("errors: captureStackTrace, stackTraceLimit and prepareStackTrace work", async () => {
  assertEquals(
    await valueOf(`
function caller() { const holder = {}; Error.captureStackTrace(holder, caller); return holder.stack }
const hidden = caller();
Error.stackTraceLimit = 1;
function deep(n) { return n ? deep(n - 1) : new Error("d").stack.split("\\n").length }
const limited = deep(20);
Error.prepareStackTrace = (error, sites) => [error.message, sites[0].getLineNumber()];
const own = new Error("own").stack;
Error.prepareStackTrace = undefined;
[hidden, limited, own]`),
    '["Error\\n    at main.js:3:16",2,["own",8]]',
  );
});

Deno.test("errors: constructors keep the shape of the language's", async () => {
  assertEquals(
    await valueOf(`[
  Error("x") instanceof Error, TypeError.name, Error.length, AggregateError.length,
  Object.getPrototypeOf(TypeError) === Error, Error.prototype.constructor === Error,
  Reflect.construct(Error, ["m"], RangeError) instanceof RangeError,
  Object.keys(new Error("x")).length, Object.prototype.toString.call(new Error()),
  String(Error), typeof Error.captureStackTrace, Error.isError(new TypeError()),
  (() => { try { null.x } catch (error) { return error.constructor === TypeError } })(),
]`),
    '[true,"TypeError",1,2,true,true,true,0,"[object Error]",' +
      '"function Error() {\\n    [native code]\\n}","function",true,true]',
  );
});

/** Programs of one line that fail, and their messages. */
const CALLS: readonly (readonly [code: string, message: string])[] = [
  ["function go(cb) { cb() } go()", "not a function"],
  ["let a = 1; console.log(a())", "not a function"],
  ["const items = [1], report = {}; report.add(items.map((x) => x))", "not a function"],
  ["let xs = [3]; xs.mapp(xs.map((x) => x))", "not a function"],
  ["let xs = [3]; xs.map(xs.mapp((x) => x))", "not a function"],
  ["const m = {}; m.save(new Date())", "not a function"],
  ["const p = require('path'); p.joinn(p.join('a'))", "not a function"],
  ["new Foo(bar()); var Foo = 1; function bar() {}", "not a function"],
  ["[1].forEach(null)", "not a function"],
];

Deno.test("errors: the line of a call of a value that is not a function is known", async () => {
  for (const [code, message] of CALLS) {
    for (const before of ["", "\n", "let other = 1;\n\n"]) {
      const error = await errorOf(before + code);
      assertEquals([error.name, error.message], ["TypeError", message], before + code);
      assertEquals(error.lineNumber, before.split("\n").length, before + code);
    }
  }
});

Deno.test("errors: a throw or call that spans several lines is reported where it begins", async () => {
  const { ending } = await runGuest(`
function check(user) {
  throw new TypeError(
    "no age: " +
      user.name,
  );
}
check(
  { name: "x",
    age: 0 },
);`);
  const error = ending.kind === "error" ? ending.error : undefined;
  assertEquals(error?.lineNumber, 3);
  assertEquals(error?.traceback.slice(1), ["    at check (main.js:3:9)", "    at main.js:8:1"]);
});

Deno.test("errors: the frames below an engine error show where their calls begin", async () => {
  const { ending } = await runGuest("function f(a) {\n  return a.b.c;\n}\nf(\n  {},\n);");
  const error = ending.kind === "error" ? ending.error : undefined;
  assertEquals(error?.traceback.at(-1), "    at main.js:4:1");
});

Deno.test("errors: a failing import is reported at its line, without columns of the generated code", async () => {
  for (const code of ["import x from 'nope';", "import { nothing } from 'fs';"]) {
    const { ending } = await runGuest(`import fs from 'fs';\n${code}`);
    const error = ending.kind === "error" ? ending.error : undefined;
    const frames = error?.traceback.filter((line) => line.includes(" at "));
    assertEquals(frames?.map((line) => line.replace(" {", "")), ["    at main.js:2:1"], code);
  }
});
