/**
 * Contents that no linked module may have. Each refusal names the wheel, the file and what is
 * wrong.
 */
import { assert, assertEquals } from "@std/assert";
import { link } from "../../../wasm/linking/link.ts";
import type { SideModule } from "../../../wasm/linking/side_module.ts";
import { meterModule } from "../../../wasm/metering/meter.ts";
import {
  assembleModule,
  dylinkSection,
  interpreterModule,
  sideModule,
  sideOf,
  USUAL_IMPORTS,
  withSection,
} from "../../support/side_modules.ts";
import { printedSeed, seededBelow } from "../../support/random.ts";

const LIMITS = { memoryBytes: 1 << 22 };
const PLAIN = `(data (offset (global.get $memory)) "abcd")
  (elem (offset (global.get $table)) func $one)
  (global (export "variable") i32 (i32.const 4))
  (func $one (export "PyInit_a") (result i32) (i32.const 1))`;

function refusal(...sides: readonly SideModule[]): string {
  try {
    link(interpreterModule(), sides, LIMITS);
  } catch (error) {
    assert(error instanceof Error);
    assertEquals(error.name, "LinkError", error.stack);
    assert(!error.message.includes("\n"));
    return error.message;
  }
  throw new Error("nothing was refused");
}

/** The message about a module of this text, without the label that it begins with. */
function problemOf(text: string, options: Parameters<typeof sideModule>[2] = {}): string {
  const message = refusal(sideModule("a.so", text, options));
  assert(message.startsWith("w.whl: a.so "), message);
  return message.slice("w.whl: a.so ".length);
}

const NOBODY = "which neither the interpreter nor a library of its wheel exports";

/** A body that holds an instruction. */
function instruction(text: string, more = ""): string {
  return `${more} (func $f (export "PyInit_a") (result i32) ${text} (i32.const 0))`;
}

const TEXTS: readonly (readonly [what: string, text: string, says: string])[] = [
  [
    "a call of the host under the host's own name",
    `(import "wasi_snapshot_preview1" "fd_write"
       (func (param i32 i32 i32 i32) (result i32)))`,
    "imports wasi_snapshot_preview1.fd_write, a call of the host, which no package can make",
  ],
  [
    "a call of the host as if the interpreter exported it",
    `(import "env" "fd_write" (func (param i32 i32 i32 i32) (result i32)))`,
    "imports env.fd_write, a call of the host, which no package can make",
  ],
  [
    "the place of a call of the host",
    `(import "GOT.func" "fd_write" (global (mut i32)))`,
    "imports GOT.func.fd_write, a call of the host, which no package can make",
  ],
  ["an unknown function", `(import "env" "nobody" (func))`, `imports env.nobody, ${NOBODY}`],
  [
    "a function of another module name",
    `(import "host" "add" (func (param i32 i32) (result i32)))`,
    `imports host.add, ${NOBODY}`,
  ],
  [
    "a variable that nobody has",
    `(import "GOT.mem" "nobody" (global (mut i32)))`,
    `imports GOT.mem.nobody, ${NOBODY}`,
  ],
  [
    "the address of a function as that of a variable",
    `(import "GOT.mem" "add" (global (mut i32)))`,
    `imports GOT.mem.add, ${NOBODY}`,
  ],
  [
    "a global of another type",
    `(import "env" "__memory_base64" (global i64))`,
    `imports env.__memory_base64, ${NOBODY}`,
  ],
  [
    "an unknown tag",
    `(import "env" "__other" (tag (param i32)))`,
    `imports env.__other, ${NOBODY}`,
  ],
  [
    "a function of another type",
    `(import "env" "add" (func (param i32) (result i32)))`,
    "imports add as a function of another type than it is",
  ],
  [
    "a start function that calls the interpreter",
    `(import "env" "add" (func $add (param i32 i32) (result i32)))
     (func $start (drop (call $add (i32.const 1) (i32.const 2)))) (start $start)`,
    "has a start function with a call",
  ],
  [
    "a start function that writes",
    `(func $start (i32.store (i32.const 0) (i32.const 1))) (start $start)`,
    "has a start function with the instruction 0x36",
  ],
  [
    "a start function that clears memory of others",
    `(func $start (memory.fill (i32.const 0) (i32.const 0) (i32.const 9))) (start $start)`,
    "has a start function with memory that it fills",
  ],
  ["a global of its own", `(global (mut i32) (i32.const 0))`, "keeps state in a global of its own"],
  [
    "data over the interpreter's",
    `(data (offset (i32.const 64)) "x")`,
    "has data outside of its region of memory",
  ],
  [
    "data that is longer than its region",
    `(data (offset (global.get $memory)) "${"x".repeat(17)}")`,
    "has data outside of its region of memory",
  ],
  [
    "functions in the interpreter's part of the table",
    `(elem (offset (i32.const 1)) func $f) (func $f)`,
    "puts functions outside of its region of the function table",
  ],
  [
    "more functions than it has places for",
    `(elem (offset (global.get $table)) func $f $f $f) (func $f)`,
    "puts functions outside of its region of the function table",
  ],
  [
    "try_table",
    instruction(`(block $b (try_table (catch_all $b) (nop)))`),
    "has try_table, the later form of exceptions",
  ],
  ["table.get", instruction(`(drop (table.get 0 (i32.const 0)))`), "reads the function table"],
  [
    "table.set",
    instruction(`(table.set 0 (i32.const 0) (ref.func $f))`, "(elem declare func $f)"),
    "changes the function table",
  ],
  [
    "table.grow",
    instruction(`(drop (table.grow 0 (ref.func $f) (i32.const 1)))`, "(elem declare func $f)"),
    "changes the function table",
  ],
  [
    "table.fill",
    instruction(
      `(table.fill 0 (i32.const 0) (ref.func $f) (i32.const 1))`,
      "(elem declare func $f)",
    ),
    "changes the function table",
  ],
  ["memory.grow", instruction(`(drop (memory.grow (i32.const 1)))`), "grows the memory by itself"],
  [
    "atomic instructions",
    instruction(`(drop (i32.atomic.load (i32.const 0)))`),
    "has instructions for threads",
  ],
  [
    "an address of the linker that changes",
    instruction(
      `(global.set $got (i32.const 1))`,
      `(import "GOT.mem" "answer" (global $got (mut i32)))`,
    ),
    "changes an address of the linker",
  ],
];

