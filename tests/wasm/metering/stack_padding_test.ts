import { assert, assertEquals, assertThrows } from "@std/assert";
import type { StackPadding } from "../../../wasm/metering/stack_padding.ts";
import { meterModule } from "../../../wasm/metering/meter.ts";
import { MeterError } from "../../../wasm/metering/meter_error.ts";
import { seededBelow } from "../../support/random.ts";
import { type Call, instantiate, meter, outcome } from "./metered_program.ts";
import { printSeed, randomProgram } from "./program_generator.ts";
import { assemble } from "./wat.ts";

const TOP = 65_536;
const EVERY: StackPadding = { global: "auto", base: 64, perLocal: 8, minimumLocals: 0 };

function stackPointer(instance: WebAssembly.Instance, name = "__stack_pointer"): { value: number } {
  const global = instance.exports[name];
  assert(global instanceof WebAssembly.Global);
  return global;
}

/** Functions with and without their own frame, as a C compiler writes them. */
const SOURCE = assemble(`(module
  (import "env" "mark" (func $mark (param i32)))
  (memory 1) (tag $e (param i32))
  (global $sp (export "__stack_pointer") (mut i32) (i32.const ${TOP}))
  (func $peek (call $mark (global.get $sp)))
  (func $leaf (param i32) (result i32) (i32.add (local.get 0) (i32.const 1)))
  (func $frameless (param i32) (result i32)
    (call $peek)
    (if (i32.eqz (local.get 0)) (then (return (i32.const 0))))
    (call $leaf (call $frameless (i32.sub (local.get 0) (i32.const 1)))))
  (func $framed (param i32) (result i32) (local $f i32) (local $r i32)
    (global.set $sp (local.tee $f (i32.sub (global.get $sp) (i32.const 32))))
    (i32.store offset=28 (local.get $f) (local.get 0))
    (call $peek)
    (block $out
      (br_if $out (i32.eqz (local.get 0)))
      (if (i32.eq (local.get 0) (i32.const 77))
        (then (global.set $sp (i32.add (local.get $f) (i32.const 32))) (return (i32.const 7))))
      (local.set $r (call $framed (i32.sub (local.get 0) (i32.const 1)))))
    (local.set $r (i32.add (local.get $r) (i32.load offset=28 (local.get $f))))
    (global.set $sp (i32.add (local.get $f) (i32.const 32)))
    (local.get $r))
  (func $alloca (param i32) (result i32) (local $f i32)
    (local.set $f (global.get $sp))
    (global.set $sp (i32.sub (local.get $f) (i32.mul (local.get 0) (i32.const 16))))
    (call $peek)
    (local.set 0 (if (result i32) (local.get 0)
      (then (call $alloca (i32.sub (local.get 0) (i32.const 1)))) (else (i32.const 1))))
    (global.set $sp (local.get $f))
    (i32.mul (local.get 0) (i32.const 3)))
  (func $pair (param i32) (result i32 i64)
    (call $peek)
    (if (local.get 0) (then (return (i32.const 1) (i64.const 2))))
    (i32.const 3) (i64.const 4))
  (func $tail (param i32) (result i32)
    (call $peek)
    (if (i32.eqz (local.get 0)) (then (return (i32.const 9))))
    (return_call $tail (i32.sub (local.get 0) (i32.const 1))))
  (func $throw (param i32) (result i32) (local $f i32)
    (global.set $sp (local.tee $f (i32.sub (global.get $sp) (i32.const 48))))
    (call $peek)
    (if (i32.eqz (local.get 0)) (then (throw $e (i32.const 5))))
    (drop (call $throw (i32.sub (local.get 0) (i32.const 1))))
    (global.set $sp (i32.add (local.get $f) (i32.const 48)))
    (i32.const 0))
  (func $catch (param i32) (result i32) (local $f i32) (local $r i32)
    (global.set $sp (local.tee $f (i32.sub (global.get $sp) (i32.const 16))))
    (local.set $r (try (result i32) (do (call $throw (local.get 0)))
      (catch $e (global.set $sp (local.get $f)) (call $peek))))
    (global.set $sp (i32.add (local.get $f) (i32.const 16)))
    (local.get $r))
  (func $catch_without_frame (param i32) (result i32)
    (try (result i32) (do (drop (call $throw (local.get 0))) (i32.const 1))
      (catch_all (call $peek) (i32.const 2))))
  (func $nested (param i32) (result i32)
    (try $o (result i32)
      (do (try (result i32) (do (call $throw (local.get 0))) (catch $e (call $peek) (rethrow 0))))
      (catch $e (call $peek) (i32.add (call $catch (local.get 0))))))
  (func (export "frameless") (param i32) (result i32) (call $frameless (local.get 0)))
  (func (export "framed") (param i32) (result i32) (call $framed (local.get 0)))
  (func (export "alloca") (param i32) (result i32) (call $alloca (local.get 0)))
  (func (export "pair") (param i32) (result i32 i64) (call $pair (local.get 0)))
  (func (export "tail") (param i32) (result i32) (call $tail (local.get 0)))
  (func (export "throw") (param i32) (result i32) (call $throw (local.get 0)))
  (func (export "catch") (param i32) (result i32) (call $catch (local.get 0)))
  (func (export "catch_without_frame") (param i32) (result i32) (call $catch_without_frame (local.get 0)))
  (func (export "nested") (param i32) (result i32) (call $nested (local.get 0)))
  (func (export "exported_catch") (param i32) (result i32)
    (try (result i32) (do (call $throw (local.get 0))) (catch $e (call $peek)))))`);

