/** Modules in the guest's files: their kinds, cycles, errors, and what later runs see. */
import { assertEquals } from "@std/assert";
import { type GuestOutcome, runInTurn } from "./support.ts";

type Files = Readonly<Record<string, string>>;

/** A program that writes files. */
function write(files: Files): string {
  return `{ const fs = require("fs"); fs.mkdirSync("lib", { recursive: true });
    for (const [name, text] of Object.entries(${JSON.stringify(files)})) {
      fs.writeFileSync(name, text);
    } }`;
}

function shown({ ending }: GuestOutcome): string {
  if (ending.kind === "text") return ending.text;
  if (ending.kind === "json") return ending.json;
  return ending.kind === "error" ? ending.error.traceback.join("\n") : ending.kind;
}

/** The outcomes of programs that run one after the other, with the given files. */
async function resultsWith(files: Files, programs: readonly string[]): Promise<readonly string[]> {
  const outcomes = await runInTurn([write(files), ...programs]);
  return outcomes.slice(1).map(shown);
}

Deno.test("local modules: each kind can be imported and required", async () => {
  const files = {
    "lib/m.mjs": "export default class M { get x() { return 1 } }\nexport const y = 2;",
    "lib/c.cjs": "exports.z = 3; exports.path = __filename;",
    "lib/t.ts": "export enum E { A = 4 }\nexport const f = <T,>(value: T): T => value;",
    "lib/d.json": '{"n":[5]}',
  };
  const results = await resultsWith(files, [
    "import M, { y } from './lib/m.mjs'; [new M().x, y]",
    "import c, { z } from './lib/c.cjs'; [c.z, z, c.path]",
    "import { E, f } from './lib/t'; f(E.A)",
    "import d from './lib/d.json' with { type: 'json' }; d.n",
    "const { z: required } = require('./lib/c.cjs'); [required, require('./lib/d').n[0]]",
    "[(await import('./lib/m.mjs')).y, (await import('file:///workspace/lib/t.ts')).E.A]",
  ]);
  assertEquals(results, [
    ...["[1,2]", '[3,3,"/workspace/lib/c.cjs"]', "4", "[5]", "[3,5]", "[2,4]"],
  ]);
});

Deno.test("local modules: a cycle gives the exports that exist so far", async () => {
  const files = {
    "lib/a.js":
      "exports.done = false; const b = require('./b'); exports.seen = b.seen; exports.done = true;",
    "lib/b.js": "exports.seen = require('./a').done;",
    "lib/even.mjs":
      "import { odd } from './odd.mjs';\nexport function even(n) { return n === 0 || odd(n - 1) }",
    "lib/odd.mjs":
      "import { even } from './even.mjs';\nexport function odd(n) { return n !== 0 && even(n - 1) }",
  };
  const results = await resultsWith(files, [
    "const a = require('./lib/a'); [a.done, a.seen]",
    "import { even } from './lib/even.mjs'; [even(10), even(7)]",
  ]);
  assertEquals(results, ["[true,false]", "[true,false]"]);
});

Deno.test("local modules: imports are live, in modules and in programs", async () => {
  const files = {
    "lib/count.mjs": "export let n = 0;\nexport function inc() { n++ }\nexport { n as default };",
    "lib/uses.mjs": [
      "import total, { inc, n } from './count.mjs'",
      "const before = n",
      "inc()",
      "export const seen = [before, n, total, { n }.n, `${n}`, ((n) => n)('own'), (() => { let n = 'block'; return n })()]",
      "export const more = () => { inc(); return n }",
      "export { n as again }",
    ].join("\n"),
    "lib/calls.mjs":
      "export function self() { return this }\nexport const tag = (strings) => strings[0];",
  };
  const results = await resultsWith(files, [
    "import { seen, more, again } from './lib/uses.mjs'; [seen, more(), again]",
    "import { n, inc } from './lib/count.mjs'; const first = n\ninc()\n;[n - first, typeof n, { n }.n === n]",
    "import { self, tag } from './lib/calls.mjs'; const x = 1\nself()\ntag`t`\n;[x, self() === undefined, tag`t`]",
    "import { inc as n } from './lib/count.mjs'; function f(inc, { n }, ...[m = n]) { for (const n of [7]) inc = n; return [inc, n, m] }\nf(1, { n: 2 })",
    "import { n } from './lib/count.mjs'; let name; try { n = 5 } catch (error) { name = error.name }\nname",
  ]);
  assertEquals(results, [
    '[[0,1,1,1,"1","own","block"],2,2]',
    '[1,"number",true]',
    '[1,true,"t"]',
    "[7,2,2]",
    "'TypeError'",
  ]);
});

