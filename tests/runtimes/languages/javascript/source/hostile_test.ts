// test: long
/**
 * Sources made to cost their reader more than they cost their author. All are at the limit of
 * 64 KiB. A test that does not end is the failure here; how long each takes is not measured.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { GuestError } from "../../../../../runtimes/engine/engine.ts";
import { newPreparer, prepared, refused, TYPESCRIPT } from "./preparer.ts";

const LIMIT = 65_536;

function filled(unit: string, head = "", tail = ""): string {
  const times = Math.floor((LIMIT - head.length - tail.length) / unit.length);
  return head + unit.repeat(times) + tail;
}

function nested(open: string, inner: string, close: string, limit = LIMIT): string {
  const times = Math.floor((limit - inner.length) / (open.length + close.length));
  return open.repeat(times) + inner + close.repeat(times);
}

function numbered(unit: (n: string) => string, head = "", tail = ""): string {
  const parts = [head];
  let length = head.length + tail.length;
  for (let n = 0;; n++) {
    const part = unit(n.toString(36));
    length += part.length;
    if (length > LIMIT) return parts.join("") + tail;
    parts.push(part);
  }
}

/** Units that are repeated up to the limit; none contains a space. */
const WORDS = [
  "[ ( { < - ! ~ + ` ' \" / \\ @ # ; , . : ? = > & | ^ % * \n \r \t \0 \u2028 \ufeff é",
  "`${ << a< 1+ a. a?. a?? a** a= a, a=> if(a) for(;;) while(a) try{ switch(a){ case(1):",
  "()=>{ (function(){ (class{ /* ({get[a](){return a?b: a?(b): a?(b)=>(c): a?(b):c=> (a)=>",
  "(a=>( (a:T)=> async( async<T>( <T>( <T,>(a= ({a= ([a= [a= [[ {a: import( import.meta; a!.b",
  "a<b>( a<b>(c)+ f<{a: /a/; 'use(1)'; a:",
].flatMap((line) => line.split(" "));

const UNITS = [
  ...WORDS,
  "new ",
  "typeof ",
  "await ",
  "yield ",
  "do ",
  "function f(){",
  "class A{x=",
  "async x=>",
  "a as any as ",
  "x satisfies any;",
  "@a ",
  "@(class{",
  "declare ",
  "abstract class A{",
  "namespace a{",
  "namespace a{export let b=1}",
  "namespace a{export let b=c;",
  "namespace a{export function b(){b}}namespace a{b}",
  "import{a}from'';",
  "import type{a}from'';export{a};",
  "using a=b;",
  "enum A{a=1,b=a}",
  "class A{constructor(public a){}};",
  "type A=B<",
  "type A=[",
  "type A={a:",
  "type A=B extends C?D:",
  "let a:(b:",
  "import 'a';",
  "1;import 'a';",
  "export let a;",
  "export default ",
  "'use strict';",
  "var a;",
  "else if(a);",
  "//a\n",
  "<a>",
  "</a>",
];

