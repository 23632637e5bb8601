import { assert, assertEquals, assertThrows } from "@std/assert";
import { PAGES_EXPORT } from "../../../wasm/metering/added_exports.ts";
import { MeterError } from "../../../wasm/metering/meter_error.ts";
import { meterModule, type MeterOptions } from "../../../wasm/metering/meter.ts";
import { printedSeed, seededBelow } from "../../support/random.ts";
import { type Call, counter, instantiate, memoryOf, meter, outcome } from "./metered_program.ts";
import { assemble } from "./wat.ts";

const MOST = 40;
const OWN: MeterOptions = { ownSize: true, maximumPages: MOST };

const GROWING = `(module (memory 2)
  (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0)))
  (func (export "size") (result i32) (memory.size))
  (func (export "twice") (param i32) (result i32)
    (i32.add (memory.grow (local.get 0)) (i32.mul (i32.const 1000) (memory.grow (memory.size)))))
  (func (export "store") (param i32 i32) (i32.store (local.get 0) (local.get 1)))
  (func (export "load") (param i32) (result i32) (i32.load (local.get 0)))
  (func (export "dead") (result i32)
    (return (i32.const 5)) (drop (memory.grow (i32.const 1))) (memory.size)))`;

function pagesOf(instance: WebAssembly.Instance): WebAssembly.Global {
  const global = instance.exports[PAGES_EXPORT];
  assert(global instanceof WebAssembly.Global);
  return global;
}

/** Results of calls, with the fuel that each took. */
function results(instance: WebAssembly.Instance, calls: readonly Call[]): readonly string[] {
  const fuel = counter(instance);
  return calls.map((entry) => {
    const before = fuel.value;
    return `${entry}: ${outcome(instance, entry)} for ${before - fuel.value}`;
  });
}

function randomCalls(below: (end: number) => number): readonly Call[] {
  return Array.from({ length: 1 + below(12) }, (): Call => {
    switch (below(5)) {
      case 0:
        return ["size"];
      case 1:
        return ["dead"];
      case 2:
        return ["twice", below(3)];
      default:
        return ["grow", [0, 1, 2, 5, 30, 70_000, -1, -3][below(8)] ?? 0];
    }
  });
}

Deno.test("memory size: a guest that sees a size of its own gets the same results for the same fuel", () => {
  const source = assemble(GROWING);
  const below = seededBelow(printedSeed("sizes"));
  for (let turn = 0; turn < 200; turn++) {
    const calls = randomCalls(below);
    const plain = instantiate(meter(source, { maximumPages: MOST }));
    const own = instantiate(meter(source, OWN));
    assertEquals(results(own, calls), results(plain, calls));
  }
});

Deno.test("memory size: after the host has put it back, everything is as in a new instance", () => {
  const source = assemble(GROWING);
  const below = seededBelow(printedSeed("sizes put back"));
  const used = instantiate(meter(source, OWN));
  for (let turn = 0; turn < 200; turn++) {
    const calls = randomCalls(below);
    assertEquals(results(used, calls), results(instantiate(meter(source, OWN)), calls));
    assert(memoryOf(used).length <= MOST * 65_536);
    pagesOf(used).value = 2;
  }
});

Deno.test("memory size: the memory grows only where it is smaller than the guest's size becomes", () => {
  const instance = instantiate(meter(assemble(GROWING), OWN));
  assertEquals(results(instance, [["grow", 6], ["store", 458_752, 9]]).length, 2);
  const memory = memoryOf(instance);
  assertEquals(memory.length, 8 * 65_536);
  pagesOf(instance).value = 3;
  assertEquals(outcome(instance, ["grow", 4]), "3");
  assertEquals(memoryOf(instance).buffer, memory.buffer, "another buffer: it grew");
  assertEquals([outcome(instance, ["size"]), outcome(instance, ["load", 458_752])], ["7", "9"]);
  assertEquals(outcome(instance, ["grow", 2]), "7");
  assertEquals(memoryOf(instance).length, 9 * 65_536);
  assertEquals([outcome(instance, ["grow", 32]), outcome(instance, ["size"])], ["-1", "9"]);
});

Deno.test("memory size: other memories than the first keep their own instructions", () => {
  const source = assemble(`(module (memory $a 1) (memory $b 3)
    (func (export "sizes") (result i32)
      (i32.add (memory.size $a) (i32.mul (i32.const 100) (memory.size $b))))
    (func (export "grow") (param i32) (result i32) (memory.grow $b (local.get 0))))`);
  const instance = instantiate(meter(source, OWN));
  pagesOf(instance).value = 7;
  assertEquals(outcome(instance, ["grow", 2]), "3");
  assertEquals(outcome(instance, ["sizes"]), "507");
});

Deno.test("memory size: the minimum of an imported memory can be lowered", () => {
  const source = assemble(`(module (import "a" "memory" (memory 20))
    (func (export "size") (result i32) (memory.size)))`);
  const bytes = meter(source, { ...OWN, minimumPages: 1 });
  const memory = new WebAssembly.Memory({ initial: 4, maximum: MOST });
  const instance = instantiate(bytes, { a: { memory } });
  pagesOf(instance).value = 4;
  assertEquals(outcome(instance, ["size"]), "4");
  const own = meter(assemble(GROWING), { ...OWN, minimumPages: 1 });
  assertEquals(memoryOf(instantiate(own)).length, 2 * 65_536, "a memory of its own holds data");
});

Deno.test("memory size: a module without a memory has none", () => {
  assertThrows(() => meterModule(assemble("(module)"), { ownSize: true }), MeterError, "memory");
});
