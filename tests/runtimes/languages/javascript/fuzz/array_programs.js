/**
 * Random programs of array operations. Each is the source of a function, which adds to a digest what
 * each of its lines gives. Methods are those that Node 20 has, and comparisons are consistent, so
 * that the standard says what each line gives. Arrays are extensible, their elements writable.
 */
import { Digest, seededBelow, shown } from "./random.js";

/** The source of a random program. */
function arrayProgram(seed) {
  const below = seededBelow(seed);
  const pick = (list) => list[below(list.length)];
  const name = () => pick(["a", "b", "c"]);
  const place = () => pick([below(6), below(6), below(12), below(40)]);
  const end = () => pick([place(), `${name()}.length`, -below(8), `${name()}.length-${below(3)}`]);
  const value = () =>
    pick([
      ...[`${below(10)}`, `${below(1000) - 500}`, `${below(100) / 8}`, `"${pick("xyz")}"`],
      ...["undefined", "null", "NaN", "-0", "true", `{v:${below(9)}}`, `[${below(9)}]`, "12n"],
    ]);
  const values = (most) => Array.from({ length: below(most + 1) }, value).join();
  const item = () => pick([value(), value(), ""]); // an empty one is a hole
  const literal = () => `[${Array.from({ length: below(7) }, () => `${item()},`).join("")}]`;
  const array = () => pick([literal(), `new Array(${below(9)})`, `Array(${below(5)})`, name()]);
  const change = () =>
    pick([
      ...[`x.length=${place()}`, "x.push(7)", "x.pop()", "x.shift()", `delete x[${place()}]`],
      ...[`x[${place()}]=i`, "x.unshift(8)", `x.splice(${below(4)},${below(3)})`],
    ]);
  /** A callback that may change the array a few times. */
  const callback = (result) =>
    pick([
      `(v,i,x)=>${result}`,
      `(v,i,x)=>{if(n++<3&&i===${below(4)}){${change()}}return ${result}}`,
    ]);
  const test = () => pick(["v===undefined", "i>2", "typeof v==='number'", "v>3", "false", "true"]);

  const lines = [
    () => `${name()}.push(${values(3)})`,
    () => `${name()}.push(${values(3)})`,
    () => `${name()}.push(...${array()})`,
    () => `${name()}.pop()`,
    () => `${name()}.pop()`,
    () => `${name()}.shift()`,
    () => `${name()}.unshift(${values(3)})`,
    () => `${name()}.length=${place()}`,
    () => `${name()}.length=${end()}`,
    () => `delete ${name()}[${place()}]`,
    () => `${pick(["delete a[a.length-1]", "delete b[b.length-1]", "delete c[c.length-1]"])}`,
    () => `${name()}[${place()}]=${value()}`,
    () => `${name()}[${name()}.length]=${value()}`,
    () => `${name()}[${name()}.length+${below(4)}]=${value()}`,
    () => `${name()}[${pick([100, 300])}]=1`,
    () => `${name()}[${place()}]++`,
    () => `${name()}[${place()}]??=${value()}`,
    () => `${place()} in ${name()}`,
    () => `${name()}=${array()}`,
    () => `${name()}=${array()}`,
    () => `${name()}=new Array(${place()})`,
    () => `${name()}=new Array(${values(3)})`,
    () => `${name()}=[...${array()},${item()},]`,
    () => `${name()}=Array.from(${array()})`,
    () => `${name()}=Array.from({length:${below(6)},${below(6)}:1})`,
    () => `${name()}=Array.of(${values(4)})`,
    () => `${name()}=Object.assign([],${array()})`,
    () => `[${pick(["p,q", "p,,q", ",p", "p=1,...q", "...q"])}]=${array()},[p,q]`,
    () => `[${name()},${name()}]=[${name()},${name()}]`,
    () => `[${name()}[${place()}],${name()}[${place()}]]=${array()}`,
    () => `${name()}.splice(${pick([end(), values(1)])})`,
    () => `${name()}.splice(${end()},${below(4)},${values(3)})`,
    () => `${name()}.slice(${pick([`${end()},${end()}`, end(), ""])})`,
    () => `${name()}=${name()}.concat(${array()},${values(2) || 1})`,
    () => `${name()}.concat(${array()})`,
    () => `${name()}.reverse()`,
    () => `${name()}.fill(${value()},${end()},${end()})`,
    () => `${name()}.copyWithin(${end()},${end()},${end()})`,
    () => `${name()}.sort()`,
    () => `${name()}.sort((p,q)=>String(p)<String(q)?-1:String(p)>String(q)?1:0)`,
    () => `${name()}.${pick(["indexOf", "lastIndexOf", "includes"])}(${value()})`,
    () => `${name()}.${pick(["indexOf", "lastIndexOf", "includes"])}(${value()},${end()})`,
    () => `${name()}.join(${pick(["", "'-'"])})`,
    () => `(n=0,${name()}.map(${callback("[v,i]")}))`,
    () => `(n=0,${name()}.filter(${callback(test())}))`,
    () => `(n=0,${name()}.${pick(["some", "every", "find", "findIndex"])}(${callback(test())}))`,
    () => `(n=0,${name()}.${pick(["findLast", "findLastIndex"])}(${callback(test())}))`,
    () => `(n=0,${name()}.flatMap(${callback(pick(["v", "[v,,i]", "[[i]]"]))}))`,
    () => `${name()}.${pick(["reduce", "reduceRight"])}((s,v,i)=>s+typeof v+i${pick(["", ",''"])})`,
    () => `${name()}.flat(${pick(["", "0", "2"])})`,
    () => `${name()}.at(${end()})`,
    () => `${name()}.with(${end()},${value()})`,
    () => `${name()}.${pick(["toSorted", "toReversed"])}()`,
    () => `${name()}.toSpliced(${end()},${below(3)},${values(2)})`,
    () => `[...${name()}.${pick(["keys", "values", "entries"])}()].slice(0,50)`,
    () => `{n=0;for(const v of ${name()}){if(n++>20)break;if(n<4)${name()}.push(v)}}`,
    () => `{n=0;for(const v of ${name()}){if(n++>20)break;if(n===2)${name()}.length=${place()}}}`,
    () => `{q='';for(const k in ${name()}){q+=k;if(q.length>60)break;if(k>2)${name()}.pop()}h(q)}`,
    () =>
      `Object.defineProperty(${name()},${place()},{value:${value()},writable:true,${
        pick(["", "configurable:true,"])
      }enumerable:true})`,
    () => `Object.defineProperty(${name()},'length',{value:${place()}})`,
    () => `${name()}.name=${value()}`,
    () => `Reflect.ownKeys(${name()})`,
    () => `JSON.stringify(${name()},(k,v)=>typeof v==='bigint'?'b':v)`,
    () =>
      `{const p=Array.prototype;p[${below(5)}]='P';try{h(${
        pick([`${name()}.slice()`, `[...${name()}]`, `${name()}.shift()`, `${name()}.splice(1,1)`])
      })}finally{for(const k of [0,1,2,3,4])delete p[k]}}`,
    () =>
      `Array.prototype.${
        pick([
          "push.call(o,1)",
          "pop.call(o)",
          "splice.call(o,0,1)",
          "shift.call(o)",
          "unshift.call(o,2)",
        ])
      }`,
    () => `${name()}=new class extends Array{}(${below(5)})`,
    () =>
      `(function(){arguments[${below(4)}]=${value()};${
        pick(["arguments.length=2", "delete arguments[0]", "void 0"])
      };return [...arguments]})(${values(4)})`,
    () => `{const k=${name()};for(let i=0;i<${below(30)};i++)k.push(i);}`,
    () => `{const k=${name()};for(let i=0;i<${below(9)};i++)k.shift();}`,
  ];
  const body = Array.from({ length: 4 + below(8) }, () => {
    const line = pick(lines)();
    // a statement adds what it has to say itself
    return `try{${line.startsWith("{") ? line : `h(${line})`}}catch(e){h(e)}h(a.length)`;
  });
  return [
    pick(["'use strict'", "0"]),
    `let a=${literal()},b=${literal()},c=new Array(${below(6)}),n=0,p,q,o={length:${below(4)},1:1}`,
    ...body,
    "h(a);h(b);h(c);h(o)",
  ].join(";\n");
}

/** Runs programs, and gives the digest of each. */
export function arrayDigests(first, count) {
  return Array.from({ length: count }, (_, index) => {
    const digest = new Digest(false);
    new Function("h", arrayProgram(first + index))((value) => digest.add(shown(value)));
    return digest.value;
  });
}

/** The lines of one program, each before all that it gave. */
export function arrayTrace(seed) {
  const digest = new Digest(true);
  const lines = arrayProgram(seed).split(";\n");
  const traced = lines.map((line, at) => at < 2 ? line : `t(${at});${line}`).join(";\n");
  const tell = (at) => digest.add(lines[at]);
  new Function("h", "t", traced)((value) => digest.add(shown(value)), tell);
  return [...lines.slice(0, 2), ...digest.texts];
}
