/** Programs without an end. */
import type { HostileCase } from "../cases.ts";

function limits(cases: Readonly<Record<string, string>>): readonly HostileCase[] {
  return Object.entries(cases).map(([name, code]) => ({ name, code, outcome: "limit" }));
}

export const ENDLESS = limits({
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
  "sparse array walk": "const a=[]; a[2**32-2]=1; a.forEach(()=>{}); a.indexOf(7)",
  "array-like with a huge length": "Array.prototype.join.call({length: 2**53-1}, '')",
  "sort of a proxy":
    "Array.prototype.sort.call(new Proxy({length:2**40},{get:(t,k)=>k==='length'?t.length:1}))",
  "string of a huge array": "String(Array(2**31))",
  "string growth": "let s='ab'; for(;;) s = (s + s).slice(0, 1<<20)",
});
