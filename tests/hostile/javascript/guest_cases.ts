/** Programs that lie, poison what the driver uses, or search for a way out. */
import type { HostileCase } from "../cases.ts";

export const THROWN: readonly HostileCase[] = [
  ...[
    "null",
    "undefined",
    "Symbol('s')",
    "'text'",
    "7n",
    "{name:{},message:{}}",
    "new Proxy({}, {get(){ throw 1 }})",
    "new Proxy(function(){}, {})",
    "Object.create(null)",
    "Object.assign(new Error('m'), {name: Symbol('n')})",
    "Object.defineProperty(new Error('m'), 'stack', {get(){ throw 1 }})",
    "Object.defineProperty(new Error('m'), 'message', {get(){ return {} }})",
    "(() => { const e = new Error('m'); e.cause = e; return e })()",
    "new AggregateError([new Error('a'), null], 'm')",
  ].map((value) =>
    ({ name: `throw ${value}`, code: `throw (${value})`, outcome: "error" }) as const
  ),
  {
    name: "error whose message loops",
    code: "throw Object.defineProperty(new Error(), 'message', {get(){ for(;;); }})",
    outcome: "limit",
  },
  {
    name: "prepareStackTrace that loops",
    code: "Error.prepareStackTrace = () => { for(;;); }; throw new Error('x')",
    outcome: "either",
  },
];

export const POISON = [
  "Object.prototype.toJSON = () => 'poison'",
  "Array.prototype.toJSON = () => 'poison'",
].map((code) => `${code};`);

export const POISONED: readonly HostileCase[] = [
  "Object.prototype.__proto__ = null",
  "Object.freeze(Object.prototype)",
  "Array.prototype.map = () => { throw 1 }",
  "Array.prototype.push = () => { throw 1 }",
  "Array.prototype[Symbol.iterator] = () => { throw 1 }",
  "JSON.stringify = () => 'poison'",
  "globalThis.JSON = undefined",
  "Promise.prototype.then = () => { throw 1 }",
  "Object.defineProperty(Array, Symbol.species, {get(){ throw 1 }})",
  "Object.defineProperty(Promise, Symbol.species, {get(){ throw 1 }})",
  "Object.defineProperty(Object.prototype, 'value', {get(){ throw 1 }})",
  "Object.defineProperty(Object.prototype, 'get', {value(){ throw 1 }})",
  "Object.defineProperty(Object.prototype, 'kind', {get(){ throw 1 }, set(){ throw 2 }})",
  "Function.prototype.call = Function.prototype.apply = () => { throw 1 }",
  "String.prototype.replace = String.prototype.split = () => { throw 1 }",
  "RegExp.prototype.exec = () => { throw 1 }",
  "Map.prototype.get = Map.prototype.set = () => { throw 1 }",
  "Reflect.apply = Reflect.ownKeys = () => { throw 1 }",
  "Object.keys = Object.entries = Object.getPrototypeOf = () => { throw 1 }",
  "globalThis.Object = globalThis.Array = globalThis.String = undefined",
  "console.log = undefined",
  "globalThis.process = undefined",
  "for (const k of Object.getOwnPropertyNames(Array.prototype)) if (k !== 'length') try { Array.prototype[k] = 1 } catch {}",
  "for (const k of Object.getOwnPropertyNames(globalThis)) if (!['globalThis'].includes(k)) try { delete globalThis[k] } catch {}",
].map((poison) => ({
  name: `poison: ${poison.slice(0, 70)}`,
  code: `${poison};\n({a: 1, b: [1, 'x']})`,
  outcome: "value",
  results: [{ json: { a: 1, b: [1, "x"] } }],
}));