/** Runs a call and records the stack pointer wherever the program reads it. */
function observe(
  bytes: Uint8Array<ArrayBuffer>,
  entry: Call,
): { result: string; marks: number[]; end: number } {
  const marks: number[] = [];
  const instance = instantiate(bytes, {
    env: { mark: (pointer: number) => void marks.push(pointer) },
  });
  const result = outcome(instance, entry);
  return { result, marks, end: stackPointer(instance).value };
}

const RETURNING: readonly Call[] = [
  ["frameless", 0],
  ["frameless", 20],
  ["framed", 0],
  ["framed", 30],
  ["framed", 100],
  ["alloca", 5],
  ["pair", 0],
  ["pair", 1],
  ["tail", 50],
  ["catch", 0],
  ["catch", 4],
  ["catch_without_frame", 3],
  ["nested", 2],
  ["exported_catch", 3],
];

Deno.test("stack padding: results are equal, and returns and caught exceptions restore the pointer", () => {
  for (const padding of [EVERY, { ...EVERY, exported: true }, { global: "auto" }] as const) {
    const bytes = meter(SOURCE, { stackPadding: padding });
    for (const entry of RETURNING) {
      const plain = observe(SOURCE, entry);
      const padded = observe(bytes, entry);
      assertEquals(padded.result, plain.result, `${entry}`);
      assertEquals(padded.marks.length, plain.marks.length, `${entry}`);
      assertEquals(padded.end, TOP, `${entry}`);
      for (const pointer of padded.marks) assertEquals(pointer % 16, 0);
    }
  }
});

Deno.test("stack padding: each level of recursion moves the pointer by the padding of its function", () => {
  const bytes = meter(SOURCE, { stackPadding: EVERY });
  const steps = (name: string, depth: number) => {
    const { marks } = observe(bytes, [name, depth]);
    return new Set(marks.slice(0, depth).map((pointer, i) => pointer - (marks[i + 1] ?? 0)));
  };
  // 64 and 8 for each parameter and local, to a multiple of 16; then the frame of the function itself.
  assertEquals(steps("frameless", 10), new Set([80]));
  assertEquals(steps("framed", 10), new Set([96 + 32]));
  assertEquals(steps("throw", 10), new Set([80 + 48]));
  // A tail call takes no space.
  assertEquals(steps("tail", 10), new Set([0]));
});

Deno.test("stack padding: after a catch the pointer is where the catching function had it", () => {
  const bytes = meter(SOURCE, { stackPadding: EVERY });
  const last = (entry: Call) => observe(bytes, entry).marks.at(-1) ?? 0;
  for (const name of ["catch", "catch_without_frame", "nested", "exported_catch"]) {
    const [shallow, deep] = [last([name, 0]), last([name, 9])];
    assertEquals(deep, shallow, name);
    assert(shallow <= TOP);
  }
});

Deno.test("stack padding: the frame of a function stays whole while the pointer is moved", () => {
  // Each level stores its argument in its frame and adds it up on the way out.
  const { result } = observe(meter(SOURCE, { stackPadding: { ...EVERY, base: 512 } }), [
    "framed",
    40,
  ]);
  assertEquals(result, String((40 * 41) / 2));
});