Deno.test("local modules: a namespace is printed with the values of its exports", async () => {
  const files = {
    "lib/m.mjs": "export let b = 1\nexport const inc = () => ++b\nexport default { d: [1] }",
  };
  const results = await resultsWith(files, [
    "import * as m from './lib/m.mjs'; m.inc(); require('util').inspect(m, { breakLength: Infinity })",
    "const { inspect } = require('util'); inspect([await import('./lib/m.mjs')], { showProxy: true }).length > 0",
  ]);
  assertEquals(results, [
    "'[Module: null prototype] { b: 2, default: { d: [ 1 ] }, inc: [Function: inc] }'",
    "true",
  ]);
});

Deno.test("local modules: a cycle of classes and constants", async () => {
  const files = {
    "lib/parent.mjs": "import { Child } from './child.mjs';\n" +
      "export class Parent { children() { return [new Child(this)] } }\nexport const LIMIT = 3;",
    "lib/child.mjs": "import { LIMIT, Parent } from './parent.mjs';\n" +
      "export class Child { constructor(p) { this.ok = p instanceof Parent && LIMIT === 3 } }",
    "lib/shape.ts": "import { Circle } from './circle';\n" +
      "export abstract class Shape { static unit(): Shape { return new Circle(1) } abstract area(): number }",
    "lib/circle.ts": "import { Shape } from './shape';\n" +
      "export class Circle extends Shape { constructor(private r: number) { super() } area() { return this.r } }",
  };
  const results = await resultsWith(files, [
    "import { Parent } from './lib/parent.mjs'; new Parent().children()",
    "import './lib/circle.ts'; import { Shape } from './lib/shape.ts'; Shape.unit().area()",
  ]);
  assertEquals(results, ['[{"ok":true}]', "1"]);
});

Deno.test("local modules: a cycle through a file that exports all of others", async () => {
  const files = {
    "lib/index.mjs": "export * from './a.mjs'\nexport * from './b.mjs'\nexport const own = 1",
    "lib/a.mjs":
      "import { B, own } from './index.mjs'\nexport class A { make() { return new B(own) } }",
    "lib/b.mjs":
      "import { A } from './index.mjs'\nexport class B { constructor(x) { this.x = x; this.maker = A.name } }",
    "lib/types.ts":
      "export { A } from './ta'\nexport { type Shape, B, Shape as Form } from './shapes'\nexport interface Other {}",
    "lib/ta.ts":
      "import { B, Other } from './types'\nexport class A { make(_?: Other) { return new B() } }",
    "lib/shapes.ts":
      "import { A } from './types'\nexport interface Shape {}\nexport class B { a = A.name }",
    "lib/wrong.mjs": "import { missing } from './index.mjs'",
    "lib/slow.mjs": "export let n = 1\nawait null\nn = 2",
    "lib/wrong_slow.mjs": "import { missing } from './slow.mjs'",
  };
  const failure = (path: string) => `(await import('${path}').catch((error) => error)).name`;
  const results = await resultsWith(files, [
    "import { A } from './lib/index.mjs'; new A().make()",
    "import { A } from './lib/types.ts'; new A().make()",
    `[${failure("./lib/wrong.mjs")}, (await import('./lib/slow.mjs')).n, ${
      failure("./lib/wrong_slow.mjs")
    }]`,
  ]);
  assertEquals(results, [
    '{"x":1,"maker":"A"}',
    '{"a":"A"}',
    '["SyntaxError",2,"SyntaxError"]',
  ]);
});

