/** Programs that want too much output, memory or stack. */
import type { HostileCase } from "../cases.ts";

export const OUTPUT: readonly HostileCase[] = [
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

export const MEMORY: readonly HostileCase[] = [
  {
    name: "endless generator",
    code: "[...(function*(){ for(;;) yield 1 })()].length",
    outcome: "either",
  },
  {
    name: "endless iterator in spread",
    code: "Math.max(...{[Symbol.iterator](){return {next(){return{}}}}})",
    outcome: "either",
  },
  { name: "big integer power", code: "10n**10n**7n", outcome: "either" },
  { name: "big integer text", code: "(2n**3000000n).toString().length", outcome: "either" },
  { name: "array fill", code: "Array(1e9).fill()", outcome: "either" },

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
  {
    name: "little data that decompress to much",
    code: "const z=require('zlib'); let b=z.gzipSync(Buffer.alloc(1e6)); for(let i=0;i<100;i++) " +
      "b=Buffer.concat([b,b]); z.gunzipSync(b).length",
    outcome: "either",
  },
  {
    name: "decompressed data that are held",
    code: "const z=require('zlib'), b=z.deflateSync(Buffer.alloc(4e5)), a=[]; " +
      "for(;;) a.push(z.inflateSync(b))",
    outcome: "either",
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

export const RECURSION: readonly HostileCase[] = Object.entries({
  "function": "function f(){f()} f()",
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

export const RECURSION_CAUGHT: readonly HostileCase[] = [
  {
    name: "deep function with arguments",
    // the lists of arguments fill the memory as the stack fills
    code: "function f(...a){ return f(...a,1)+1 } f()",
    outcome: "either",
  },
  {
    name: "deep JSON.stringify",
    // the search for cycles takes longer at each level
    code: "let o={}; for(let i=0;i<1e5;i++) o={o}; JSON.stringify(o)",
    outcome: "either",
  },
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

/** Programs that make the host hash more than they can pay for. */
export const HASHING: readonly HostileCase[] = [
  {
    name: "digest computed by the host",
    code: "require('crypto').createHash('sha256').update('abc').digest('hex').slice(0, 8)",
    outcome: "value",
    results: [{ text: "'ba7816bf'" }],
  },
  {
    name: "two thousand million iterations",
    code:
      "try { require('crypto').pbkdf2Sync('a','b',2**31-1,2**22,'sha512') } finally { for(;;); }",
    outcome: "limit",
    message: /Fuel/,
  },
  {
    name: "endless scrypt",
    code: "for(;;) require('crypto').scryptSync('a','b',64,{N:32768,maxmem:2**26})",
    outcome: "limit",
    message: /Fuel/,
  },
  {
    name: "scrypt with a gigabyte",
    code: "require('crypto').scryptSync('a','b',64,{N:2**20,maxmem:2**40})",
    outcome: "error",
    error: /RangeError/,
    message: /memory limit/,
  },
  {
    name: "endless digests",
    code: "for(;;) require('crypto').createHash('md5').update('a').digest()",
    outcome: "limit",
    message: /Fuel/,
  },
  {
    name: "endless digests of much",
    code:
      "const b = Buffer.alloc(2**22); for(;;) require('crypto').createHmac('sm3', b).update(b).digest()",
    outcome: "limit",
    message: /Fuel/,
  },
  {
    name: "endless ciphers",
    code: `const c = require('crypto'), k = Buffer.alloc(24), b = Buffer.alloc(2**20);
      for(;;) c.createCipheriv('aes-192-cbc', k, Buffer.alloc(16)).update(b)`,
    outcome: "limit",
    message: /Fuel/,
  },
  {
    name: "message without end",
    code: "const h = require('crypto').createHash('md5'); for(;;) h.update(Buffer.alloc(2**20))",
    outcome: "either",
  },
  {
    name: "endless output of a function without a length of its own",
    code: "for(;;) require('crypto').createHash('shake128',{outputLength:2**20}).digest()",
    outcome: "limit",
    message: /Fuel/,
  },
  {
    name: "ciphers that are refused, of many megabytes",
    // data moved for a refused request must cost what moving them costs
    code: `const c = require('crypto'), b = new ArrayBuffer(20 * 2 ** 20), s = new ArrayBuffer(1);
      const e = c.createCipheriv('aes-256-cbc', Buffer.alloc(32), Buffer.alloc(16)), d = Buffer.alloc(16);
      Array.prototype.map = () => [s, s, b, b, b]; for(;;) try { e.update(d) } catch {}`,
    outcome: "limit",
    message: /Fuel/,
  },
  {
    name: "digests of many thousand pieces",
    code: `const c = require('crypto'), b = Buffer.alloc(0), old = Array.prototype[Symbol.iterator];
      const pieces = Array(60000).fill(new ArrayBuffer(0)), digest = () => c.hash('md5', b);
      Array.prototype[Symbol.iterator] = () => old.call(pieces); for(;;) digest()`,
    outcome: "limit",
    message: /Fuel/,
  },
  {
    name: "pieces that are no bytes",
    code: `const c = require('crypto'), b = Buffer.alloc(0), old = Array.prototype[Symbol.iterator];
      const odd = { toString() { throw 1 }, get byteLength() { throw 2 } };
      Array.prototype[Symbol.iterator] = () => old.call([odd, Symbol(), null]); c.hash('md5', b)`,
    outcome: "either",
  },
  {
    name: "text of surrogates alone",
    code: "const s = '\\ud800'.repeat(2 ** 20), t = new TextEncoder(); for(;;) t.encode(s)",
    outcome: "limit",
    message: /Fuel/,
  },
];
