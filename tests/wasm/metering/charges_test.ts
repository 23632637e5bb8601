import { assertEquals } from "@std/assert";
import type { MeterOptions } from "../../../wasm/metering/meter.ts";
import {
  checkMetering,
  counter,
  INITIAL_FUEL,
  instantiate,
  meter,
  outcome,
} from "./metered_program.ts";
import { assemble } from "./wat.ts";

Deno.test("charges: branches, blocks and loops cost as much as a count of every instruction", () => {
  const source = assemble(`(module
    (func (export "sum") (param i32) (result i32) (local $s i32)
      (block $out (loop $l
        (br_if $out (i32.eqz (local.get 0)))
        (local.set $s (i32.add (local.get $s) (local.get 0)))
        (local.set 0 (i32.sub (local.get 0) (i32.const 1)))
        (br $l)))
      (local.get $s))
    (func (export "nested") (param i32 i32) (result i32) (local $i i32) (local $n i32)
      (loop $outer
        (local.set $i (i32.const 0))
        (loop $inner
          (if (i32.and (local.get $i) (i32.const 1))
            (then (local.set $n (i32.add (local.get $n) (i32.const 3))))
            (else (local.set $n (i32.xor (local.get $n) (local.get $i)))))
          (br_if $inner (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get 1))))
        (br_if $outer (i32.gt_s (local.tee 0 (i32.sub (local.get 0) (i32.const 1))) (i32.const 0))))
      (local.get $n))
    (func (export "choose") (param i32) (result i32)
      (block $d (block $c (block $b (block $a
        (br_table $a $b $c $d (local.get 0)))
        (return (i32.const 10)))
        (nop) (drop (i32.mul (i32.const 3) (local.get 0))))
        (return (i32.const 30)))
      (i32.add (local.get 0) (i32.const 40)))
    (func (export "values") (param i32) (result i32)
      (block $b (result i32)
        (drop (br_if $b (i32.const 5) (i32.gt_s (local.get 0) (i32.const 2))))
        (if (result i32) (local.get 0) (then (i32.const 7)) (else (br $b (i32.const 9))))))
    (func (export "early") (param i32) (result i32)
      (if (i32.eqz (local.get 0)) (then (return (i32.const -1))))
      (loop $l
        (if (i32.eq (local.get 0) (i32.const 7)) (then (return (i32.const 77))))
        (br_if $l (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
      (i32.const 1)))`);
  checkMetering(source, [
    ["sum", 0],
    ["sum", 1],
    ["sum", 1000],
    ["nested", 3, 5],
    ["nested", 20, 20],
    ["choose", 0],
    ["choose", 1],
    ["choose", 2],
    ["choose", 3],
    ["choose", -1],
    ["values", 0],
    ["values", 1],
    ["values", 5],
    ["early", 0],
    ["early", 3],
    ["early", 9],
  ]);
});

Deno.test("charges: calls, recursion, indirect calls and helpers paid by their callers", () => {
  const source = assemble(`(module
    (type $unary (func (param i32) (result i32)))
    (table 4 4 funcref) (elem (i32.const 0) $double $fib $count)
    (func $double (param i32) (result i32) (i32.shl (local.get 0) (i32.const 1)))
    (func $fib (export "fib") (param i32) (result i32)
      (if (result i32) (i32.lt_s (local.get 0) (i32.const 2)) (then (local.get 0))
        (else (i32.add (call $fib (i32.sub (local.get 0) (i32.const 1)))
                       (call $fib (i32.sub (local.get 0) (i32.const 2)))))))
    (func $even (param i32) (result i32)
      (if (result i32) (local.get 0) (then (call $odd (i32.sub (local.get 0) (i32.const 1))))
        (else (i32.const 1))))
    (func $odd (param i32) (result i32)
      (if (result i32) (local.get 0) (then (call $even (i32.sub (local.get 0) (i32.const 1))))
        (else (i32.const 0))))
    (func $leaf (param i32) (result i32) (i32.mul (local.get 0) (i32.const 3)))
    (func $helper (param i32) (result i32)
      (if (result i32) (i32.and (local.get 0) (i32.const 1))
        (then (call $leaf (local.get 0))) (else (call $double (call $leaf (local.get 0))))))
    (func $count (param i32) (result i32) (local $s i32)
      (loop $l
        (local.set $s (i32.add (local.get $s) (call $helper (local.get 0))))
        (br_if $l (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
      (local.get $s))
    (func (export "parity") (param i32) (result i32) (call $even (local.get 0)))
    (func (export "indirect") (param i32 i32) (result i32)
      (call_indirect (type $unary) (local.get 1) (local.get 0))))`);
  checkMetering(source, [
    ["fib", 0],
    ["fib", 12],
    ["parity", 0],
    ["parity", 31],
    ["indirect", 0, 21],
    ["indirect", 1, 9],
    ["indirect", 2, 25],
  ]);
  checkMetering(source, [["indirect", 3, 1], ["indirect", 9, 1]], { inexact: true });
});

