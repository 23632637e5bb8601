/** Hostile JavaScript and TypeScript, by kind. */
import type { HostileCase } from "./cases.ts";

const SOURCE_BYTES = 65_536;

function limits(cases: Readonly<Record<string, string>>): readonly HostileCase[] {
  return Object.entries(cases).map(([name, code]) => ({ name, code, outcome: "limit" }));
}

const ENDLESS = limits({
  "endless loop": "while(true){}",
  "endless loop in try and catch": "try{while(1);}catch(e){while(1);}finally{while(1);}",
  "endless loop in finally": "try{ throw 1 } finally { for(;;); }",
  "endless promise callback": "Promise.resolve().then(()=>{ for(;;); })",
  "endless microtasks": "Promise.resolve().then(function f(){return Promise.resolve().then(f)})",
  "endless queueMicrotask": "queueMicrotask(function f(){ queueMicrotask(f) })",
  "endless async recursion": "async function f(){ await null; return f() } await f()",
  "endless getter": "const o={get x(){ for(;;); }}; o.x",
  "endless comparator": "[3,1,2].sort(()=>{ for(;;); })",
  "endless toString of the result": "({toString(){ for(;;); }, toJSON(){ for(;;); }})",
  "endless toJSON of the result": "[{toJSON(){ for(;;); }}]",
  "endless Symbol.toPrimitive in a template": "`${{[Symbol.toPrimitive](){ for(;;); }}}`",
  "endless ownKeys of the result": "new Proxy({}, {ownKeys(){ for(;;); }})",
  "endless generator": "[...(function*(){ for(;;) yield 1 })()].length",
  "endless iterator in spread": "Math.max(...{[Symbol.iterator](){return {next(){return{}}}}})",
  "endless replacer": "'a'.replace(/a/, () => { for(;;); })",
  "endless reviver": "JSON.parse('[1]', () => { for(;;); })",
  "endless interval": "setInterval(()=>{}, 0)",
  "endless timer chain": "setTimeout(function f(){ setTimeout(f, 1) }, 1)",
  "endless immediate": "setImmediate(function f(){ setImmediate(f) })",
  "endless eval": "eval('for(;;);')",
  "endless Function": "new Function('for(;;);')()",
  "endless label": "a: for(;;) { continue a }",
  "endless thenable": "await {then(r){ r({then: this.then}) }}",
  "catastrophic regular expression": "/(a+)+$/.test('a'.repeat(40)+'b')",
  "catastrophic back references": "/(x+x+)+y/.test('x'.repeat(60))",
  "catastrophic alternation": "/^(a|a)*$/.exec('a'.repeat(50)+'!')",
  "big integer power": "10n**10n**7n",
  "big integer text": "(2n**3000000n).toString().length",
  "array fill": "Array(1e9).fill()",
  "sparse array walk": "const a=[]; a[2**32-2]=1; a.forEach(()=>{}); a.indexOf(7)",
  "array-like with a huge length": "Array.prototype.join.call({length: 2**53-1}, '')",
  "sort of a proxy":
    "Array.prototype.sort.call(new Proxy({length:2**40},{get:(t,k)=>k==='length'?t.length:1}))",
  "string of a huge array": "String(Array(2**31))",
  "string growth": "let s='ab'; for(;;) s = (s + s).slice(0, 1<<20)",
});

