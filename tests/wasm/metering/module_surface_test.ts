import { assert, assertEquals, assertThrows } from "@std/assert";
import { meterModule, type MeterOptions } from "../../../wasm/metering/meter.ts";
import { MeterError } from "../../../wasm/metering/meter_error.ts";
import { counter, INITIAL_FUEL, instantiate, meter, outcome } from "./metered_program.ts";
import { buildModule, I32, leb, name, PREAMBLE, section, sleb, vector } from "./module_builder.ts";
import { assemble, binaryenAccepts } from "./wat.ts";

const FUNCTION = { name: "one", results: [I32], body: [0x41, 1] };

function exportsOf(bytes: Uint8Array<ArrayBuffer>): string[] {
  return WebAssembly.Module.exports(new WebAssembly.Module(bytes)).map(({ name, kind }) =>
    `${name} ${kind}`
  );
}

function refuses(source: Uint8Array, message: string, options: MeterOptions = {}): void {
  assertThrows(() => meterModule(source, options), MeterError, message);
}

Deno.test("module surface: the fuel is exported, and so is all unexported state", () => {
  const source = assemble(`(module
    (import "env" "g" (global (mut i32))) (import "env" "m" (memory 1))
    (global $a (mut i32) (i32.const 1)) (global (mut f64) (f64.const 2)) (global i32 (i32.const 3))
    (table (export "t") 1 funcref) (table 2 externref)
    (export "a" (global $a)))`);
  assertEquals(exportsOf(meter(source)), [
    "t table",
    "a global",
    "__fuel global",
    "__g2 global",
    "__t1 table",
    "__m0 memory",
  ]);
});

Deno.test("module surface: the fuel starts high, and the start function is charged", () => {
  const source = assemble(`(module (memory 1) (start $s)
    (func $s (memory.fill (i32.const 0) (i32.const 1) (i32.const 800))))`);
  const instance = instantiate(meter(source, { mergeMax: 0 }));
  // Entry, three constants, the instruction and 800 bytes at 3 units each.
  assertEquals(counter(instance).value, INITIAL_FUEL - 2_405n);
});

Deno.test("module surface: modules without some section, or without any, are metered", () => {
  assertEquals(exportsOf(meter(Uint8Array.from(PREAMBLE))), ["__fuel global"]);
  assertEquals(exportsOf(meter(buildModule({ memory: [0, 1] }))), ["__fuel global", "__m0 memory"]);
  assertEquals(exportsOf(meter(buildModule({ globals: [1] }))), ["__fuel global", "__g0 global"]);
  const late = buildModule({ functions: [{ ...FUNCTION, exported: false }] });
  assertEquals(exportsOf(meter(late)), ["__fuel global"]);
});

Deno.test("module surface: custom sections stay, but hints about code offsets are removed", () => {
  const custom = (label: string) => section(0, [...name(label), 1, 2, 3]);
  const plain = [...buildModule({ functions: [FUNCTION] })];
  const source = Uint8Array.from([
    ...PREAMBLE,
    ...custom("dylink.0"),
    ...plain.slice(PREAMBLE.length),
    ...custom("metadata.code.branch_hint"),
    ...custom("producers"),
  ]);
  const bytes = meter(source);
  assertEquals([...bytes.subarray(0, 20)], [...source.subarray(0, 20)]);
  const module = new WebAssembly.Module(bytes);
  assertEquals(WebAssembly.Module.customSections(module, "producers").length, 1);
  assertEquals(WebAssembly.Module.customSections(module, "metadata.code.branch_hint").length, 0);
});

Deno.test("module surface: the maximum of a defined memory is set or lowered", () => {
  const grow = (limits: string, maximumPages?: number) => {
    const source = assemble(`(module (memory ${limits})
      (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0)))
      (func (export "size") (result i32) (memory.size)))`);
    const instance = instantiate(meter(source, maximumPages === undefined ? {} : { maximumPages }));
    const steps = [1, 1, 1, 1].map((pages) => outcome(instance, ["grow", pages]));
    return `${steps} ${outcome(instance, ["size"])}`;
  };
  assertEquals(grow("1", 3), "1,2,-1,-1 3");
  assertEquals(grow("1 10", 2), "1,-1,-1,-1 2");
  assertEquals(grow("1 2", 10), "1,-1,-1,-1 2");
  assertEquals(grow("1 2"), "1,-1,-1,-1 2");
  assertEquals(grow("0", 0), "-1,-1,-1,-1 0");
});

