/**
 * Names of types in imports and exports, and namespaces in several parts: the output is that of
 * programs that TypeScript's own compiler made.
 */
import { assertEquals, assertMatch } from "@std/assert";
import { runOn, WIDE_LIMITS } from "../../../../support/engine_runs.ts";
import { startEngine } from "./support.ts";

type Files = Readonly<Record<string, string>>;

const FILES: Files = {
  "types.ts": `export interface User { name: string }
export type Id = number;
export const make = (name: string): User => ({ name });
export default interface Options { deep: boolean }`,
  "repository.ts": `import Options, { Id, User } from "./types";
import { Pool } from "postgres";
import type { Never } from "nowhere";
import { type Neither } from "nowhere either";
export class Repository {
  constructor(private readonly users: User[], options?: Options, pool?: Pool) {}
  get(id: Id): User { return this.users[id]; }
}
export enum Kind { A, B }
export { User };
export default User;`,
  "index.ts": `export * from "./types";
export { Id, make as build, User } from "./types";
export { Kind, Repository } from "./repository";
import Options, { Id as Key } from "./types";
import { Repository } from "./repository";
export { Key, Options, Repository as Store };`,
  "cycle_a.ts": `import { B } from "./cycle_b";
export class A { b?: B; name = "A"; }`,
  "cycle_b.ts": `import { A } from "./cycle_a";
export class B extends A { name = "B"; }`,
  "effect.ts": `console.log("effect"); export type Effect = 1; export const value = 1;`,
};

const WRITE = `for (const [name, text] of Object.entries(${JSON.stringify(FILES)})) {
  require("fs").writeFileSync(name, text);
}`;

interface Case {
  readonly programs: readonly string[];
  readonly stdout: string;
  readonly typescript?: boolean;
}

const CASES: Readonly<Record<string, Case>> = {
  "an interface beside a function": {
    programs: [`import { User, make } from "./types";
const u: User = make("Ann");
console.log(u.name);`],
    stdout: "Ann\n",
  },
  "re-exports, defaults and what a namespace lists": {
    programs: [`import * as all from "./index.ts";
import ContextState, { User as Person, Repository } from "./repository";
import { Key, Kind, Store, User } from "./index";
const key: Key = 0; let kept: ContextState | undefined; let person: Person; let user: User;
console.log(Object.keys(all), new Store([all.make("x")]).get(key), Kind.B, Store === Repository);`],
    stdout: "[ 'Kind', 'Repository', 'Store', 'build', 'make' ] { name: 'x' } 1 true\n",
  },
  "a statement of types alone does not load its module": {
    programs: [`import { Effect } from "./effect"; import { Request } from "express";
const one: Effect = 1; const f = (r: Request): number => one; console.log(f(null as any));`],
    stdout: "1\n",
  },
  "a module that is imported for its effect is loaded": {
    programs: [`import "./effect"; import { value } from "./effect"; const one: number = value;
console.log(one);`],
    stdout: "effect\n1\n",
  },
  "a cycle through a type": {
    programs: [`import { B } from "./cycle_b"; const b: B = new B(); console.log(b.name);`],
    stdout: "B\n",
  },
  "a name that is unused": {
    programs: [`import { User, make } from "./types"; console.log(make("y"));`],
    stdout: "{ name: 'y' }\n",
    typescript: true,
  },
  "enums and parameter properties beside types": {
    programs: [`import { User } from "./types"; enum E { A = "a" }
class C { constructor(public user: User) {} } console.log(new C({ name: E.A }).user);`],
    stdout: "{ name: 'a' }\n",
  },
  "later runs of a context": {
    programs: [
      `import { Repository, User } from "./repository"; let list: User[] = []; let r: Repository;`,
      `console.log(new Repository([{ name: "later" }]).get(0));`,
      `import { Absent } from "absent"; const f = (a: Absent): number => 2; console.log(f(1));`,
    ],
    stdout: "{ name: 'later' }\n2\n",
  },
  "a default that is a value": {
    programs: [
      `require("fs").writeFileSync("d.ts", "const a: number = 3; export default a; export { a as b };")`,
      `import d, { b } from "./d"; const x: number = d + b; console.log(x)`,
    ],
    stdout: "6\n",
  },
  "namespaces in parts": {
    programs: [
      `namespace Units { export const km = 1000; export function toM(n: number): number { return n * km; } }
namespace Units { export const lap = toM(0.4); }
console.log(Units.lap);`,
    ],
    stdout: "400\n",
  },
  "namespaces in parts: each kind of export and use": {
    programs: [`namespace A {
  export let n: number = 1; export const { a, b: [c] } = { a: 1, b: [2] };
  export class K { v = 1 } export enum E { X = 7 } export namespace B { export const x = 1 }
  const hidden = 2; export const read = () => n + hidden;
}
namespace A {
  n = 3; n++; ({ n } = { n: 30 });
  export const q = [n, a, c, new K().v, E.X, B.x, typeof hidden, read()];
  export namespace B { export const y = x + n }
  const o = { n, a: a };
  export const shadowed = [
    (({ a = 5 }) => a)({}), ((c: number) => { var a = 7; return a + c })(1), ((n) => n)(9),
    [8].map((a) => a)[0], (function a() { return typeof a })(), (() => { for (const a of [6]) return a })(),
  ];
  export const text = \`\${a}\${o.n}\`;
}
console.log(A.q, A.B, A.shadowed, A.text);`],
    stdout:
      `[ 30, 1, 2, 1, 7, 1, 'undefined', 32 ] { x: 1, y: 31 } [ 5, 8, 9, 8, 'function', 6 ] 130\n`,
  },
  "namespaces in parts: nested names, and beside a class or a function": {
    programs: [`namespace X.Y.Z { export const x = 1 } namespace X.Y { export const y = Z.x }
namespace X.Y.Z { export const z = x + y }
class P { static s = 1 } namespace P { export const t = 2 } namespace P { export const u = t }
function f() { return f.v } namespace f { export const w = 4 } namespace f { export const v = w + 1 }
console.log(X, P.u, f());`],
    stdout: "{ Y: { Z: { x: 1, z: 2 }, y: 1 } } 2 5\n",
  },
};

Deno.test("TypeScript modules: output as of compiled programs", async (t) => {
  const engine = await startEngine();
  for (const [name, { programs, stdout, typescript = false }] of Object.entries(CASES)) {
    await t.step(name, () => {
      engine.reset();
      const inContext = name.includes("context");
      let shown = "";
      for (const code of [WRITE, ...programs]) {
        const ran = runOn(engine, { code, typescript, inContext, limits: WIDE_LIMITS });
        if (ran.ending.kind === "error") shown += ran.ending.error.traceback.join("\n");
        shown += ran.stdout;
      }
      assertEquals(shown, stdout);
    });
  }
});

Deno.test("TypeScript modules: a missing name that is used as a value is an error", async () => {
  const engine = await startEngine();
  const programs = [
    `import { User } from "./types"; const u: number = 1; console.log(User);`,
    `import { User, make } from "./types"; const u: User = make("x"); new User();`,
    `import { nothing } from "./index"; const u: number = nothing;`,
  ];
  for (const code of programs) {
    engine.reset();
    runOn(engine, { code: WRITE, limits: WIDE_LIMITS });
    const { ending } = runOn(engine, { code, limits: WIDE_LIMITS });
    assertMatch(
      ending.kind === "error" ? ending.error.message : ending.kind,
      /^The requested module '\.\/(?:types|index)' does not provide an export named '(?:User|nothing)'$/,
    );
  }
});