for (const [what, text, says] of TEXTS) {
  Deno.test(`link refuses ${what}`, () => assertEquals(problemOf(text), says));
}

Deno.test("link refuses memories and tables of a module's own, and others than the interpreter's", () => {
  const made = (text: string) =>
    refusal(sideOf("a.so", withSection(assembleModule(`(module ${text})`), dylinkSection({}))));
  assertEquals(made(`(memory 1)`), "w.whl: a.so defines a memory of its own");
  assertEquals(made(`(table 1 funcref)`), "w.whl: a.so defines a table of its own");
  assertEquals(
    made(`(import "env" "spare" (memory 1))`),
    "w.whl: a.so imports another memory, env.spare",
  );
  assertEquals(
    made(`(import "other" "__indirect_function_table" (table 1 funcref))`),
    "w.whl: a.so imports another table, other.__indirect_function_table",
  );
});

Deno.test("link refuses more memory and places than there can be", () => {
  assertEquals(
    problemOf(PLAIN, { memoryBytes: 1 << 30 }),
    "needs more memory (1073741824 bytes) than is left",
  );
  assertEquals(
    problemOf(PLAIN, { tableSlots: 2_000_000 }),
    "needs more entries of the function table than are left",
  );
  assert(problemOf(PLAIN, { memoryAlignment: 40 }).startsWith("is malformed: alignment"));
});

Deno.test("link refuses a symbol that two needed libraries export, and names both", () => {
  const helper = `(func (export "help"))`;
  const message = refusal(
    sideModule("a.so", `(import "env" "help" (func))`, { needed: ["libx.so", "liby.so"] }),
    sideModule("libx.so", helper),
    sideModule("liby.so", helper),
  );
  assertEquals(message, "w.whl: a.so imports help, which both libx.so and liby.so export");
});

Deno.test("link refuses bytes that are not a side module", () => {
  const says = (bytes: Uint8Array<ArrayBuffer>) => refusal(sideOf("a.so", bytes));
  assert(
    says(new TextEncoder().encode("\x7fELF")).startsWith("w.whl: a.so is not a valid WebAssembly"),
  );
  assert(says(new Uint8Array()).startsWith("w.whl: a.so is not a valid WebAssembly module: "));
  const plain = assembleModule(`(module ${USUAL_IMPORTS})`);
  assertEquals(says(plain), "w.whl: a.so is not a side module: it has no section dylink.0");
  const long = [...dylinkSection({})];
  long[12] = 0x7f; // the length of the sizes
  assert(says(withSection(plain, long)).startsWith("w.whl: a.so is malformed: "));
});

Deno.test("link refuses a module that is cut anywhere", () => {
  const { bytes } = sideModule("a.so", PLAIN);
  for (let length = 0; length < bytes.length; length++) {
    const cut = bytes.slice(0, length);
    try {
      link(interpreterModule(), [sideOf("a.so", cut)], LIMITS);
    } catch (error) {
      assert(error instanceof Error && error.name === "LinkError", `${length}: ${error}`);
      continue;
    }
    // it was cut between two sections
    assert(WebAssembly.validate(cut), `cut at ${length}`);
  }
});

Deno.test("link: a mutated module is refused, or the result is valid for V8 and the meter", () => {
  const seed = printedSeed("changed side modules");
  const below = seededBelow(seed);
  const { bytes } = sideModule("a.so", PLAIN);
  const interpreter = interpreterModule();
  let taken = 0;
  for (let round = 0; round < 300; round++) {
    const changed = bytes.slice();
    changed[below(changed.length)] = below(256);
    try {
      const linked = link(interpreter, [sideOf("a.so", changed)], LIMITS);
      assert(WebAssembly.validate(meterModule(linked.bytes, { maximumPages: 100 }).bytes));
      assertEquals(
        WebAssembly.Module.imports(new WebAssembly.Module(linked.bytes)),
        WebAssembly.Module.imports(new WebAssembly.Module(interpreter)),
      );
      taken++;
    } catch (error) {
      assert(
        error instanceof Error && error.name === "LinkError",
        `seed ${seed}, round ${round}: ${error}`,
      );
    }
  }
  assert(taken > 0, `seed ${seed}`);
});