Deno.test("module surface: the maximum of an imported memory is lowered in the import", () => {
  const source = assemble(
    `(module (import "env" "f" (func)) (import "env" "memory" (memory 2 32768))
    (import "env" "table" (table 1 funcref)))`,
  );
  const bytes = meter(source, { maximumPages: 1024 });
  const imports = (maximum: number): WebAssembly.Imports => ({
    env: {
      f: () => {},
      memory: new WebAssembly.Memory({ initial: 2, maximum }),
      table: new WebAssembly.Table({ initial: 1, element: "anyfunc" }),
    },
  });
  instantiate(bytes, imports(1024));
  instantiate(source, imports(32_768));
  assertThrows(() => instantiate(bytes, imports(1025)), WebAssembly.LinkError);
});

Deno.test("module surface: an impossible maximum is refused", () => {
  const source = buildModule({ memory: [0, 5] });
  refuses(source, "memory starts with 5 pages, more than maximumPages 4", { maximumPages: 4 });
  for (const maximumPages of [-1, 1.5, 65_537, NaN]) {
    refuses(source, "not a whole number", { maximumPages });
  }
});

Deno.test("module surface: an export name that is taken is a clear error", () => {
  refuses(
    buildModule({ functions: [{ ...FUNCTION, name: "__fuel" }] }),
    'already has an export named "__fuel"',
  );
  const taken = { functions: [{ ...FUNCTION, name: "__g0" }], globals: [1] };
  refuses(buildModule(taken), 'already has an export named "__g0"');
  refuses(meter(buildModule({})), 'already has an export named "__fuel"');
});

Deno.test("module surface: features that are not supported are named", () => {
  const struct = new Map([[1, [1, 0x5f, 0]]]);
  refuses(buildModule({ raw: struct }), "GC type 0x5f is not supported at byte 11");
  refuses(buildModule({ raw: new Map([[1, [1, 0x4e, 0]]]) }), "GC type 0x4e is not supported");
  refuses(buildModule({ memory: [4, 1] }), "memory with 64-bit index is not supported");
  refuses(
    buildModule({ raw: new Map([[4, [1, 0x70, 4, 1]]]) }),
    "table with 64-bit index is not supported",
  );
  const body = (code: number[]) => buildModule({ functions: [{ name: "f", body: code }] });
  refuses(body([0xfb, 0]), "GC instructions are not supported: opcode 0xfb");
  refuses(body([0x27]), "unknown opcode 0x27");
  refuses(body([0xfc, 99]), "unknown opcode 0xfc 0x63");
  refuses(body([0xfd, 0xff, 0x7f]), "unknown opcode 0xfd 0x3fff");
  refuses(body([0xfe, 0x04]), "unknown opcode 0xfe 0x04");
  refuses(body([0x02, 0x6e, 0x0b]), "unsupported value type 0x6e");
  const source = assemble(`(module (tag $e) (global (mut i32) (i32.const 1)) (func $f) (func
    (block $h (try_table (catch $e $h) (call $f)))))`);
  refuses(source, "stack padding does not support try_table", { stackPadding: { global: 0 } });
});

