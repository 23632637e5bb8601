import { assertEquals } from "@std/assert";
import { counter, INITIAL_FUEL, instantiate, meter, outcome } from "./metered_program.ts";
import { assemble } from "./wat.ts";

const INDEX = "(i32.and (local.get 0) (local.get 1))";
const KEPT = `(local.set $i ${INDEX})`;
/** Bodies of a function of a hash, a mask and a table, that look a place up in the table. */
const LOOKUPS: readonly (readonly [name: string, body: string])[] = [
  ["shifted", `(i32.load (i32.add (local.get 2) (i32.shl ${INDEX} (i32.const 3))))`],
  ["multiplied", `(i32.load (i32.mul ${INDEX} (i32.const 12)))`],
  ["kept on the stack", `(i32.load (i32.shl (local.tee $i ${INDEX}) (i32.const 2)))`],
  ["in a local", `${KEPT} (i32.load (i32.shl (local.get $i) (i32.const 2)))`],
  [
    "in a copy of a local",
    `${KEPT} (local.set 2 (local.get $i)) (i32.load (i32.shl (local.get 2) (i32.const 2)))`,
  ],
  [
    "masked by a constant as well",
    `(i32.load (i32.shl (i32.and ${INDEX} (i32.const 0x3fffffff)) (i32.const 2)))`,
  ],
  [
    "below the table's pointer",
    `(i32.load (i32.add (i32.const 13000000)
      (i32.shl (i32.xor ${INDEX} (i32.const -1)) (i32.const 2))))`,
  ],
];
const NO_LOOKUPS: readonly (readonly [name: string, body: string])[] = [
  ["a constant mask", "(i32.shl (i32.and (local.get 0) (i32.const 0x7fffff)) (i32.const 2))"],
  ["a test of bits", `(i32.eqz ${INDEX})`],
  ["elements of two bytes", `(i32.shl ${INDEX} (i32.const 1))`],
  ["elements of 128 bytes", `(i32.shl ${INDEX} (i32.const 7))`],
  ["bits that are flipped", `(i32.shl (i32.xor ${INDEX} (i32.const 5)) (i32.const 2))`],
  [
    "a local with another value",
    `${KEPT} (local.set $i (i32.const 5)) (i32.shl (local.get $i) (i32.const 2))`,
  ],
  ["code that is never reached", `(return (i32.const 1)) (i32.shl ${INDEX} (i32.const 2))`],
];

/** Units that `lookupUnits` of 250 adds to a call with a hash and a mask. */
function lookupCost(body: string, hash: number, mask: number): bigint {
  const source = assemble(`(module (memory 200)
    (func (export "look") (param i32 i32 i32) (result i32) (local $i i32) ${body}))`);
  const plain = outcome(instantiate(source), ["look", hash, mask, 0]);
  const cost = (lookupUnits: number): bigint => {
    const instance = instantiate(meter(source, { lookupUnits }));
    const fuel = counter(instance);
    fuel.value = INITIAL_FUEL;
    assertEquals(outcome(instance, ["look", hash, mask, 0]), plain, body);
    return INITIAL_FUEL - BigInt(fuel.value);
  };
  return cost(250) - cost(0);
}

Deno.test("look-ups: one in a hash table costs more with each doubling of its place from 16,384 on", () => {
  for (const [name, body] of LOOKUPS) {
    for (const [doublings, place] of [[1, 16_384], [1, 32_767], [2, 32_768], [6, 1_000_000]]) {
      const units = 250n * BigInt(doublings ?? 0);
      assertEquals(lookupCost(body, place ?? 0, -1), units, `${name}, place ${place}`);
    }
    assertEquals(lookupCost(body, 16_383, -1), 0n, `${name}, the last near place`);
    assertEquals(lookupCost(body, -1, 4095), 0n, `${name}, small table`);
  }
  for (const [name, body] of NO_LOOKUPS) {
    assertEquals(lookupCost(body, 1_000_000, -1), 0n, name);
  }
});

Deno.test("look-ups: a loop of far ones ends as soon as its fuel does", () => {
  const source = assemble(`(module (memory 200)
    (func (export "look") (param i32) (loop $again
      (drop (i32.load (i32.shl (i32.and (local.get 0) (local.get 0)) (i32.const 2))))
      (br $again))))`);
  const instance = instantiate(meter(source, { lookupUnits: 250 }));
  const fuel = counter(instance);
  fuel.value = 100_000n;
  assertEquals(outcome(instance, ["look", 1_000_000]), "RuntimeError: unreachable");
  const left = BigInt(fuel.value);
  assertEquals(left < 0n && left > -2_000n, true, `${left}`);
});
