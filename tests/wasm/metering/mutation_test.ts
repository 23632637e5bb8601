// test: long
import { assert } from "@std/assert";
import { meterModule, type MeterOptions } from "../../../wasm/metering/meter.ts";
import { MeterError } from "../../../wasm/metering/meter_error.ts";
import { seededBelow } from "../../support/random.ts";
import { printSeed } from "./program_generator.ts";
import { quickJsModule } from "./quickjs_module.ts";
import { assemble } from "./wat.ts";

type Random = (below: number) => number;

const OPTIONS: readonly MeterOptions[] = [
  {},
  { mergeMax: 0, maximumPages: 100 },
  { stackPadding: { global: "auto", minimumLocals: 0, exported: true }, maximumPages: 1024 },
];

/**
 * A bit of everything: imports, tags, tables, segments, a start function, custom sections and most kinds of
 * code.
 */
function unitModule(): Uint8Array<ArrayBuffer> {
  return assemble(`(module
    (import "env" "f" (func $f (param i32) (result i32))) (import "env" "g" (global $g i32))
    (memory 1 10) (table $t 6 10 funcref) (tag $e (param i32)) (start $s)
    (global $sp (mut i32) (i32.const 4096)) (global $x (mut i64) (i64.const -9))
    (elem (i32.const 1) $a $b) (elem $p func $a) (data (i32.const 8) "hello") (data $d "world")
    (type $un (func (param i32) (result i32)))
    (func $s (global.set $x (i64.const 7)))
    (func $a (export "a") (param i32) (result i32) (local $f i32) (local $k f64)
      (global.set $sp (local.tee $f (i32.sub (global.get $sp) (i32.const 16))))
      (block $out (loop $l
        (br_if $out (i32.eqz (local.get 0)))
        (local.set 0 (call $b (i32.sub (local.get 0) (i32.const 1))))
        (br_table $l $out $out (local.get 0))))
      (global.set $sp (i32.add (local.get $f) (i32.const 16)))
      (local.get 0))
    (func $b (param i32) (result i32)
      (try (result i32) (do (if (i32.gt_s (local.get 0) (i32.const 9)) (then (throw $e (i32.const 3))))
          (call_indirect (type $un) (local.get 0) (i32.const 1)))
        (catch $e) (catch_all (i32.const 0))))
    (func (export "bulk") (param i32)
      (memory.init $d (i32.const 0) (i32.const 0) (local.get 0))
      (memory.copy (i32.const 0) (i32.const 9) (local.get 0))
      (table.init $t $p (i32.const 0) (i32.const 0) (i32.const 1))
      (drop (memory.grow (local.get 0))) (data.drop $d))
    (func $pair (param i32) (result i32 i64)
      (if (local.get 0) (then (return (call $f (i32.const 1)) (i64.const 300000))))
      (i32.trunc_sat_f64_s (f64.const 2.5)) (global.get $x))
    (func (export "tail") (param i32) (result i32 i64) (return_call $pair (local.get 0))))`);
}

function mutate(
  source: Uint8Array<ArrayBuffer>,
  reach: number,
  random: Random,
): Uint8Array<ArrayBuffer> {
  let bytes = [...source.subarray(0, reach)];
  for (let count = random(4) === 0 ? 3 : 1; count > 0; count--) {
    const at = random(bytes.length + 1);
    // Changes of single bytes keep the lengths valid and get further.
    switch (random(12)) {
      case 2:
        bytes = bytes.slice(0, at);
        break;
      case 3:
        bytes.splice(at, random(9));
        break;
      case 4: {
        const from = random(bytes.length + 1);
        bytes.splice(at, 0, ...bytes.slice(from, from + random(40)));
        break;
      }
      case 5:
        // A count or length becomes a huge one.
        bytes.splice(at, 1, 0xff, 0xff, 0xff, 0xff, random(32));
        break;
      case 6:
        bytes.splice(at, 1, 0x80, (bytes[at] ?? 0) & 127);
        break;
      case 7:
        bytes[at] = random(256);
        break;
      default:
        bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8));
    }
  }
  const whole = new Uint8Array(bytes.length + source.length - reach);
  whole.set(bytes.map((byte) => byte & 255));
  whole.set(source.subarray(reach), bytes.length);
  return whole;
}

interface Tally {
  refused: number;
  metered: number;
  /** Of the metered modules, those that the engine accepts. */
  valid: number;
}

/** Meters the input, which has to end in a `MeterError` or in bytes: valid ones if the input is valid. */
function tryOne(
  input: Uint8Array<ArrayBuffer>,
  options: MeterOptions,
  number: number,
  tally: Tally,
): void {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    ({ bytes } = meterModule(input, options));
  } catch (error) {
    if (!(error instanceof MeterError)) {
      throw new Error(`mutation ${number} throws`, { cause: error });
    }
    tally.refused++;
    return;
  }
  tally.metered++;
  if (!WebAssembly.validate(input)) return;
  tally.valid++;
  assert(WebAssembly.validate(bytes), `mutation ${number} breaks a valid module`);
}

function tryMutations(
  source: Uint8Array<ArrayBuffer>,
  reach: number,
  count: number,
  seed: number,
): Tally {
  printSeed(seed);
  const tally: Tally = { refused: 0, metered: 0, valid: 0 };
  for (let number = 0; number < count; number++) {
    const mutant = mutate(source, reach, seededBelow(seed + number));
    tryOne(mutant, OPTIONS[number % OPTIONS.length] ?? {}, number, tally);
  }
  return tally;
}

Deno.test("mutations: a unit module is metered or refused, and valid stays valid", () => {
  const source = unitModule();
  const tally = tryMutations(source, source.length, 12_000, 90_210);
  assert(
    tally.refused > 1_000 && tally.metered > 1_000 && tally.valid > 500,
    JSON.stringify(tally),
  );
});

Deno.test("mutations: the head of the QuickJS module is metered or refused, and valid stays valid", async () => {
  const source = await quickJsModule();
  const tally = tryMutations(source, 6_000, 200, 1_984);
  assert(tally.refused > 20 && tally.metered > 20, JSON.stringify(tally));
});

Deno.test("mutations: every prefix of a unit module is refused or metered", () => {
  const source = unitModule();
  const tally: Tally = { refused: 0, metered: 0, valid: 0 };
  for (let length = 0; length < source.length; length++) {
    tryOne(source.slice(0, length), OPTIONS[2] ?? {}, length, tally);
  }
  assert(tally.refused > source.length / 2, JSON.stringify(tally));
});