Deno.test("module surface: malformed modules are refused with the fault and its offset", () => {
  const body = (code: number[]) => buildModule({ functions: [{ name: "f", body: code }] });
  const text = (raw: [number, number[]][]) => buildModule({ raw: new Map(raw) });
  refuses(new Uint8Array(), "unexpected end of input at byte 0");
  refuses(
    Uint8Array.of(0, 0x61, 0x73, 0x6d, 2, 0, 0, 0),
    "not a core WebAssembly module of version 1 at byte 4",
  );
  refuses(
    Uint8Array.from([...PREAMBLE, 1, 200, 1]),
    "section 1 claims 200 bytes, more than there are at byte 8",
  );
  refuses(Uint8Array.from([...PREAMBLE, 99, 0]), "unknown section 99 at byte 8");
  refuses(
    Uint8Array.from([...PREAMBLE, 5, 1, 0, 5, 1, 0]),
    "section 5 is repeated or out of order at byte 11",
  );
  refuses(
    text([[1, [...leb(500), 0x60]]]),
    "number of types is 500, more than the bytes left at byte 10",
  );
  refuses(text([[1, [0xff, 0xff, 0xff, 0xff, 0x1f]]]), "does not fit in 32 bits at byte 10");
  refuses(text([[1, [1, 0x60, 0, 0, 7]]]), "section 1 has bytes behind its last entry");
  refuses(text([[3, [1, 5]]]), "type 5 does not exist");
  refuses(
    text([[1, [1, 0x60, 0, 0]], [3, [1, 0]]]),
    "1 functions are declared, but there is no code section",
  );
  refuses(text([[10, [1, 2, 0, 0x0b]]]), "1 function bodies for 0 declared functions");
  refuses(text([[7, [1, 2, 0xc3, 0x28, 0, 0]]]), "name is not UTF-8");
  refuses(text([[7, [1, 1, 0x61, 9, 0]]]), "unknown kind of export 9");
  refuses(text([[5, [1, 9, 1]]]), "unknown flags 9 of a memory");
  refuses(text([[6, [1, I32, 2, 0x41, 0, 0x0b]]]), "unknown flags 2 of a global");
  refuses(text([[6, [1, I32, 0, 0x41, 0]]]), "unexpected end of input");
  refuses(body([0x0c, 1]), "branch to a label that does not exist");
  refuses(body([0x05]), "opcode 0x05 outside a block");
  refuses(body([0x02, 0x40]), "unexpected end of input");
  refuses(body([0x0b, 0x01]), "function body has bytes behind its end");
  refuses(
    body([0x41, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00, 0x1a]),
    "LEB128 number is longer than 5 bytes",
  );
  refuses(
    body(Array.from({ length: 120_000 }, (_, i) => [0x02, 0x40][i % 2] ?? 0)),
    "nested more than 50000 deep",
  );
  refuses(body([0x0e, ...leb(70_000)]), "number of br_table labels is 70000");
  const locals = [1, ...leb(50_001), I32, 0x0b];
  refuses(
    text([[1, [1, 0x60, 0, 0]], [3, [1, 0]], [10, vector([[...leb(locals.length), ...locals]])]]),
    "function has 50001 locals, more than 50000",
  );
});

Deno.test("module surface: additions respect the limits of V8", () => {
  const locals = [1, ...leb(50_000), I32, 0x03, 0x40, 0x0b, 0x0b];
  const source = buildModule({
    raw: new Map([[1, [1, 0x60, 0, 0]], [3, [1, 0]], [
      10,
      vector([[...leb(locals.length), ...locals]]),
    ]]),
  });
  assert(WebAssembly.validate(source));
  refuses(source, "function has 50000 locals, no room for 1 more");
});

Deno.test("module surface: wrapper blocks with several results use an existing type or a new one", () => {
  const source = (results: number[], types: number[][]) =>
    buildModule({
      functions: [
        {
          name: "f",
          parameters: [I32],
          results,
          body: [...results.flatMap(() => [0x20, 0]), 0x20, 0, 0x10, 1, 0x0f],
        },
        {
          name: "g",
          parameters: [I32],
          body: [0x20, 0, 0x04, 0x40, 0x41, ...sleb(0), 0x10, 1, 0x0b],
        },
      ],
      globals: [4096],
      raw: new Map([[
        1,
        vector([
          [0x60, ...vector([[I32]]), ...vector(results.map((type) => [type]))],
          [0x60, ...vector([[I32]]), 0],
          ...types,
        ]),
      ]]),
    });
  const padding: MeterOptions = { stackPadding: { global: 0, minimumLocals: 0, exported: true } };
  for (const types of [[], [[0x60, 0, 2, I32, I32]]]) {
    const bytes = meter(source([I32, I32], types), padding);
    assert(binaryenAccepts(bytes));
    assertEquals(outcome(instantiate(bytes), ["f", 3]), "3, 3");
  }
  assertEquals(outcome(instantiate(meter(source([I32], []), padding)), ["f", 3]), "3");
  assertEquals(outcome(instantiate(meter(source([], []), padding)), ["f", 3]), "undefined");
});