export const RESULTS: readonly HostileCase[] = [
  {
    name: "result whose UTF-8 finds no room",
    code: "[String.fromCharCode(0x4e00).repeat(7e6)]",
    outcome: "limit",
    message: /Memory|Result/,
  },
  {
    name: "result nested too deeply for a reviver, with a long number",
    code: "let o = [1234567890123456000]; for (let i = 0; i < 4500; i++) o = [o]; o",
    outcome: "value",
    results: [{ json: JSON.parse("[".repeat(4501) + "1234567890123456000" + "]".repeat(4501)) }],
  },
  {
    name: "cyclic result",
    code: "const o={a:1}; o.o=o; o",
    outcome: "value",
    results: [{ text: "<ref *1> { a: 1, o: [Circular *1] }" }],
  },
  {
    name: "result whose toJSON throws",
    code: "({toJSON(){ throw new Error('no') }, a: 1})",
    outcome: "value",
  },
  {
    name: "revoked proxy",
    code: "const r=Proxy.revocable({},{}); r.revoke(); r.proxy",
    outcome: "value",
  },
  {
    name: "result with a throwing getter",
    code: "({get a(){ throw new Error('g') }})",
    outcome: "value",
  },
  {
    name: "result without a prototype",
    code: "Object.create(null)",
    outcome: "value",
    results: [{ json: {} }],
  },
  {
    name: "result with a __proto__ key",
    code: "JSON.parse('{\"__proto__\": 1}')",
    outcome: "value",
    results: [JSON.parse('{"json": {"__proto__": 1}}')],
  },
];

export const ESCAPES: readonly HostileCase[] = [
  {
    name: "constructors give the guest's own global",
    code: `const g = Function('return this')();
      const a = Object.getPrototypeOf(async function*(){}).constructor('return typeof Deno');
      [g === globalThis, typeof Deno, typeof WebAssembly, typeof Worker, typeof __host, typeof __driver]`,
    outcome: "value",
    results: [{ json: [true, "undefined", "undefined", "undefined", "undefined", "undefined"] }],
  },
  {
    name: "waiting on shared memory",
    code: "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0)",
    outcome: "error",
  },
  {
    name: "import of the host's modules",
    code: "await import('node:child_process')",
    outcome: "error",
  },
  { name: "import of a file", code: "await import('file:///etc/passwd')", outcome: "error" },
  { name: "import of the web", code: "await import('https://example.com/x.js')", outcome: "error" },
  { name: "file of the host", code: "require('fs').readFileSync('/etc/passwd')", outcome: "error" },
  {
    name: "process of the host",
    code: "require('child_process').execSync('id')",
    outcome: "error",
  },
  { name: "network", code: "await fetch('http://127.0.0.1:1/')", outcome: "error" },
  {
    name: "sort that shrinks its array",
    code:
      "const a=Array.from({length:500},(_, i)=>i); a.sort(()=>{ a.length=0; return Math.random()-.5 }); a.length",
    outcome: "value",
  },
  {
    name: "array changed while it is walked",
    code:
      "const a=[1,2,3]; let n=0; a.forEach(()=>{ if(n++<1000) a.push(n); a.shift() }); a.length >= 0",
    outcome: "value",
  },
  {
    name: "frames of the environment through a replaced Reflect.get",
    code: `const seen = []; const get = Reflect.get;
      Reflect.get = (holder, key, ...rest) => {
        const value = get(holder, key, ...rest);
        if (typeof value !== 'function') return value;
        return function (...args) { seen.push(this); return Reflect.apply(value, this, args); };
      };
      try { require('fs').readFileSync('/none') } catch (error) { error.stack }
      Reflect.get = get;
      seen.filter((site) => typeof site?.getFunction === 'function').length`,
    outcome: "value",
    results: [{ text: "0" }],
  },
  {
    name: "promises that are gone when their rejection is reported",
    code: `process.on('unhandledRejection', (reason, promise) => {
        console.log(reason, promise instanceof Promise);
        if (reason < 3) Promise.reject(reason + 1);
      });
      Promise.reject(1);
      const kept = Array.from({length: 500}, (_, i) => ({ i, s: 's' + i, f: i * 1.5 }));
      kept.length`,
    outcome: "value",
    results: [{ text: "500" }],
    stdout: ["1 true", "2 true", "3 true"],
  },
  {
    name: "exit cannot be caught",
    code:
      "try { process.exit(3) } catch { console.log('no') } finally { console.log('no') } console.log('no')",
    outcome: "error",
    error: /SystemExit/,
    message: /3/,
  },
];
