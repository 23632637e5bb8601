import { assert, assertEquals } from "@std/assert";
import { meterModule, type MeterOptions } from "../../../wasm/metering/meter.ts";
import {
  checkMetering,
  counter,
  INITIAL_FUEL,
  instantiate,
  meter,
  outcome,
} from "./metered_program.ts";
import { assemble } from "./wat.ts";

/** A loop around a switch, as interpreters have it: an arm leads straight to the header. */
const INTERPRETER = `(module (memory 1)
  (data (i32.const 0) "\\01\\01\\00\\02\\01\\04\\02\\01\\03")
  (global $hook (mut i32) (i32.const 0))
  (func $called (global.set $hook (i32.const 0)))
  (func (export "run") (param $turns i32) (result i32) (local $pc i32) (local $sum i32)
    (loop $next
      (block $done (block $often (block $jump (block $add
        (if (global.get $hook) (then (call $called)))
        (local.set $turns (i32.sub (local.get $turns) (i32.const 1)))
        (br_table $next $add $jump $done $often
          (select (i32.const 3)
            (i32.load8_u (i32.and (local.tee $pc (i32.add (local.get $pc) (i32.const 1))) (i32.const 7)))
            (i32.le_s (local.get $turns) (i32.const 0)))))
        (local.set $sum (i32.add (local.get $sum) (i32.const 5)))
        (br $next))
        (global.set $hook (i32.const 1))
        (local.set $pc (i32.add (local.get $pc) (i32.const 1)))
        (br $next))
        (local.set $sum (i32.mul (local.get $sum) (i32.const 3)))
        (br_if $next (i32.ge_u (local.get $sum) (i32.const 100)))
        (br $next))
      )
    (local.get $sum))
  (func (export "spin") (loop $next (block $end (br_table $next $next $next (i32.const 1)))))
  (func (export "spin-in-two") (param i32)
    (loop $outer (loop $inner (br_table $inner $outer (local.tee 0 (i32.xor (local.get 0) (i32.const 1)))))))
  (func (export "spin-with-values")
    (i32.const 1)
    (loop $next (param i32) (drop) (br_table $next $next (i32.const 7) (i32.const 0)))))`;

Deno.test("switches: a loop around a switch pays in the arms, one charge for each turn", () => {
  const source = assemble(INTERPRETER);
  checkMetering(source, [["run", 1], ["run", 2], ["run", 9], ["run", 1_000]]);
  const points = (mergeMax: number) => meterModule(source, { mergeMax }).stats.chargePoints;
  assert(points(64) < points(0));
});

Deno.test("switches: a region behind a call is paid in the arms where nothing catches, and before otherwise", () => {
  const program = (head: string, rest: string) =>
    assemble(`(module (import "env" "add" (func $f (param i32 i32) (result i32)))
      (func (export "run") (param i32) (result i32)
        (${head} (block $b (block $a
          (br_table $a $b (call $f (local.get 0) (i32.const 0))))
          (return (i32.mul (i32.const 2) (i32.const 3))))
        (return (i32.const 4))) (unreachable)) ${rest})`);
  const thrown = (source: Uint8Array<ArrayBuffer>): bigint => {
    const add = () => {
      throw new RangeError("from the host");
    };
    const instance = instantiate(meter(source, { mergeMax: 64 }), { env: { add } });
    const fuel = counter(instance);
    fuel.value = INITIAL_FUEL;
    assertEquals(outcome(instance, ["run", 0]), "RangeError: from the host");
    return INITIAL_FUEL - BigInt(fuel.value);
  };
  const catching = "(func (try (do (nop)) (catch_all)))";
  // The turn of a loop that an exception ends is lost, if the exception ends the run as well.
  assertEquals(thrown(program("loop", "")), 1n);
  assertEquals(thrown(program("loop", catching)), 6n);
  // A call is paid in any case.
  assertEquals(thrown(program("block", "")), 5n);
  assertEquals(thrown(program("block", catching)), 5n);
});

Deno.test("merging: a region in which something is called is merged up to a limit of its own", () => {
  const source = assemble(`(module
    (func $f (export "f"))
    (table 1 funcref) (elem (i32.const 0) $f)
    (func (export "calls") (param i32)
      (if (local.get 0) (then (call $f) (drop (i32.const 1)) (drop (i32.const 2)))))
    (func (export "computes") (param i32)
      (if (local.get 0) (then (drop (i32.const 0)) (drop (i32.const 1)) (drop (i32.const 2))))))`);
  const cost = (name: string, options: MeterOptions): bigint => {
    const instance = instantiate(meter(source, options));
    const fuel = counter(instance);
    fuel.value = INITIAL_FUEL;
    outcome(instance, [name, 0]);
    return INITIAL_FUEL - BigInt(fuel.value);
  };
  const exact = 3n; // the entry, the condition, the branch
  for (const name of ["calls", "computes"]) {
    assertEquals(cost(name, { mergeMax: 0 }), exact, name);
    assert(cost(name, { mergeMax: 64 }) > exact, name);
  }
  assertEquals(cost("calls", { mergeMax: 64, mergeCallMax: 2 }), exact);
  assert(cost("computes", { mergeMax: 64, mergeCallMax: 2 }) > exact);
});

Deno.test("switches: every turn of a loop that a switch closes is checked", () => {
  const source = assemble(INTERPRETER);
  for (const mergeMax of [0, 8, 32, 64, 1_000]) {
    for (
      const entry of [
        ["spin"],
        ["spin-in-two", 0],
        ["spin-with-values"],
        ["run", 0x7fff_ffff],
      ] as const
    ) {
      const instance = instantiate(meter(source, { mergeMax, mergeBudget: mergeMax }));
      const fuel = counter(instance);
      fuel.value = 10_000n;
      assertEquals(outcome(instance, entry), "RuntimeError: unreachable", `${entry} ${mergeMax}`);
      assert(fuel.value < 0n && fuel.value > -200n, `${entry}: ${fuel.value}`);
    }
  }
});
