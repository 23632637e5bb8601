/** The global object, compared with Node's. */
import { assertEquals } from "@std/assert";
import {
  DISPOSE_FUNCTION,
  DYNAMIC_IMPORT_FUNCTION,
  IMPORT_FUNCTION,
  MODULE_THIS_NAME,
  RETURN_NAME,
  SCRIPT_THIS_NAME,
  USE_FUNCTION,
} from "../../../../../runtimes/languages/javascript/host/loader_names.ts";
import { hasNode, runGuest, runNode, valueOf } from "./support.ts";

/** Globals of the language that Node 20 does not have. */
const NEWER = [
  ...["Float16Array", "Iterator"],
  ...["SuppressedError", "DisposableStack", "AsyncDisposableStack"],
];
/** This environment's globals, which prepared sources call. */
const OURS = [
  IMPORT_FUNCTION,
  DYNAMIC_IMPORT_FUNCTION,
  RETURN_NAME,
  SCRIPT_THIS_NAME,
  MODULE_THIS_NAME,
  USE_FUNCTION,
  DISPOSE_FUNCTION,
];
/** Of Deno's kernel, where it is a member of `Deno.jupyter`. */
const SHOWS = "display";
/** The names in a module's scope in Node. */
const MODULE_SCOPE = ["require", "module", "exports", "__filename", "__dirname"];

Deno.test({
  name: "globals: there is nothing that Node has not",
  ignore: !hasNode,
  fn: async () => {
    const code = "console.log(JSON.stringify(Reflect.ownKeys(globalThis).map(String)))";
    const [guest, node] = await Promise.all([runGuest(code), runNode(code)]);
    const known = new Set<string>([
      ...JSON.parse(node.stdout),
      ...NEWER,
      ...OURS,
      ...MODULE_SCOPE,
      SHOWS,
    ]);
    const names: string[] = JSON.parse(guest.stdout);
    assertEquals(names.filter((name) => !known.has(name)), []);
  },
});

Deno.test("globals: the globals of Node that programs use exist", async () => {
  assertEquals(
    await valueOf(`
const names = ["setTimeout", "setInterval", "setImmediate", "clearTimeout", "queueMicrotask",
  "structuredClone", "atob", "btoa", "fetch", "require"];
const objects = ["console", "process", "Buffer", "performance", "crypto", "Intl", "URL",
  "AbortController", "TextEncoder", "EventTarget", "Blob"];
[names.filter((name) => typeof globalThis[name] !== "function"),
  objects.filter((name) => globalThis[name] === undefined), global === globalThis,
  Object.keys(globalThis).includes("process"), String(globalThis), names.filter((name) =>
    globalThis[name].name !== name)]`),
    '[[],[],true,false,"[object global]",[]]',
  );
});

Deno.test("globals: functions and classes have their own names", async () => {
  const code = `
const seen = new Set(), wrong = [];
const walk = (value, path, depth) => {
  if (depth > 2 || (typeof value !== "object" && typeof value !== "function") || value === null) return;
  if (seen.has(value)) return;
  seen.add(value);
  if (typeof value === "function" && value !== Function.prototype) {
    const key = path.at(-1);
    if (typeof key === "string" && (value.name === "" || /^\\d+$/.test(value.name.replace(key, "")))) {
      wrong.push(path.join("."));
    }
  }
  for (const key of Object.getOwnPropertyNames(value)) {
    const descriptor = Object.getOwnPropertyDescriptor(value, key);
    if ("value" in descriptor) walk(descriptor.value, [...path, key], depth + 1);
  }
};
for (const name of require("module").builtinModules) walk(require(name), [name], 0);
wrong`;
  assertEquals(await valueOf(code), "[]");
});

Deno.test("globals: weak references keep dereferenced targets until the job ends", async () => {
  const { stdout } = await runGuest(`
const reference = new WeakRef({ a: 1 });
console.log(reference.deref()?.a, reference instanceof WeakRef, String(WeakRef));
const registry = new FinalizationRegistry((held) => console.log("collected", held));
registry.register({}, "x");
await null;
console.log(reference.deref());`);
  assertEquals(
    stdout,
    "1 true function WeakRef() {\n    [native code]\n}\ncollected x\nundefined\n",
  );
});

Deno.test("globals: the environment holds only text, under any name", async () => {
  const env = new Map([["A", "1"], ["__proto__", "p"], ["toString", "t"]]);
  const { ending } = await runGuest(
    `
process.env.N = 5;
process.env.GONE = "x";
delete process.env.GONE;
[process.env.A, process.env["__proto__"], process.env.toString, typeof process.env.N,
  "GONE" in process.env, Object.keys(process.env), process.env.hasOwnProperty("A")]`,
    { env },
  );
  assertEquals(ending, {
    kind: "json",
    json: '["1","p","t","string",false,["A","__proto__","toString","N"],true]',
  });
});

Deno.test("globals: the text of a built-in is [native code], and a class shows as a class", async () => {
  const code = `
const functions = [Buffer.from, console.log, setTimeout, structuredClone, require, require("fs").readFileSync,
  require("util").inspect, require("events").once, Function.prototype.toString];
const classes = [URL, EventTarget, AbortController, require("assert").AssertionError];
class Own extends URL { method() { return "kept" } }
const arrow = (a) => a + 1;
[functions.filter((fn) => fn.toString() !== \`function \${fn.name}() {\\n    [native code]\\n}\`),
  classes.filter((one) => !String(one).startsWith("class ")),
  classes.map((one) => require("util").inspect(one).slice(0, 7)).join(),
  String(arrow), String(Own), String(Own.prototype.method), String(eval("(function f() { return 1 })"))]`;
  assertEquals(
    await valueOf(code),
    JSON.stringify([
      [],
      [],
      "[class ,[class ,[class ,[class ",
      "(a) => a + 1",
      'class Own extends URL { method() { return "kept" } }',
      'method() { return "kept" }',
      "function f() { return 1 }",
    ]),
  );
});

Deno.test("globals: toLocaleString of typed arrays accepts only typed arrays", async () => {
  const { stdout } = await runGuest(`
const own = Uint8Array.prototype.toLocaleString;
for (const other of [[1], {}, 'text', { length: 1, 0: 1 }]) {
  try { own.call(other); console.log('taken') } catch (e) { console.log(e.name, e.message) }
}
console.log(own.call(new Float64Array([1.5, 1234])), [1, [2, 3]].toLocaleString(), [].toLocaleString.call({ length: 1, 0: 7 }));
`);
  const refused = "TypeError not a TypedArray\n";
  assertEquals(stdout, `${refused.repeat(4)}1.5,1,234 1,2,3 7\n`);
});