const OUTPUT: readonly HostileCase[] = [
  {
    name: "endless output",
    code: "console.log('first'); for(;;) console.log('x'.repeat(100))",
    outcome: "limit",
    message: /Output/,
    stdout: ["first", "x".repeat(100)],
  },
  {
    name: "endless empty lines",
    code: "for(;;) console.log()",
    outcome: "limit",
    message: /Output/,
    stdout: ["", ""],
  },
  {
    name: "endless lines on standard error",
    code: "for(;;) console.error('e')",
    outcome: "limit",
    message: /Output/,
  },
  {
    name: "one line over the limit",
    code: "console.log('first'); console.log('x'.repeat(2**21))",
    outcome: "limit",
    message: /Output/,
    stdout: ["first"],
  },
  {
    name: "output that cannot be caught",
    code: "try { for(;;) console.log('y'.repeat(1000)) } catch { for(;;); } finally { for(;;); }",
    outcome: "limit",
    message: /Output/,
  },
  {
    name: "result over the limit",
    code: "console.log('first'); 'x'.repeat(2**20)",
    outcome: "limit",
    message: /Result/,
    stdout: ["first"],
  },
  {
    name: "container over the limit",
    code: "Array(2**18).fill('long enough')",
    outcome: "limit",
    message: /Result/,
  },
  {
    name: "virtual sleep over the wall clock",
    code: "console.log('first'); setTimeout(()=>{}, 1e9)",
    outcome: "limit",
    message: /Wall clock/,
    stdout: ["first"],
  },
  {
    name: "logs before a limit",
    code: "console.log('one'); console.log('two'); while(true){}",
    outcome: "limit",
    message: /Fuel/,
    stdout: ["one", "two"],
  },
  {
    name: "odd characters in output",
    code: "console.log('\\u0000|\\ud800|\\u001b[31m|\\u2028')",
    outcome: "value",
    stdout: ["\0|\ufffd|\u001b[31m|\u2028"],
  },
];

const MEMORY: readonly HostileCase[] = [
  {
    name: "held typed arrays",
    code: "const a=[]; for(let i=0;i<300;i++) a.push(new Uint8Array(1<<20)); a.length",
    outcome: "error",
    message: /memory/,
  },
  {
    name: "repeat to half a gigabyte",
    code: "'x'.repeat(2**29)",
    outcome: "error",
  },
  { name: "impossible array length", code: "Array.from({length:2**32-1})", outcome: "either" },
  { name: "shared buffer of 2 GiB", code: "new SharedArrayBuffer(2**31)", outcome: "either" },
  {
    name: "resizable buffers",
    code: "const b=new ArrayBuffer(1,{maxByteLength:2**40}); for(;;) b.resize(b.byteLength*2)",
    outcome: "either",
  },
  { name: "held objects", code: "const a=[]; for(;;) a.push({a:[1,2,3]})", outcome: "either" },
  { name: "held strings", code: "let s='x'; for(;;) s+=s", outcome: "either" },
  {
    name: "held closures",
    code: "let f=()=>0; for(;;){ const g=f; f=()=>g() }",
    outcome: "either",
  },
  { name: "held map", code: "const m=new Map(); for(let i=0;;i++) m.set(i,{})", outcome: "either" },
  {
    name: "memory error caught again and again",
    code: "for(;;){ const a=[]; try { for(;;) a.push(new Uint8Array(1<<20)) } catch {} }",
    outcome: "limit",
  },
  {
    name: "finalizers that allocate",
    code:
      `const r=new FinalizationRegistry(()=>{ globalThis.k=[...(globalThis.k??[]), new Uint8Array(1<<20)] });
      for(;;) r.register({}, 1)`,
    outcome: "either",
  },
];

const RECURSION: readonly HostileCase[] = Object.entries({
  "function": "function f(){f()} f()",
  "function with arguments": "function f(...a){ return f(...a,1)+1 } f()",
  "getter": "const o={get x(){ return this.x }}; o.x",
  "array callback": "function f(){ return [1].map(f) } f()",
  "comparator": "function f(){ return [1,2].sort(f) } f()",
  "replacer": "function f(){ return 'a'.replace(/a/, f) } f()",
  "proxy": "const p=new Proxy({}, {get(t,k,r){ return r[k] }}); p.x",
  "conversion": "const o={toString(){ return ''+o }}; ''+o",
  "constructor": "class A{ constructor(){ new A } } new A",
  "generator": "function*g(){ yield* g() } [...g()]",
  "async function": "async function f(){ await f() } await f()",
  "toJSON": "const o={toJSON(){ return JSON.stringify(o) }}; JSON.stringify(o)",
  "JSON.parse": "JSON.parse('['.repeat(60000))",
  "JSON.stringify": "let o={}; for(let i=0;i<1e5;i++) o={o}; JSON.stringify(o)",
  "flat": "let p=[]; for(let i=0;i<2e5;i++) p=[p]; p.flat(Infinity)",
  "join": "let p=[]; for(let i=0;i<2e5;i++) p=[p]; String(p)",
  "bind": "let f=()=>1; for(let i=0;i<1e5;i++) f=f.bind(null); f()",
  "regular expression source": "new RegExp('('.repeat(1e4)+')'.repeat(1e4))",
  "eval of parentheses": "eval('('.repeat(1e5))",
  "eval of arrays": "eval('['.repeat(1e5))",
  "eval of functions": "eval('function f(){'.repeat(1e4))",
  "eval of signs": "eval('-'.repeat(1e5)+'1')",
  "eval of blocks": "eval('{'.repeat(1e5))",
}).map(([name, code]) => ({ name: `deep ${name}`, code, outcome: "error" }));