Deno.test("charges: several results, parameters of blocks, typed select and references", () => {
  const source = assemble(`(module
    (table $t 8 funcref) (elem declare func $one)
    (func $one (result i32) (i32.const 1))
    (func $swap (export "swap") (param i32 i64) (result i64 i32)
      (if (local.get 0) (then (return (local.get 1) (i32.const 8))))
      (local.get 1) (local.get 0))
    (func (export "twice") (param i32 i64) (result i64 i32)
      (local $a i64) (local $b i32)
      (call $swap (local.get 0) (local.get 1)) (local.set $b) (local.set $a)
      (call $swap (local.get $b) (local.get $a)))
    (func (export "reference") (param i32) (result i32)
      (table.set $t (local.get 0)
        (select (result funcref) (ref.func $one) (ref.null func) (i32.and (local.get 0) (i32.const 1))))
      (ref.is_null (table.get $t (local.get 0)))))`);
  checkMetering(source, [
    ["swap", 0, 5n],
    ["swap", 3, 5n],
    ["twice", 0, 6n],
    ["twice", 1, 6n],
    ["reference", 2],
    ["reference", 3],
  ]);
});

Deno.test("charges: bulk memory, tables and memory growth cost by their length", () => {
  const source = assemble(`(module
    (memory 2 40) (data $d "0123456789abcdefghij") (table $t 10 60 funcref) (elem $e func $f $f $f $f)
    (func $f)
    (func (export "fill") (param i32 i32) (result i32)
      (memory.fill (i32.const 64) (local.get 0) (local.get 1)) (i32.load8_u (i32.const 70)))
    (func (export "copy") (param i32) (result i32)
      (memory.copy (i32.const 5000) (i32.const 64) (local.get 0)) (i32.load (i32.const 5004)))
    (func (export "init") (param i32) (result i32)
      (memory.init $d (i32.const 8) (i32.const 0) (local.get 0)) (i32.load (i32.const 8)))
    (func (export "drop") (data.drop $d) (elem.drop $e))
    (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0)))
    (func (export "size") (result i32) (memory.size))
    (func (export "table") (param i32) (result i32)
      (table.init $t $e (i32.const 0) (i32.const 0) (i32.const 4))
      (table.copy $t $t (i32.const 4) (i32.const 0) (local.get 0))
      (table.fill $t (i32.const 2) (ref.null func) (local.get 0))
      (drop (table.grow $t (ref.func $f) (local.get 0)))
      (table.size $t)))`);
  checkMetering(source, [
    ["fill", 7, 0],
    ["fill", 7, 9],
    ["fill", 250, 60_000],
    ["copy", 7],
    ["copy", 4096],
    ["init", 20],
    ["table", 0],
    ["table", 4],
    ["grow", 3],
    ["grow", 0],
    ["grow", 1000],
    ["grow", -1],
    ["size"],
    ["drop"],
  ]);
  checkMetering(source, [["fill", 1, 999_999], ["copy", -1], ["init", 21], ["table", 9]], {
    inexact: true,
  });
});