Deno.test("stack padding: frames that are not closed as compilers do stay unchanged", () => {
  const source = assemble(`(module
    (memory 1) (global $sp (export "__stack_pointer") (mut i32) (i32.const ${TOP}))
    (func $scribble (local $f i32)
      (global.set $sp (local.tee $f (i32.sub (global.get $sp) (i32.const 512))))
      (memory.fill (local.get $f) (i32.const 0xaa) (i32.const 512))
      (global.set $sp (i32.add (local.get $f) (i32.const 512))))
    (func $pointer (result i32) (global.get $sp))
    (func $moved (local $f i32)
      (global.set $sp (local.tee $f (i32.sub (global.get $sp) (i32.const 32))))
      (call $scribble)
      (local.set $f (i32.add (local.get $f) (i32.const 32)))
      (global.set $sp (local.get $f)))
    (func $shrunk (result i32) (local $f i32) (local $r i32)
      (global.set $sp (local.tee $f (i32.sub (global.get $sp) (i32.const 1000))))
      (i32.store offset=850 (local.get $f) (i32.const 7))
      (global.set $sp (i32.add (local.get $f) (i32.const 800)))
      (call $scribble)
      (local.set $r (i32.load offset=850 (local.get $f)))
      (global.set $sp (i32.add (local.get $f) (i32.const 1000)))
      (local.get $r))
    (func $late (param i32) (result i32) (local $f i32)
      (if (local.get 0) (then (return (call $pointer))))
      (global.set $sp (local.tee $f (i32.sub (global.get $sp) (i32.const 128))))
      (call $scribble)
      (global.set $sp (i32.add (local.get $f) (i32.const 128)))
      (i32.const 5))
    (func (export "moved") (call $moved))
    (func (export "shrunk") (result i32) (call $shrunk))
    (func (export "late") (param i32) (result i32) (call $late (local.get 0))))`);
  const bytes = meter(source, { stackPadding: EVERY });
  // The path that opens no frame is padded as well: 64 bytes, and 8 for each of two locals.
  assertEquals(outcome(instantiate(bytes), ["late", 1]), String(TOP - 80));
  const calls: readonly Call[] = [["moved"], ["shrunk"], ["late", 0]];
  for (const entry of calls) {
    const instance = instantiate(bytes);
    assertEquals(outcome(instance, entry), outcome(instantiate(source), entry), `${entry}`);
    assertEquals(stackPointer(instance).value, TOP, `${entry}`);
  }
});

Deno.test("stack padding: small functions are not padded unless they are the only ones on a cycle", () => {
  const source = assemble(`(module
    (global $sp (export "__stack_pointer") (mut i32) (i32.const 4096))
    (func $leaf (result i32) (global.get $sp))
    (func $small (result i32) (call $leaf))
    (func $even (param i32) (result i32)
      (if (result i32) (local.get 0) (then (call $odd (i32.sub (local.get 0) (i32.const 1)))) (else (call $leaf))))
    (func $odd (param i32) (result i32) (call $even (local.get 0)))
    (func (export "small") (result i32) (call $small))
    (func (export "cycle") (param i32) (result i32) (call $even (local.get 0))))`);
  const instance = instantiate(
    meter(source, { stackPadding: { global: 0, base: 64, perLocal: 0 } }),
  );
  assertEquals(outcome(instance, ["small"]), "4096");
  const [first, tenth] = [outcome(instance, ["cycle", 0]), outcome(instance, ["cycle", 10])].map(
    Number,
  );
  assertEquals((first ?? 0) - (tenth ?? 0), 10 * 64);
});

Deno.test("stack padding: random programs keep their results and leave the pointer where it was", () => {
  const seed = 4_711;
  printSeed(seed);
  for (let number = 0; number < 300; number++) {
    const random = seededBelow(seed + number);
    const source = randomProgram(random, number % 2 === 1);
    const bytes = meter(source, {
      stackPadding: { ...EVERY, global: 1, exported: number % 3 === 0 },
    });
    const [plain, padded] = [instantiate(source), instantiate(bytes)];
    for (let i = 0; i < 6; i++) {
      const entry: Call = [`f${i % 3}`, random(100) - 50, random(100) - 50];
      const expected = outcome(plain, entry);
      assertEquals(outcome(padded, entry), expected, `program ${number}, ${entry}`);
      const pointer = stackPointer(padded, "__g1");
      if (expected !== "thrown value") {
        assertEquals(pointer.value, TOP, `program ${number}, ${entry}`);
      }
      pointer.value = TOP;
    }
  }
});

Deno.test("stack padding: the pointer is found by its name or by the way functions begin", () => {
  const frame = `(func (local $f i32)
    (global.set $sp (local.tee $f (i32.sub (global.get $sp) (i32.const 16)))) (call $x)
    (global.set $sp (i32.add (local.get $f) (i32.const 16))))`;
  const find = (globals: string, functions = frame) => {
    const source = assemble(`(module ${globals} (func $x) ${functions})`);
    return meterModule(source, { stackPadding: { global: "auto" } }).stats.stackPointer;
  };
  const other = `(global (mut i32) (i32.const 0))`;
  assertEquals(find(`${other} (global $sp (mut i32) (i32.const 1024))`), 1);
  assertEquals(find(`(import "env" "__stack_pointer" (global $sp (mut i32))) ${other}`, ""), 0);
  assertEquals(
    find(`${other} (global $sp (export "__stack_pointer") (mut i32) (i32.const 4))`, ""),
    1,
  );
  assertEquals(find(`(global $sp (mut i32) (i32.const 4)) (global i32 (i32.const 1))`, ""), 0);
  assertThrows(() => find(`${other} ${other}`, ""), MeterError, "no stack pointer found");
  const source = assemble(`(module (global i32 (i32.const 1)))`);
  assertThrows(
    () => meterModule(source, { stackPadding: { global: 0 } }),
    MeterError,
    "global 0 is not a mutable i32",
  );
});
