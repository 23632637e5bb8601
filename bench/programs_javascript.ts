/**
 * JavaScript programs for measuring what metering costs: each works for some milliseconds in
 * another part of the engine.
 *
 * @module
 */

/** Name → source. The last expression is a check value. */
export const JAVASCRIPT_PROGRAMS: Readonly<Record<string, string>> = {
  "integer loop": "let s=0; for(let i=0;i<400000;i++){ s=(s+i*7)&0xffff } s",
  "floating point": "let x=0; for(let i=1;i<250000;i++){ x+=Math.sqrt(i)/(i+1) } x.toFixed(6)",
  "function calls": "function fib(n){return n<2?n:fib(n-1)+fib(n-2)} fib(21)",
  "objects": `const o=[]; for(let i=0;i<30000;i++) o.push({id:i,name:'n'+i,tags:[i,i+1]});
    o.filter(x=>x.id%3==0).map(x=>x.name.length).reduce((a,b)=>a+b,0)`,
  "strings": `let t=''; for(let i=0;i<20000;i++) t+=String.fromCharCode(97+i%26);
    let c=0; for(const w of t.split('e')) c+=w.toUpperCase().length; c`,
  "sort": `let r=1; const a=Array.from({length:20000},()=>r=(r*16807)%2147483647);
    a.sort((x,y)=>x-y)[777]`,
  "regular expressions": `const s='lorem ipsum 2024-05-17 dolor 1999-12-31 sit '.repeat(400);
    (s.match(/(\\d{4})-(\\d\\d)-(\\d\\d)/g)||[]).length + s.replace(/[aeiou]/g,'').length`,
  "maps and sets":
    `const m=new Map(); for(let i=0;i<40000;i++) m.set('k'+i%997,(m.get('k'+i%997)||0)+i);
    [...m.values()].reduce((a,b)=>a+b,0)`,
  "json": `const d=Array.from({length:1500},(_,i)=>({i,a:[i,i*2],s:'x'+i}));
    let n=0; for(let k=0;k<6;k++) n+=JSON.stringify(JSON.parse(JSON.stringify(d))).length; n`,
  "typed arrays":
    `const f=new Float64Array(60000); for(let k=0;k<4;k++) for(let i=0;i<f.length;i++) f[i]+=i*k;
    f.reduce((a,b)=>a+b,0)`,
  "big integers": "let b=1n; for(let i=1n;i<900n;i++) b*=i; b.toString().length",
  "generators":
    `function* g(n){ for(let i=0;i<n;i++) yield i } let z=0; for(const v of g(60000)) z+=v; z`,
};
