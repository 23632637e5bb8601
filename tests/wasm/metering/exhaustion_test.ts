import { assert, assertEquals } from "@std/assert";
import { type Call, counter, instantiate, memoryOf, meter, outcome } from "./metered_program.ts";
import { assemble } from "./wat.ts";

const TRAP = "RuntimeError: unreachable";

const SOURCE = assemble(`(module
  (memory 1 100) (table $t 10 2000000 funcref) (tag $e)
  (global $n (mut i32) (i32.const 0))
  (type $v (func))
  (elem (i32.const 0) $recurse $ping $leaf)
  (func $leaf)
  (func $tick (global.set $n (i32.add (global.get $n) (i32.const 1)))
    (i32.store (i32.const 16) (global.get $n)))
  (func (export "spin") (loop $l (br $l)))
  (func (export "work") (loop $l (call $tick) (br $l)))
  (func $recurse (export "recurse") (call $recurse) (call $tick))
  (func $ping (call $pong)) (func $pong (call_indirect (type $v) (i32.const 1)))
  (func (export "indirect") (call $ping))
  (func $tail (export "tail") (return_call $tail))
  (func $tail_a (return_call $tail_b)) (func $tail_b (return_call $tail_a))
  (func (export "tails") (call $tail_a))
  (func (export "fill") (loop $l (memory.fill (i32.const 0) (i32.const 7) (i32.const 65536)) (br $l)))
  (func (export "copy") (loop $l (memory.copy (i32.const 0) (i32.const 100) (i32.const 60000)) (br $l)))
  (func (export "grow") (loop $l (drop (memory.grow (i32.const 50))) (br $l)))
  (func (export "once") (memory.fill (i32.const 0) (i32.const 9) (i32.const 60000))
    (memory.fill (i32.const 0) (i32.const 8) (i32.const 60000)))
  (func (export "elements") (drop (table.grow $t (ref.null func) (i32.const 1000000)))
    (table.fill $t (i32.const 0) (ref.null func) (i32.const 1000000)))
  (func (export "swallow") (loop $l
    (try (do (loop $m (call $tick) (br $m))) (catch_all (call $tick))) (br $l)))
  (func (export "rescue") (try (do (call $recurse)) (catch $e) (catch_all))
    (loop $l (call $tick) (br $l)))
  (func (export "finally") (loop $l (try (do (try (do (call $recurse)) (delegate 0)))
    (catch_all (rethrow 0))) (br $l)))
  (func (export "hello") (result i32) (call $tick) (i32.const 5)))`);

/** Units that a single step can use between two checks. */
const OVERSHOOT = 10_000n;

Deno.test("exhaustion: loops, recursion, tail calls, bulk memory and growth all end with a trap", () => {
  const names = [
    "spin",
    "work",
    "indirect",
    "tail",
    "tails",
    "fill",
    "copy",
    "grow",
    "elements",
    "swallow",
    "rescue",
    "finally",
  ];
  for (const options of [{}, { mergeMax: 0 }, { prepayMax: 0 }]) {
    const bytes = meter(SOURCE, options);
    for (const name of [...names, "recurse"]) {
      const instance = instantiate(bytes);
      // Recursion has to end before the native stack does.
      counter(instance).value = ["indirect", "recurse", "rescue", "finally"].includes(name)
        ? 5_000n
        : 100_000n;
      assertEquals(outcome(instance, [name]), TRAP, name);
      const left = counter(instance).value;
      assert(left < 0n, `${name} leaves ${left}`);
      const large = ["fill", "copy", "grow", "elements"].includes(name);
      assert(large || left > -OVERSHOOT, `${name} goes on to ${left}`);
    }
  }
});

Deno.test("exhaustion: a long operation does not begin unless its length is paid for", () => {
  const instance = instantiate(meter(SOURCE));
  counter(instance).value = 200_000n;
  assertEquals(outcome(instance, ["once"]), TRAP);
  const memory = memoryOf(instance);
  assertEquals([memory[0], memory[59_999], memory[60_000]], [9, 9, 0]);
});

Deno.test("exhaustion: memory and globals stay readable, and every export traps again", () => {
  const instance = instantiate(meter(SOURCE));
  counter(instance).value = 50_000n;
  assertEquals(outcome(instance, ["work"]), TRAP);
  const ticks = new DataView(memoryOf(instance).buffer).getInt32(16, true);
  const global = instance.exports["__g0"];
  assert(global instanceof WebAssembly.Global);
  assertEquals(global.value, ticks);
  assert(ticks > 1000, `${ticks} turns`);
  for (let i = 0; i < 3; i++) assertEquals(outcome(instance, ["work"]), TRAP);
  assertEquals(new DataView(memoryOf(instance).buffer).getInt32(16, true), ticks);
  counter(instance).value = 1_000n;
  assertEquals(outcome(instance, ["hello"]), "5");
});

Deno.test("exhaustion: the same fuel ends at the same position with the same memory, in every instance", async () => {
  const module = new WebAssembly.Module(meter(SOURCE));
  const calls: readonly Call[] = [["hello"], ["work"], ["fill"], ["swallow"], ["grow"], [
    "indirect",
  ]];
  for (const entry of calls) {
    for (const fuel of [7n, 100n, 4_321n, 9_999n]) {
      const ends = await Promise.all(Array.from({ length: 4 }, async () => {
        const instance = new WebAssembly.Instance(module);
        counter(instance).value = fuel;
        const result = outcome(instance, entry);
        const memory = memoryOf(instance);
        const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", memory.slice()));
        return `${result} ${counter(instance).value} ${memory.length} ${digest.toHex()}`;
      }));
      assertEquals(new Set(ends).size, 1, `${entry} with ${fuel}: ${ends.join(" | ")}`);
    }
  }
});

Deno.test("exhaustion: a program with enough fuel is not stopped", () => {
  const instance = instantiate(meter(SOURCE));
  counter(instance).value = 60n;
  assertEquals(outcome(instance, ["hello"]), "5");
  assert(counter(instance).value >= 0n);
});
