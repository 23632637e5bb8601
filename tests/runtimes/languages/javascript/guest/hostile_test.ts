// test: long
/** Guests that change the language that this environment runs on. */
import { assertEquals } from "@std/assert";
import { errorOf, runGuest, valueOf } from "./support.ts";

/** Replaces everything reachable by something that throws. */
const POISON = `
const evil = () => { throw new Error("evil") };
const poison = (holder, ...names) => { for (let i = 0; i < names.length; i++) holder[names[i]] = evil };
poison(Array.prototype, "map", "push", "join", "slice", "sort", "indexOf", "includes", Symbol.iterator);
poison(String.prototype, "slice", "indexOf", "split", "replace", "startsWith", "padEnd");
poison(RegExp.prototype, "exec", "test", Symbol.replace, Symbol.split);
poison(Map.prototype, "get", "set", "has", "forEach");
poison(Set.prototype, "add", "has", "forEach");
poison(WeakMap.prototype, "get", "set", "has");
poison(Function.prototype, "call", "apply", "bind");
poison(Promise.prototype, "then", "catch");
poison(Object.prototype, "hasOwnProperty", "toString", "propertyIsEnumerable");
poison(Object, "keys", "getOwnPropertyDescriptor", "getPrototypeOf", "assign", "create");
poison(Reflect, "apply", "get", "set", "ownKeys", "construct", "getPrototypeOf");
poison(JSON, "stringify", "parse");
poison(Math, "min", "max", "floor");
poison(Symbol.prototype, "toString");
poison(Array, "isArray", "from");
poison(Date, "now");
poison(globalThis, "Map", "Set", "Error", "TypeError", "Array", "String", "Number", "Object");
`;

Deno.test("hostile: poisoned intrinsics change neither JSON nor text that is printed", async () => {
  assertEquals(await valueOf(`${POISON} ({ a: 1, b: [1, { c: 2 }] })`), '{"a":1,"b":[1,{"c":2}]}');
  const { stdout, ending } = await runGuest(`
${POISON}
console.log("text");
setTimeout(() => console.log("timer"), 5);
setImmediate(() => console.log("immediate"));
process.nextTick(() => console.log("tick"));
[1]`);
  assertEquals(stdout, "text\ntick\nimmediate\ntimer\n");
  assertEquals(ending, { kind: "json", json: "[1]" });
});

Deno.test("hostile: with poisoned intrinsics errors are still described", async () => {
  const error = await errorOf(`${POISON}\nnull.x`);
  assertEquals([error.name, error.message], [
    "TypeError",
    "cannot read property 'x' of null",
  ]);
});

Deno.test("hostile: values that poisoned intrinsics keep from being shown are the program's error", async () => {
  const { ending } = await runGuest(`${POISON} new Map([[1, 2]])`);
  assertEquals(ending.kind, "error");
  const { stdout } = await runGuest(
    `${POISON} try { console.log([1]) } catch { console.log("no") }`,
  );
  assertEquals(stdout, "no\n");
});

Deno.test("hostile: setters and getters on the base prototypes see no internal values", async () => {
  const { stdout, ending } = await runGuest(`
const seen = [];
const note = (what) => { seen[seen.length] = what };
const spy = (key) => ({ __proto__: null, configurable: true, get() { note("get " + key) }, set() { note(key) } });
const keys = ["get", "set", "writable", "enumerable", "configurable"];
for (let i = 0; i < keys.length; i++) Object.defineProperty(Object.prototype, keys[i], spy(keys[i]));
console.log("text", 1);
for (let i = 0; i < keys.length; i++) delete Object.prototype[keys[i]];
console.log(seen.length);
({ a: [1, 2, 3, 4, 5, 6, 7, 8] })`);
  assertEquals(stdout, "text 1\n0\n");
  assertEquals(ending, { kind: "json", json: '{"a":[1,2,3,4,5,6,7,8]}' });
});

Deno.test("hostile: names that a script declares do not affect this environment", async () => {
  const { stdout, ending } = await runGuest(`
class Map {} class Set {} class Error {} class String {} class Promise {}
const process = 1, Object = 2, Array = 3, Reflect = 4, Symbol = 5, URL = 6, Buffer = 7;
console.log({ a: [1] }, "%d", 2);
require("util").inspect(new Uint8Array(2));
setTimeout(() => console.log("timer"), 1);
require("fs").writeFileSync("x", "y");
({ read: require("fs").readFileSync("x", "utf8") })`);
  assertEquals(stdout, "{ a: [ 1 ] } %d 2\ntimer\n");
  assertEquals(ending, { kind: "json", json: '{"read":"y"}' });
});

Deno.test("hostile: frozen and truncated prototypes do no harm", async () => {
  assertEquals(
    await valueOf(`
Object.freeze(Object.prototype); Object.freeze(Array.prototype); Object.freeze(Function.prototype);
console.log([{ a: 1 }]);
({ a: 1 })`),
    '{"a":1}',
  );
});

Deno.test("hostile: printing runs no trap and no getter", async () => {
  const { stdout, ending } = await runGuest(`
const traps = new Proxy({}, { get(_, name) { return () => { throw new Error(name) } } });
console.log(new Proxy({ a: 1 }, traps), { get a() { throw 1 } });
const revocable = Proxy.revocable({}, {});
revocable.revoke();
console.log(revocable.proxy, [revocable.proxy]);
class A { static [Symbol.hasInstance]() { throw 1 } }
console.log(new A());
console.log(Object.create({ get constructor() { throw 1 } }));`);
  assertEquals(ending, { kind: "none" });
  assertEquals(
    stdout,
    "{ a: 1 } { a: [Getter] }\n<Revoked Proxy> [ <Revoked Proxy> ]\n{}\n{}\n",
  );
});

Deno.test("hostile: the loader's functions cannot be replaced, the host's cannot be found", async () => {
  assertEquals(
    await valueOf(`
for (const name of ["__belljar_import__", "__belljar_import_async__"]) {
  try { globalThis[name] = 1 } catch {}
  delete globalThis[name];
}
[typeof __belljar_import__, typeof __belljar_import_async__, Object.keys(globalThis).includes("__belljar_import__"),
  typeof __host, typeof __driver, typeof __captureGlobals, typeof print, typeof std, typeof bjson,
  typeof scriptArgs, typeof InternalError, typeof WebAssembly, typeof Worker, typeof navigator]`),
    `["function","function",false,${Array(11).fill('"undefined"').join()}]`,
  );
});
