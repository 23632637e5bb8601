/** Resources: `using` and `await using` at the top level of scripts. */
import { assertEquals } from "@std/assert";
import { runOn, WIDE_LIMITS } from "../../../../support/engine_runs.ts";
import { startEngine } from "./support.ts";

const RESOURCE = `const open = (name, fails) => ({
  name,
  [Symbol.dispose]() { console.log("close " + name); if (fails) throw new Error("of " + name); },
  async [Symbol.asyncDispose]() {
    await null;
    console.log("closed " + name);
    if (fails) throw new Error("of " + name);
  },
});
`;

interface Case {
  /** Run one after the other, in one context if there are several. */
  readonly programs: readonly string[];
  /** Standard output and, after `!`, the error; after `=`, the value. */
  readonly shown: string;
}

const CASES: Readonly<Record<string, Case>> = {
  "in reverse order, at the end of the script and before timers": {
    programs: [`using a = open("a"), b = open("b");
using none = null, nothing = undefined;
setTimeout(() => console.log("timer"));
console.log("work");
a.name + b.name // the value`],
    shown: "work\nclose b\nclose a\ntimer\n='ab'",
  },
  "awaited, with a fall-back to the synchronous method": {
    programs: [`using a = open("a");
await using b = open("b");
await using c = { [Symbol.dispose]() { console.log("close c") } };
await using none = null;
console.log("work")`],
    shown: "work\nclose c\nclosed b\nclose a\n",
  },
  "when the script throws": {
    programs: [`using a = open("a"); throw new Error("body")`],
    shown: "close a\n!Error: body",
  },
  "when an awaiting script throws": {
    programs: [`await using a = open("a"); throw new Error("body")`],
    shown: "closed a\n!Error: body",
  },
  "when it returns": {
    programs: [`using a = open("a"); if (a) return; open("b")`],
    shown: "close a\n",
  },
  "when disposal throws": {
    programs: [`using a = open("a", true); 1`],
    shown: "close a\n!Error: of a",
  },
  "when script and disposal throw": {
    programs: [`using a = open("a", true); throw new Error("body")`],
    shown: "close a\n!SuppressedError: An error was suppressed during disposal",
  },
  "when it cannot be disposed of": {
    programs: [`using a = open("a"); using b = {}; console.log("never")`],
    shown: "close a\n!TypeError: Symbol(Symbol.dispose) is not a function",
  },
  "a value that is no object": {
    programs: [`using a = 3`],
    shown: "!TypeError: An object is expected with `using` declarations",
  },
  "an assignment to a resource": {
    programs: [`using a = open("a"); a = 1`],
    shown: "close a\n!TypeError: 'a' is read-only",
  },
  "in TypeScript": {
    programs: [
      `type T = { name: string }; using a: T = open("a") as T; const n: string = a.name; n`,
    ],
    shown: "close a\n='a'",
  },
  "in a module": {
    programs: [`import { join } from "path"; using a = open(join("a", "b")); console.log(a.name)`],
    shown: "a/b\nclose a/b\n",
  },
  "in the runs of a context": {
    programs: [
      `using a = open("a"); using b = open("b", true);`,
      `using a = open("again"); a.name`,
      `a.name`,
    ],
    shown: "close b\nclose a\n!Error: of bclose again\n='again'='again'",
  },
  "as a name": {
    programs: [`let using = 1; using\n+= 2; var await_using = using; [using, await_using]`],
    shown: "=[3,3]",
  },
};

Deno.test("using: resources of the top level", async (t) => {
  const engine = await startEngine();
  for (const [name, { programs, shown }] of Object.entries(CASES)) {
    await t.step(name, () => {
      engine.reset();
      const inContext = programs.length > 1;
      let seen = "";
      programs.forEach((code, index) => {
        const program = index === 0 ? RESOURCE + code : code;
        const { stdout, ending } = runOn(engine, { code: program, inContext, limits: WIDE_LIMITS });
        seen += stdout;
        if (ending.kind === "error") seen += `!${ending.error.name}: ${ending.error.message}`;
        else if (ending.kind === "text") seen += `=${ending.text}`;
        else if (ending.kind === "json") seen += `=${ending.json}`;
      });
      assertEquals(seen, shown);
    });
  }
});
