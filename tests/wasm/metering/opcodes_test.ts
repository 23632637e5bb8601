import { assert, assertEquals } from "@std/assert";
import { checkMetering, instantiate, meter, outcome } from "./metered_program.ts";
import { buildModule, F32, F64, type FunctionSpec, I32, I64, leb } from "./module_builder.ts";
import { assemble } from "./wat.ts";

const INPUTS: ReadonlyMap<number, readonly (number | bigint)[]> = new Map([
  [I32, [0, 1, -1, 0x80000000 | 0, 0x7fffffff, 12345]],
  [I64, [0n, 1n, -1n, -(2n ** 63n), 2n ** 63n - 1n, 0x123456789abcn]],
  [F32, [0, -0, 1.5, -2.75, 1e20, NaN]],
  [F64, [0, -0, 1.5, -2.75, 1e200, NaN]],
]);

/** Opcodes from `first` on that have the same signature. */
type Range = readonly [first: number, count: number, parameters: readonly number[], result: number];

const NUMERIC: readonly Range[] = [
  [0x45, 1, [I32], I32],
  [0x46, 10, [I32, I32], I32],
  [0x50, 1, [I64], I32],
  [0x51, 10, [I64, I64], I32],
  [0x5b, 6, [F32, F32], I32],
  [0x61, 6, [F64, F64], I32],
  [0x67, 3, [I32], I32],
  [0x6a, 15, [I32, I32], I32],
  [0x79, 3, [I64], I64],
  [0x7c, 15, [I64, I64], I64],
  [0x8b, 7, [F32], F32],
  [0x92, 7, [F32, F32], F32],
  [0x99, 7, [F64], F64],
  [0xa0, 7, [F64, F64], F64],
  [0xa7, 1, [I64], I32],
  [0xa8, 2, [F32], I32],
  [0xaa, 2, [F64], I32],
  [0xac, 2, [I32], I64],
  [0xae, 2, [F32], I64],
  [0xb0, 2, [F64], I64],
  [0xb2, 2, [I32], F32],
  [0xb4, 2, [I64], F32],
  [0xb6, 1, [F64], F32],
  [0xb7, 2, [I32], F64],
  [0xb9, 2, [I64], F64],
  [0xbb, 1, [F32], F64],
  [0xbc, 1, [F32], I32],
  [0xbd, 1, [F64], I64],
  [0xbe, 1, [I32], F32],
  [0xbf, 1, [I64], F64],
  [0xc0, 2, [I32], I32],
  [0xc2, 3, [I64], I64],
];

const SATURATING: readonly Range[] = [
  [0, 2, [F32], I32],
  [2, 2, [F64], I32],
  [4, 2, [F32], I64],
  [6, 2, [F64], I64],
];

function operation(
  code: readonly number[],
  parameters: readonly number[],
  result: number,
): FunctionSpec {
  const body = [...parameters.flatMap((_, index) => [0x20, index]), ...code];
  return { name: `op ${code.join(" ")}`, parameters, results: [result], body };
}

function operations(ranges: readonly Range[], prefix: readonly number[]): FunctionSpec[] {
  return ranges.flatMap(([first, count, parameters, result]) =>
    Array.from({ length: count }, (_, i) => operation([...prefix, first + i], parameters, result))
  );
}

function argumentsFor(parameters: readonly number[]): (number | bigint)[][] {
  return parameters.reduce<(number | bigint)[][]>(
    (lists, type) =>
      lists.flatMap((list) => (INPUTS.get(type) ?? []).map((value) => [...list, value])),
    [[]],
  );
}

Deno.test("opcodes: every numeric instruction gives the same results, at one unit each", () => {
  const functions = [...operations(NUMERIC, []), ...operations(SATURATING, [0xfc])];
  const source = buildModule({ functions });
  assert(WebAssembly.validate(source));
  assertEquals(functions.length, 128 + 8);
  for (const { name, parameters = [] } of functions) {
    const calls = argumentsFor(parameters).map((args) => [name, ...args] as const);
    const plain = instantiate(source);
    const working = calls.filter((call) => !outcome(plain, call).startsWith("RuntimeError"));
    const trapping = calls.filter((call) => !working.includes(call)).slice(0, 1);
    checkMetering(source, [...working.slice(0, 12), ...trapping]);
  }
});