const SHAPES = [
  nested("[", "", "]"),
  nested("(", "1", ")"),
  nested("{", "", "}"),
  nested("[", "a", "]=1"),
  nested("A<", "B", ">"),
  `let a: ${nested("A<", "B", ">", LIMIT - 10)}`,
  `let a: A${"[]".repeat(30_000)}`,
  nested("f<", "a", ">(x)"),
  nested("(<any>", "x", ")"),
  nested("(a=", "1", ")=>0"),
  nested("a?(", "b", "):c=>d"),
  nested("`${", "a", "}`"),
  nested("{a:", "b", "}"),
  nested("<a>", "", "</a>"),
  nested("if(a){", "", "}else{}"),
  nested("namespace a{", "", "}"),
  nested("(function(){", "", "})()"),
  "a?(b):c=>".repeat(40) + "1",
  "(<any>".repeat(40) + "x" + ")".repeat(40),
  `/${"(?<a>)|".repeat(9000)}/`,
  `/${"(".repeat(4000)}${"(?<a>)|".repeat(2000)}${")".repeat(4000)}|${"(".repeat(4000)}${
    "(?<a>)|".repeat(2000)
  }${")".repeat(4000)}/`,
  filled("\\p{L}", "/[", "]/vi"),
  filled("(", "/", "/"),
  numbered((n) => `l${n}:`, "", ";"),
  numbered((n) => `_${n},`, "let ", "a"),
  numbered((n) => `_${n},`, "import{", "a}from'a'"),
  numbered((n) => `_${n},`, "export{", "a}"),
  numbered((n) => `_${n},`, "(", "a)=>1"),
  numbered((n) => `#${n}a;`, "class A{", "}"),
  numbered((n) => `var _${n};`, "{".repeat(1000), "}".repeat(1000)),
  numbered((n) => `_${n},`, "enum A{", "a}"),
  numbered((n) => `enum E${n}{A,B='x'}\n`),
  filled("A.a;", `enum A{a='${"x".repeat(10_000)}'};`),
  filled("a<b,", "", "c>(1)"),
  filled("f<T>(1);", "let T;"),
  filled("\r", "", "import("),
  filled(" ", "", "@"),
];

/** Every member contains the previous one twice: 60 members would be 2^60 characters. */
const DOUBLING = `enum A{a0='xxxxxxxx',${
  Array.from({ length: 60 }, (_, n) => `a${n + 1}=a${n}+a${n}`).join(",")
}}`;

Deno.test("hostile sources: each is prepared or refused, and the next one is prepared", () => {
  const preparer = newPreparer();
  for (const code of [...UNITS.map((unit) => filled(unit)), ...SHAPES, DOUBLING]) {
    for (const typescript of [false, true]) {
      const preparation = preparer.prepare(code, { typescript });
      if (preparation.ok) {
        assert(preparation.source.code.length < 8 * 1024 * 1024);
      } else {
        assertEquals(preparation.error.name, "SyntaxError");
        assert(!preparation.error.message.includes("\u001b"));
      }
      assert(preparer.healthy);
    }
  }
  assertEquals(prepared(preparer, "let a: number = 1; a").code, "let a         = 1; a");
});

Deno.test("hostile sources: work that doubles with every word is stopped by fuel or memory", () => {
  const preparer = newPreparer();
  const refusals: readonly (readonly [string, RegExp])[] = [
    ["(<any>".repeat(40) + "x" + ")".repeat(40), /takes too long to compile/],
    [DOUBLING, /grows too large to compile/],
    [filled("A.a;", `const enum A{a='${"x".repeat(10_000)}'};`), /compile$/],
  ];
  for (const [code, message] of refusals) {
    const error: GuestError = refused(preparer, code, TYPESCRIPT);
    assertMatch(error.message, message);
    assertEquals(error.traceback, [`SyntaxError: ${error.message}`]);
  }
});

Deno.test("hostile sources: a source too deep for the parser is left to QuickJS", () => {
  const preparer = newPreparer();
  for (const code of [filled("["), filled("("), filled("- "), filled("a=>", "", "1")]) {
    const source = prepared(preparer, code);
    assertEquals(source.code, code);
    assertEquals([source.hasValue, source.names.length], [true, 0]);
  }
});

Deno.test("hostile sources: an error quotes no more than a piece of the source", () => {
  const name = "a".repeat(20_000);
  const error = refused(newPreparer(), `export { ${name}, ${name} }`);
  assertMatch(error.message, /^Duplicate export 'a+…$/);
  assertEquals(error.message.length, 1000);
});

Deno.test("hostile sources: preparation does not depend on the host's prototypes", () => {
  const code =
    "const { constructor, __proto__: p, toString } = {}; var hasOwnProperty; class valueOf {}";
  const source = prepared(newPreparer(), code);
  assertEquals([...source.names].sort(), [
    "constructor",
    "hasOwnProperty",
    "p",
    "toString",
    "valueOf",
  ]);
  assertEquals(prepared(newPreparer(), "f<toString>(1)").code, "f          (1)");
});