Deno.test("charges: tail calls", () => {
  const source = assemble(`(module
    (type $b (func (param i32 i32) (result i32))) (table 1 1 funcref) (elem (i32.const 0) $down)
    (func $down (export "down") (param i32 i32) (result i32)
      (if (result i32) (local.get 0)
        (then (return_call $down (i32.sub (local.get 0) (i32.const 1)) (i32.add (local.get 1) (i32.const 2))))
        (else (local.get 1))))
    (func $step (param i32 i32) (result i32)
      (if (local.get 0) (then (return_call_indirect (type $b)
        (i32.sub (local.get 0) (i32.const 1)) (local.get 1) (i32.const 0))))
      (i32.const -5))
    (func (export "through") (param i32) (result i32) (return_call $step (local.get 0) (i32.const 4))))`);
  checkMetering(source, [["down", 0, 0], ["down", 50_000, 1], ["through", 0], ["through", 30]]);
});

Deno.test("charges: exceptions of the first proposal", () => {
  const source = assemble(`(module (tag $e (param i32)) (tag $x)
    (func $throw (param i32) (if (local.get 0) (then (throw $e (local.get 0)))))
    (func $deep (param i32 i32)
      (if (local.get 0) (then (call $deep (i32.sub (local.get 0) (i32.const 1)) (local.get 1)))
        (else (call $throw (local.get 1)))))
    (func (export "catch") (param i32 i32) (result i32)
      (try (result i32) (do (call $deep (local.get 0) (local.get 1)) (i32.const 1))
        (catch $e (i32.const 100) (i32.add)) (catch_all (i32.const 3))))
    (func (export "other") (param i32) (result i32)
      (try (result i32) (do (if (local.get 0) (then (throw $x))) (i32.const 1))
        (catch $e) (catch_all (i32.const 3))))
    (func (export "delegate") (param i32) (result i32)
      (try $outer (result i32)
        (do (try (result i32) (do (call $throw (local.get 0)) (i32.const 1)) (delegate $outer)))
        (catch $e)))
    (func (export "rethrow") (param i32) (result i32) (local $n i32)
      (try (result i32)
        (do (try $inner (result i32) (do (call $throw (local.get 0)) (i32.const 1))
          (catch $e (drop) (local.set $n (i32.const 5)) (rethrow $inner))))
        (catch $e (local.get $n) (i32.add))))
    (func (export "uncaught") (param i32) (call $throw (local.get 0)))
    (func (export "loop") (param i32) (result i32) (local $n i32)
      (loop $l
        (try (do (call $throw (i32.and (local.get 0) (i32.const 1))))
          (catch $e (drop) (local.set $n (i32.add (local.get $n) (i32.const 1)))))
        (br_if $l (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
      (local.get $n)))`);
  checkMetering(source, [
    ["catch", 0, 0],
    ["catch", 4, 0],
    ["other", 0],
    ["other", 1],
    ["delegate", 0],
    ["rethrow", 0],
    ["uncaught", 0],
  ]);
  // Code that a thrown exception skips has been paid for.
  checkMetering(source, [
    ["catch", 0, 6],
    ["catch", 5, 6],
    ["delegate", 9],
    ["rethrow", 9],
    ["uncaught", 1],
    ["loop", 9],
  ], { inexact: true });
});

Deno.test("charges: exceptions of the current proposal", () => {
  const source = assemble(`(module (tag $e (param i32))
    (func $throw (param i32) (if (local.get 0) (then (throw $e (local.get 0)))))
    (func (export "catch") (param i32) (result i32)
      (block $h (result i32)
        (try_table (result i32) (catch $e $h) (call $throw (local.get 0)) (i32.const 1))))
    (func (export "all") (param i32) (result i32)
      (block $h (try_table (catch_all $h) (call $throw (local.get 0)) (return (i32.const 1))))
      (i32.const 2))
    (func (export "again") (param i32) (result i32)
      (block $out (result i32)
        (try_table (result i32) (catch $e $out)
          (throw_ref (block $in (result exnref)
            (try_table (catch_all_ref $in) (call $throw (local.get 0)))
            (br $out (i32.const 44))))))))`);
  checkMetering(source, [["catch", 0], ["all", 0]]);
  checkMetering(source, [["catch", 3], ["all", 3], ["again", 3], ["again", 0]], { inexact: true });
});

