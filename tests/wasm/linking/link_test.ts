import { assert, assertEquals } from "@std/assert";
import { link, type LinkedModule } from "../../../wasm/linking/link.ts";
import type { SideModule } from "../../../wasm/linking/side_module.ts";
import { meterModule } from "../../../wasm/metering/meter.ts";
import {
  ADD_SLOT,
  ANSWER_ADDRESS,
  HEAP_BASE,
  HEAP_WORD,
  interpreterModule,
  sideModule,
  TABLE_SLOTS,
} from "../../support/side_modules.ts";

const LIMITS = { memoryBytes: 1 << 22 };

function linked(...sides: readonly SideModule[]): LinkedModule {
  return link(interpreterModule(), sides, LIMITS);
}

/** An instance of a linked module, metered as an engine is, and booted. */
function started(module: LinkedModule) {
  const { bytes } = meterModule(module.bytes, { maximumPages: 100 });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), {
    wasi_snapshot_preview1: { fd_write: () => 0 },
  });
  const { memory, __indirect_function_table: table, __fuel: fuel } = exports;
  assert(memory instanceof WebAssembly.Memory && table instanceof WebAssembly.Table);
  assert(fuel instanceof WebAssembly.Global);
  fuel.value = 1_000_000n;
  const call = (name: string, ...args: number[]): unknown => {
    const callee = exports[name];
    assert(typeof callee === "function", name);
    return callee(...args);
  };
  for (const { boot } of module.sides) for (const name of boot) call(name);
  const view = new DataView(memory.buffer);
  return {
    exports,
    table,
    fuel,
    call,
    word: (at: number) => view.getUint32(at, true),
    entry: (index = 0) => call("call", module.sides[index]?.entry ?? 0),
  };
}

Deno.test("link: a side module calls the interpreter and itself, and reads variables of both", () => {
  const module = linked(sideModule(
    "a.so",
    `(import "env" "add" (func $add (param i32 i32) (result i32)))
     (import "env" "own" (func $own (result i32)))
     (import "GOT.mem" "answer" (global $answer (mut i32)))
     (import "GOT.mem" "mine" (global $mine (mut i32)))
     (data (offset (global.get $memory)) "\\07\\00\\00\\00")
     (global (export "mine") i32 (i32.const 0))
     (func $seven (export "own") (result i32) (i32.load (global.get $mine)))
     (func (export "PyInit_a") (result i32)
       (call $add (i32.load (global.get $answer)) (call $own)))`,
  ));
  assertEquals(started(module).entry(), 49);
});

Deno.test("link: regions of memory and table follow those of the interpreter, and the heap them", () => {
  const body = `(func (export "PyInit_a") (result i32) (global.get $memory))
    (func $slot (result i32) (global.get $table))
    (elem (offset (global.get $table)) func $slot)`;
  const module = linked(
    sideModule("a.so", body, { memoryBytes: 100 }),
    sideModule("b.so", body, { memoryBytes: 10, memoryAlignment: 8 }),
  );
  const { entry, call, word } = started(module);
  assertEquals([entry(0), entry(1)], [HEAP_BASE, 2304]);
  const second = TABLE_SLOTS + 2;
  assertEquals([call("call", TABLE_SLOTS), call("call", second)], [TABLE_SLOTS, second]);
  assertEquals(module.heapBase, 2320);
  assertEquals(word(HEAP_WORD), 2320);
});

Deno.test("link: the address of a function is its place, the same for all modules", () => {
  const text = `(import "GOT.func" "add" (global $add (mut i32)))
    (import "GOT.func" "mine" (global $mine (mut i32)))
    (func $mine (export "mine") (result i32) (i32.const 5))
    (func (export "PyInit_a") (result i32)
      (i32.add (i32.mul (global.get $add) (i32.const 1000)) (global.get $mine)))`;
  const module = linked(sideModule("a.so", text), sideModule("b.so", text));
  const { entry, call, table } = started(module);
  const [first, second] = [Number(entry(0)), Number(entry(1))];
  assertEquals([Math.floor(first / 1000), Math.floor(second / 1000)], [ADD_SLOT, ADD_SLOT]);
  assertEquals([call("call", first % 1000), call("call", second % 1000)], [5, 5]);
  assert(first !== second);
  // no place is left over that anything could be put into
  assertEquals(table.length, TABLE_SLOTS + 2 * 2 + 2 + 2);
});