const RECURSION_CAUGHT: readonly HostileCase[] = [
  {
    name: "deep recursion can be caught, and the run goes on",
    code: "let n=0; function f(){ n++; f() } try { f() } catch(e) { console.log(e.name) } n > 100",
    outcome: "value",
    stdout: ["RangeError"],
    results: [{ text: "true" }],
  },
  {
    name: "recursion caught again and again",
    code: "function f(){ try { f() } catch { f() } } f()",
    outcome: "limit",
  },
];

/** A source of the greatest length made of one piece. */
function deepSource(piece: string, tail = ""): string {
  return piece.repeat(Math.floor((SOURCE_BYTES - tail.length) / piece.length)) + tail;
}

const SOURCES: readonly HostileCase[] = [
  ...Object.entries({
    "arrays": deepSource("["),
    "parentheses": deepSource("("),
    "blocks": deepSource("{"),
    "templates": deepSource("`${"),
    "functions": deepSource("function f(){"),
    "arrows": deepSource("a=>"),
    "signs without an end": deepSource("-"),
    "shifts": deepSource("<"),
    "garbage": deepSource("#"),
    "quotes": deepSource("'`"),
  }).map(([name, code]) =>
    ({
      name: `source of ${name}`,
      code,
      outcome: "error",
      error: /SyntaxError|RangeError/,
    }) as const
  ),
  { name: "source of conditionals", code: deepSource("a?b:", "0"), outcome: "error" },
  { name: "source of signs", code: deepSource("- ", "1"), outcome: "either" },
  { name: "source of a long sum", code: deepSource("1+", "1"), outcome: "value" },
];

const THROWN: readonly HostileCase[] = [
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

const POISON = [
  "Object.prototype.toJSON = () => 'poison'",
  "Array.prototype.toJSON = () => 'poison'",
].map((code) => `${code};`);

const POISONED: readonly HostileCase[] = [
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
  "Object.defineProperty(Object.prototype, 'value', {get(){ throw 1 }, set(){ throw 2 }})",
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

const RESULTS: readonly HostileCase[] = [
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

const ESCAPES: readonly HostileCase[] = [
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
    name: "exit cannot be caught",
    code:
      "try { process.exit(3) } catch { console.log('no') } finally { console.log('no') } console.log('no')",
    outcome: "error",
    error: /SystemExit/,
    message: /3/,
  },
];

const TYPESCRIPT: readonly HostileCase[] = [
  { name: "nested generics", code: `let a: ${"A<".repeat(20_000)}`, outcome: "error" },
  { name: "nested type arguments", code: `f${"<T>".repeat(20_000)}()`, outcome: "error" },
  { name: "nested namespaces", code: "namespace a {".repeat(5_000), outcome: "error" },
  { name: "nested types", code: `type A = ${"[".repeat(60_000)}`, outcome: "error" },
  {
    name: "many enums",
    code: "enum E { A }\n".repeat(4_000).slice(0, SOURCE_BYTES),
    outcome: "either",
  },
  { name: "unions without an end", code: `let x: ${"a | ".repeat(16_000)}`, outcome: "error" },
];

/** Every case. */
export const JAVASCRIPT_CASES: readonly HostileCase[] = [
  ...ENDLESS,
  ...OUTPUT,
  ...MEMORY,
  ...RECURSION,
  ...RECURSION_CAUGHT,
  ...SOURCES,
  ...THROWN,
  ...POISON.map((code) => ({ name: code, code: `${code} ({a: 1})`, outcome: "value" }) as const),
  ...POISONED.map((item) => ({ ...item, outcome: "value" }) as const),
  ...RESULTS,
  ...ESCAPES,
  ...TYPESCRIPT,
];
