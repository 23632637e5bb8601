/**
 * The console prints what Node's prints: a table of values, options and formats, and programs.
 */
import { assertEquals } from "@std/assert";
import { FORMATS, VALUES, VALUES_WITH_OPTIONS } from "./inspect_values.ts";
import { hasNode, program, runGuest, runNode } from "./support.ts";

/** Formats every value of the table; the output is JSON: pairs of a label and a text. */
function tableProgram(): string {
  const tables = JSON.stringify([VALUES, VALUES_WITH_OPTIONS, FORMATS]);
  return `
globalThis.Foo0 = class Foo0 {};
const { inspect, format } = require("util");
const make = (source) => (0, eval)("(" + source + ")");
const attempt = (label, action) => {
  try { return [label, action()]; } catch (error) { return [label, "threw " + error.name]; }
};
const [values, withOptions, formats] = ${tables};
const shown = [
  ...values.map((value) => attempt(value, () => inspect(make(value)))),
  ...withOptions.map(([value, options]) =>
    attempt(value + " with " + options, () => inspect(make(value), make(options)))),
  ...formats.map((args) => attempt("format " + args, () => format(...make(args)))),
];
require("fs").writeFileSync(1, JSON.stringify(shown));
`;
}

Deno.test({
  name: "console: shows values as Node does",
  ignore: !hasNode,
  fn: async () => {
    const code = tableProgram();
    const [guest, node] = await Promise.all([runGuest(code), runNode(code)]);
    assertEquals(guest.ending.kind, "none");
    const expected: [string, string][] = JSON.parse(node.stdout);
    const actual: [string, string][] = JSON.parse(guest.stdout);
    assertEquals(expected.length, VALUES.length + VALUES_WITH_OPTIONS.length + FORMATS.length);
    assertEquals(actual, expected);
  },
});

for (
  const name of ["console", "errors", "assert", "modules", "process", "order", "timer_promises"]
) {
  Deno.test({
    name: `console: a program about ${name} prints what it prints in Node`,
    ignore: !hasNode,
    fn: async () => {
      const code = await program(name);
      const [guest, node] = await Promise.all([runGuest(code), runNode(code)]);
      assertEquals(guest.stdout, node.stdout);
      assertEquals(guest.stderr, node.stderr);
    },
  });
}

Deno.test("console: methods that print to standard error", async () => {
  const { stdout, stderr } = await runGuest(
    "console.warn('w'); console.error('e'); console.trace('t'); console.info('i')",
  );
  assertEquals(stdout, "i\n");
  assertEquals(stderr, "w\ne\nTrace: t\n    at main.js:1:47\n");
});

Deno.test("console: a guest that replaces process.stdout.write receives the output", async () => {
  const { stdout } = await runGuest(`
const lines = [];
const write = process.stdout.write;
process.stdout.write = (text) => { lines.push(text); return true; };
console.log("hidden");
process.stdout.write = write;
console.log(JSON.stringify(lines));`);
  assertEquals(stdout, '["hidden\\n"]\n');
});

Deno.test("console: large arrays are shown without listing all their keys", async () => {
  const { stdout, ending } = await runGuest(
    "console.log(new Uint8Array(4e6).length, new Uint8Array(4e6), Array(1e9))",
  );
  assertEquals(ending.kind, "none");
  assertEquals(stdout.includes("... 3999900 more items"), true);
  assertEquals(stdout.endsWith("[ <1000000000 empty items> ]\n"), true);
});