Deno.test("link: a start function that gives addresses is done when linking", () => {
  const module = linked(sideModule(
    "a.so",
    `(global $got (mut i32) (i32.const 0))
     (func $rest (global.set $got (i32.add (global.get $memory) (i32.const 4))))
     (func $start
       (memory.fill (i32.add (global.get $memory) (i32.const 4)) (i32.const 0) (i32.const 8))
       (call $rest))
     (start $start)
     (func (export "PyInit_a") (result i32) (global.get $got))`,
  ));
  const { entry, exports } = started(module);
  assertEquals(entry(), HEAP_BASE + 4);
  const mutable = Object.keys(exports).filter((name) => /^__g\d/.test(name));
  assertEquals(mutable, [], "the interpreter's stack pointer is exported by its own name");
});

Deno.test("link: relocations and constructors are called at a boot, libraries first", () => {
  const count = (digit: number) =>
    `(import "GOT.mem" "answer" (global $answer (mut i32)))
     (func (export "__wasm_apply_data_relocs")
       (i32.store (global.get $answer) (i32.add (i32.mul (i32.load (global.get $answer)) (i32.const 10)) (i32.const ${digit}))))
     (func (export "__wasm_call_ctors")
       (i32.store (global.get $answer) (i32.add (i32.mul (i32.load (global.get $answer)) (i32.const 10)) (i32.const ${
      digit + 1
    }))))`;
  const module = linked(
    sideModule("a.so", count(1), { needed: ["libz.so"] }),
    sideModule("libz.so", count(3)),
  );
  const { word } = started(module);
  assertEquals(word(ANSWER_ADDRESS), 42_3412);
});

Deno.test("link: functions and variables of a needed library are found, those of other wheels are not", () => {
  const user = `(import "env" "helped" (func $helped (result i32)))
    (import "GOT.mem" "stock" (global $stock (mut i32)))
    (func (export "PyInit_a") (result i32) (i32.add (call $helped) (i32.load (global.get $stock))))`;
  const library = `(data (offset (global.get $memory)) "\\64\\00\\00\\00")
    (global (export "stock") i32 (i32.const 0))
    (func (export "helped") (result i32) (i32.const 11))`;
  const own = linked(
    sideModule("a.so", user, { needed: ["libh.so"] }),
    sideModule("libh.so", library),
  );
  assertEquals(started(own).entry(1), 111);
  const problem = refusal(
    sideModule("a.so", user, { needed: ["libh.so"] }),
    sideModule("libh.so", library, { group: "other.whl" }),
  );
  assertEquals(
    problem,
    "w.whl: a.so imports env.helped, which neither the interpreter nor a library of its wheel exports",
  );
});

Deno.test("link: exceptions of a side module are the interpreter's, and carry through it", () => {
  const module = linked(sideModule(
    "a.so",
    `(import "env" "__cpp_exception" (tag $cpp (param i32)))
     (func $raise (throw $cpp (i32.const 9)))
     (func (export "PyInit_a") (result i32)
       (try (result i32) (do (call $raise) (i32.const 0)) (catch $cpp)))`,
  ));
  assertEquals(started(module).entry(), 9);
});

Deno.test("link: linked code is metered: an endless loop of a side module ends by fuel", () => {
  const module = linked(sideModule(
    "a.so",
    `(func (export "PyInit_a") (result i32) (loop $again (br $again)) (i32.const 0))`,
  ));
  const { entry, fuel } = started(module);
  let trap: unknown;
  try {
    entry();
  } catch (error) {
    trap = error;
  }
  assert(trap instanceof WebAssembly.RuntimeError);
  assert(BigInt(fuel.value) < 0n);
});

Deno.test("link: the linked module has the interpreter's imports, and is the same each time", () => {
  const side = sideModule("a.so", `(func (export "PyInit_a") (result i32) (i32.const 1))`);
  const imports = (bytes: Uint8Array<ArrayBuffer>) =>
    WebAssembly.Module.imports(new WebAssembly.Module(bytes));
  const { bytes } = linked(side);
  assertEquals(imports(bytes), imports(interpreterModule()));
  assertEquals(linked(side).bytes, bytes);
});

/** The message with which sides are refused. */
function refusal(...sides: readonly SideModule[]): string {
  try {
    linked(...sides);
  } catch (error) {
    assert(error instanceof Error);
    assertEquals(error.name, "LinkError", error.stack);
    return error.message;
  }
  throw new Error("nothing was refused");
}