Deno.test("charges: globals, imported and defined, keep their indexes", () => {
  const source = assemble(`(module
    (import "env" "base" (global $base i32)) (import "env" "add" (func $add (param i32 i32) (result i32)))
    (global $a (mut i32) (i32.const 5)) (global $b (mut f64) (f64.const 1.5)) (global $c i64 (i64.const 9))
    (func (export "step") (param i32) (result f64)
      (global.set $a (call $add (global.get $a) (local.get 0)))
      (global.set $b (f64.mul (global.get $b) (f64.convert_i32_s (global.get $a))))
      (f64.add (global.get $b) (f64.convert_i64_s (i64.add (global.get $c) (i64.extend_i32_s (global.get $base)))))))`);
  const imports = { env: { base: 100, add: (a: number, b: number) => a + b } };
  checkMetering(source, [["step", 1], ["step", -4], ["step", 1000]], { imports });
});

Deno.test("charges: a byte of bulk memory costs 3 units, however many there are", () => {
  const source = assemble(`(module (memory 40)
    (data $d "some bytes that are put in place")
    (func (export "fill") (param i32) (memory.fill (i32.const 0) (i32.const 1) (local.get 0)))
    (func (export "copy") (param i32) (memory.copy (i32.const 8) (i32.const 0) (local.get 0)))
    (func (export "init") (param i32)
      (memory.init $d (i32.const 0) (i32.const 0) (local.get 0))))`);
  const instance = instantiate(meter(source, { mergeMax: 0 }));
  const fuel = counter(instance);
  const cost = (name: string, bytes: number): bigint => {
    fuel.value = INITIAL_FUEL;
    outcome(instance, [name, bytes]); // out of bounds for some calls, which are paid for too
    return INITIAL_FUEL - BigInt(fuel.value);
  };
  for (const name of ["fill", "copy", "init"]) {
    const nothing = cost(name, 0);
    for (
      const bytes of [1, 7, 32, 4_096, 262_145, 2_000_000, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff]
    ) {
      assertEquals(cost(name, bytes) - nothing, 3n * BigInt(bytes), `${name} of ${bytes}`);
    }
  }
});

Deno.test("charges: wide stores and float products cost what the module's options set", () => {
  const source = assemble(`(module (memory 1)
    (func (export "i64") (i64.store (i32.const 0) (i64.const 1)))
    (func (export "i32") (i32.store (i32.const 0) (i32.const 1)))
    (func (export "f64") (f64.store (i32.const 0) (f64.const 1)))
    (func (export "add") (drop (f64.add (f64.const 1) (f64.const 3))))
    (func (export "mul") (drop (f64.mul (f64.const 1) (f64.const 3))))
    (func (export "div") (drop (f64.div (f64.const 1) (f64.const 3)))))`);
  const cost = (name: string, options: MeterOptions): bigint => {
    const instance = instantiate(meter(source, options));
    const fuel = counter(instance);
    fuel.value = INITIAL_FUEL;
    outcome(instance, [name]);
    return INITIAL_FUEL - BigInt(fuel.value);
  };
  const surcharges = { i64: 15n, i32: 0n, f64: 0n, add: 0n, mul: 100n, div: 100n };
  for (const [name, more] of Object.entries(surcharges)) {
    const charged = cost(name, { wideStoreUnits: 15, floatUnits: 100 });
    assertEquals(charged - cost(name, {}), more, name);
  }
});

Deno.test("charges: a page of growth costs 100,000 units, whether or not it succeeds", () => {
  const source = assemble(`(module (memory 1 3)
    (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0))))`);
  for (const [pages, answer] of [[0, "1"], [2, "1"], [3, "-1"], [-1, "-1"]] as const) {
    const instance = instantiate(meter(source, { mergeMax: 0 }));
    assertEquals(outcome(instance, ["grow", pages]), answer);
    const used = INITIAL_FUEL - BigInt(counter(instance).value);
    assertEquals(used / 100_000n, BigInt(pages >>> 0), `${pages} pages`);
  }
});