Deno.test("local modules: errors show the file and the line", async () => {
  const files = {
    "lib/late.mjs": "export function fail() {\n  throw new Error('late')\n}",
    "lib/early.cjs": "const x = null;\nx.y;",
    "lib/bad.js": "const a = 1;\nlet b = ;",
    "lib/bad.mjs": "export const a = 1;\n\nexport let b = ;",
  };
  const results = await resultsWith(files, [
    "import { fail } from './lib/late.mjs';\nfail()",
    "\nrequire('./lib/early.cjs')",
    "require('./lib/bad.js')",
    "await import('./lib/bad.mjs')",
  ]);
  assertEquals(results, [
    "Error: late\n    at fail (file:///workspace/lib/late.mjs:2:13)\n    at main-2.js:2:1",
    "TypeError: cannot read property 'y' of null\n" +
    "    at /workspace/lib/early.cjs:2:1\n    at main-3.js:2:1",
    "SyntaxError: unexpected token in expression: ';'\n" +
    "    at /workspace/lib/bad.js:2:9\n    at main-4.js:1:1",
    "SyntaxError: Unexpected token at 3:16 of /workspace/lib/bad.mjs\n    at main-5.js:1:6",
  ]);
});

Deno.test("local modules: a later run reloads a changed file and keeps the others", async () => {
  const base = "console.log('base'); export const n = 1;";
  const files = {
    "lib/base.mjs": base,
    "lib/user.mjs":
      "console.log('user'); import { n } from './base.mjs'; export const twice = 2 * n;",
    "lib/count.js": "console.log('count'); let n = 0; module.exports = () => ++n;",
  };
  const use = "import { twice } from './lib/user.mjs'; [twice, require('./lib/count')()]";
  const outcomes = await runInTurn([
    `${write(files)}; 0`,
    use,
    use,
    `${write({ "lib/base.mjs": base.replace("1", "5"), "lib/other.txt": "x" })}; 0`,
    use,
    "const fs = require('fs'); fs.unlinkSync('lib/count.js'); require('./lib/count')()",
    "require('./lib/count')",
  ]);
  assertEquals(outcomes.map(({ stdout }) => stdout.replaceAll("\n", " ").trim()), [
    ...["", "base user count", "", "", "base user", "", ""],
  ]);
  assertEquals(outcomes.slice(0, 5).map(shown), ["0", "[2,1]", "[2,2]", "0", "[10,3]"]);
  assertEquals(
    outcomes[6] && shown(outcomes[6]).split("\n")[0],
    "Error: Cannot find module './lib/count'",
  );
});

Deno.test("local modules: a run loads a file once, unless it is deleted from the cache", async () => {
  const first = "exports.n = 1";
  const [result] = await resultsWith({ "lib/x.js": first }, [
    `const fs = require('fs');
    const ns = [require('./lib/x').n];
    fs.writeFileSync('lib/x.js', 'exports.n = 2');
    ns.push(require('./lib/x').n);
    delete require.cache[require.resolve('./lib/x')];
    ns.push(require('./lib/x').n);
    ns`,
  ]);
  assertEquals(result, "[1,1,2]");
});

Deno.test("local modules: the importer waits for a top-level await", async () => {
  const files = {
    "lib/slow.mjs": "export const v = await new Promise((r) => setTimeout(r, 9, 'v'));",
  };
  const results = await resultsWith(files, [
    "const { v } = await import('./lib/slow.mjs'); v",
    "import { v } from './lib/slow.mjs'; v",
  ]);
  assertEquals(results, ["'v'", "'v'"]);
});
