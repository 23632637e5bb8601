/**
 * Random programs of closures, generators, async functions and `arguments`, in which a garbage
 * collection comes at random points: at once (`collect()`), or at the next allocation
 * (`collectSoon()`). Each adds to a digest what it sees.
 */
import { Digest, seededBelow, shown } from "./random.js";

/** The source of a random program: the body of an async function. */
function collectedProgram(seed) {
  const below = seededBelow(seed);
  const pick = (list) => list[below(list.length)];
  const number = () => below(100);
  const collection = () => pick(["collect();", "collectSoon();", "collectSoon();", ""]);
  /** Garbage with cycles. */
  const garbage = () => pick(["", "", `cycle(${below(5)});`, "{const g=[];g.push(g,()=>g)}"]);
  const noise = () => collection() + garbage();
  const list = () =>
    pick([`[${number()},${number()}]`, `[{v:${number()}}]`, "[]", `[...'ab']`, `new Array(3)`]);
  const value = () => pick([number(), `{v:${number()}}`, list(), `'${pick("xyz")}'`, "(()=>x)"]);
  const values = () => Array.from({ length: below(5) }, value).join();

  const statements = [
    // functions that read and keep their arguments
    () =>
      `h((function(a,b){${noise()}${
        pick(["a=7;", "arguments[0]=8;", "arguments.length=1;", "delete arguments[1];", ""])
      }${noise()}return [a,...arguments]})(${values()}))`,
    () => `h((function(){'use strict';${noise()}return [].slice.call(arguments)})(${values()}))`,
    () =>
      `keep(function(a){${noise()}const r=arguments;return ()=>{${noise()}return [r[0],a]}}(${value()}))`,
    () => `h(((a=(collectSoon(),${value()}),...r)=>{${noise()}return [a,r]})(${values()}))`,
    () => `h((function f(n,a){${noise()}return n?f(n-1,arguments):shown(a[0])})(${below(6)},[1]))`,
    // closures
    () => `for(let i=0;i<${1 + below(4)};i++){${noise()}keep(()=>{${noise()}return i++ +x++})}`,
    () => `{let y=${value()};keep(()=>{${noise()}return y});y=${value()};${noise()}}`,
    () =>
      `{const c=class{#p=${value()};static s=${number()};get p(){${noise()}return this.#p}};keep(()=>new c().p)}`,
    () => `try{(()=>{let z={x};keep(()=>z);${noise()}throw [z]})()}catch([z]){${noise()}h(z)}`,
    () => `{const o={get a(){${noise()}return ${value()}}};const {a,...r}=o;h([a,r])}`,
    () => "recall()",
    () => "recall()",
    // generators that are left half way, finished, or forgotten
    () =>
      `{const g=function*(){try{${noise()}h(yield ${value()});${noise()}yield* ${list()}}finally{${noise()}h('f')}}();` +
      `h(g.next());${noise()}h(g.${pick(["next(2)", "return(3)", "next(4)", "throw(5)"])})}`,
    () =>
      `keep((g=>()=>{${noise()}return g.next()})(function*(){let n=0;for(;;){${noise()}yield [n++,x]}}()))`,
    () =>
      `for(const v of function*(){for(const w of ${list()}){${noise()}yield w}}()){${noise()}h(v);break}`,
    () => `{const g=function*(){yield g;${noise()}}();h(g.next().done)}`,
    () =>
      `{const [p,q]=function*(){${noise()}yield ${value()};${noise()}yield arguments.length}(${values()});h([p,q])}`,
    // async functions that wait, or are never waited for
    () => `h(await (async a=>{${noise()}await 0;${noise()}return a})(${value()}))`,
    () =>
      `keep(await (async a=>{await null;${noise()}return ()=>{${noise()}return a}})(${value()}))`,
    () => `(async()=>{const y=${value()};await new Promise(r=>{${noise()}});h(y)})()`,
    () => `(async function(){const y=arguments;await 1;${noise()}h(y[0])})(${values()})`,
    () =>
      `h(await Promise.all([${values()}].map(async v=>{${noise()}await v;${noise()}return v})))`,
    () => `try{await (async()=>{await 0;${noise()}throw ${value()}})()}catch(e){${noise()}h(e)}`,
    () =>
      `for await(const v of async function*(){try{yield ${value()};await 0;${noise()}yield ${value()}}finally{h('g')}}())` +
      `{${noise()}h(v);${pick(["break", "", ""])}}`,
    () =>
      `{const g=async function*(){for(;;){${noise()}yield await ${value()}}}();h(await g.next());${noise()}keep(()=>g)}`,
    () => `h(await Promise.race([new Promise(()=>{}),Promise.resolve(${value()})]))`,
    () =>
      `{let done;const p=new Promise(r=>done=r).then(v=>{${noise()}return [v]});${noise()}done(${value()});h(await p)}`,
    // collections that hold, weakly or not
    () => `{const k={};const w=new WeakMap([[k,${value()}]]);${noise()}h(w.get(k))}`,
    () => `{const w=new WeakRef({});${noise()}w.deref()}`,
    () =>
      `{const m=new Map([[${value()},${value()}]]);for(const [k,v] of m){${noise()}m.delete(k);h(v)}}`,
    () => `{const s=new Set(${list()});for(const v of s){${noise()}if(s.size<4)s.add([v]);h(v)}}`,
    () => `h(JSON.parse('[{"a":1}]',(k,v)=>{${noise()}return v}))`,
    () => `h([3,1,2].sort((a,b)=>{${noise()}return a-b}).map(v=>{${noise()}return [v]}))`,
    () => `h('a1b2'.replace(/\\d/g,d=>{${noise()}return d*2}))`,
    () => `{const p=new Proxy({},{get(t,k){${noise()}return String(k)}});h([p.a,p.b])}`,
    () =>
      `{const b=(function(){return [this.v,arguments.length]}).bind({v:${value()}},1);${noise()}h(b(${values()}))}`,
    () => `h(Array.from({length:${below(4)}},(v,i)=>{${noise()}return ()=>i}).map(f=>f()))`,
    () => `h([...${list()},...(function(){${noise()}return arguments})(${values()})])`,
    () => `h((t=>{${noise()}return t})\`a\${${value()}}b\`)`,
  ];
  return Array.from(
    { length: 4 + below(10) },
    () => `try{${pick(statements)()};${noise()}}catch(e){h(e)}`,
  ).join("\n");
}

const AsyncFunction = (async () => {}).constructor;

async function runCollectedProgram(seed, digest) {
  const kept = [];
  const h = (value) => digest.add(shown(value));
  const keep = (f) => void kept.push(f);
  const recall = () => {
    for (const f of kept) h(f());
    if (kept.length > 3) kept.shift();
  };
  const cycle = (n) => {
    for (let left = n; left > 0; left--) {
      const one = { left };
      one.other = { one, f: () => one };
    }
  };
  const names = ["h", "keep", "recall", "cycle", "x"];
  const program = new AsyncFunction(...names, collectedProgram(seed));
  await program(h, keep, recall, cycle, seed % 7);
  recall();
}

/** Runs programs, and gives the digest of each. */
export async function collectedDigests(first, count) {
  const digests = [];
  for (let seed = first; seed < first + count; seed++) {
    const digest = new Digest(false);
    await runCollectedProgram(seed, digest);
    digests.push(digest.value);
  }
  return digests;
}

/** The source of one program, and what it gave. */
export async function collectedTrace(seed) {
  const digest = new Digest(true);
  await runCollectedProgram(seed, digest);
  return [...collectedProgram(seed).split("\n"), ...digest.texts];
}