Deno.test("opcodes: every load and store gives the same results", () => {
  const loads: [number, number][] = [
    [0x28, I32],
    [0x29, I64],
    [0x2a, F32],
    [0x2b, F64],
    ...[0x2c, 0x2d, 0x2e, 0x2f].map((opcode): [number, number] => [opcode, I32]),
    ...[0x30, 0x31, 0x32, 0x33, 0x34, 0x35].map((opcode): [number, number] => [opcode, I64]),
  ];
  const stores: [number, number][] = [
    [0x36, I32],
    [0x37, I64],
    [0x38, F32],
    [0x39, F64],
    [0x3a, I32],
    [0x3b, I32],
    [0x3c, I64],
    [0x3d, I64],
    [0x3e, I64],
  ];
  const offset = leb(70_000);
  const functions: FunctionSpec[] = [
    ...loads.map(([opcode, type]) => operation([opcode, 0, ...offset], [I32], type)),
    ...stores.map(([opcode, type]) => ({
      name: `store ${opcode}`,
      parameters: [I32, type],
      body: [0x20, 0, 0x20, 1, opcode, 0, 3],
    })),
  ];
  const source = buildModule({ functions, memory: [0, 2] });
  const calls = [
    ...stores.map(([opcode, type]) =>
      [`store ${opcode}`, 70_000 + opcode, INPUTS.get(type)?.[5] ?? 0] as const
    ),
    ...loads.flatMap(([opcode]) =>
      [0, 40, 56, 61_000].map((address) => [`op ${opcode} 0 ${offset.join(" ")}`, address] as const)
    ),
  ];
  checkMetering(source, calls);
});

Deno.test("opcodes: vector instructions and atomics are carried over", () => {
  const source = assemble(`(module (memory 1 1 shared)
    (func (export "vector") (param i32) (result i32) (local $v v128)
      (v128.store offset=16 (i32.const 0) (i32x4.splat (local.get 0)))
      (local.set $v (v128.load8x8_s offset=16 (i32.const 0)))
      (local.set $v (i8x16.shuffle 0 17 2 3 4 5 6 7 8 9 10 11 12 13 14 31 (local.get $v) (v128.const i32x4 1 2 3 4)))
      (local.set $v (v128.load16_lane offset=16 3 (i32.const 2) (local.get $v)))
      (local.set $v (i32x4.add (local.get $v) (v128.load32_zero offset=16 (i32.const 0))))
      (v128.store8_lane offset=64 5 (i32.const 0) (local.get $v))
      (i32.add (i32x4.extract_lane 1 (local.get $v)) (i8x16.extract_lane_u 9 (local.get $v))))
    (func (export "atomic") (param i32) (result i32)
      (atomic.fence)
      (drop (i32.atomic.rmw.add offset=128 (i32.const 0) (local.get 0)))
      (drop (i64.atomic.rmw8.cmpxchg_u (i32.const 140) (i64.const 0) (i64.const 7)))
      (drop (memory.atomic.notify (i32.const 128) (i32.const 1)))
      (i32.atomic.load offset=128 (i32.const 0))))`);
  const [plain, metered] = [instantiate(source), instantiate(meter(source))];
  for (const value of [0, 1, -7, 0x01020384]) {
    for (const name of ["vector", "atomic"]) {
      assertEquals(outcome(metered, [name, value]), outcome(plain, [name, value]));
    }
  }
});

Deno.test("opcodes: instructions that cannot run are carried over and cost nothing", () => {
  const dead = [
    ...[0x41, 1, 0x04, 0x40, 0x05, 0x0b], // if else end
    ...[0x03, 0x40, 0x0c, 0, 0x0b], // an endless loop
    ...[0x41, 0, 0x41, 0, 0x41, 64, 0xfc, 11, 0], // memory.fill
    ...[0x41, 9, 0x40, 0, 0x1a], // memory.grow
    ...[0x02, 0x40, 0x41, 0, 0x0e, 1, 0, 0, 0x0b], // br_table
    ...[0x10, 0], // the function itself
  ];
  const functions: FunctionSpec[] = [
    { name: "return", body: [0x0f, ...dead] },
    { name: "branch", parameters: [I32], results: [I32], body: [0x20, 0, 0x0c, 0, ...dead] },
    { name: "block", body: [0x02, 0x40, 0x0c, 0, ...dead, 0x0b, 0x41, 1, 0x1a] },
    { name: "polymorphic", results: [I32], body: [0x41, 3, 0x0f, 0x6a, 0x1b, 0x45, 0x1a] },
    {
      name: "both",
      parameters: [I32],
      results: [I32],
      body: [0x20, 0, 0x04, 0x40, 0x41, 1, 0x0f, 0x05, 0x41, 2, 0x0f, 0x0b, ...dead, 0x00],
    },
  ];
  const source = buildModule({ functions, memory: [0, 1] });
  assert(WebAssembly.validate(source));
  checkMetering(source, [["return"], ["branch", 4], ["block"], ["polymorphic"], ["both", 0], [
    "both",
    1,
  ]]);
});
