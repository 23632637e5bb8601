import { assert, assertEquals } from "@std/assert";
import { FUEL_EXPORT } from "../../../wasm/metering/added_exports.ts";
import { meterModule, type MeterOptions } from "../../../wasm/metering/meter.ts";
import { COUNT_EXPORT, countNaively } from "./naive_counter.ts";

export const INITIAL_FUEL = 2n ** 62n - 1n;

/** An export and its arguments. */
export type Call = readonly [name: string, ...args: (number | bigint)[]];

export function instantiate(
  bytes: Uint8Array<ArrayBuffer>,
  imports: WebAssembly.Imports = {},
): WebAssembly.Instance {
  return new WebAssembly.Instance(new WebAssembly.Module(bytes), imports);
}

/** An exported global that holds an i64. */
export function counter(instance: WebAssembly.Instance, name = FUEL_EXPORT): { value: bigint } {
  const global = instance.exports[name];
  assert(global instanceof WebAssembly.Global, `no global "${name}"`);
  return global;
}

export function memoryOf(instance: WebAssembly.Instance, name = "__m0"): Uint8Array {
  const memory = instance.exports[name];
  assert(memory instanceof WebAssembly.Memory, `no memory "${name}"`);
  return new Uint8Array(memory.buffer);
}

export function call(instance: WebAssembly.Instance, [name, ...args]: Call): unknown {
  const target = instance.exports[name];
  assert(typeof target === "function", `no function "${name}"`);
  return target(...args);
}

/** The result of a call: its value, or how it ended. */
export function outcome(instance: WebAssembly.Instance, entry: Call): string {
  try {
    return show(call(instance, entry));
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : "thrown value";
  }
}

function show(value: unknown): string {
  if (Array.isArray(value)) return value.map(show).join(", ");
  if (Object.is(value, -0)) return "-0";
  return typeof value === "bigint" ? `${value}n` : String(value);
}

export function meter(source: Uint8Array, options: MeterOptions = {}): Uint8Array<ArrayBuffer> {
  const { bytes } = meterModule(source, options);
  assert(WebAssembly.validate(bytes), "the engine refuses the metered module");
  return bytes;
}

/** Without merging, fuel is the exact number of units. */
export const EXACT: readonly MeterOptions[] = [{ mergeMax: 0 }, { mergeMax: 0, prepayMax: 0 }];
const MERGED: readonly MeterOptions[] = [
  {},
  { prepayMax: 0 },
  { mergeMax: 8, mergeBudget: 16 },
  { mergeMax: 64, mergeCallMax: 16 },
];

/**
 * Runs the calls one after the other in the module as it is, naively counted, and metered in several ways:
 * results are equal; fuel equals the naive count without merging, and is no less with it. `inexact` is for
 * calls that end with code that is paid for but not run.
 */
export function checkMetering(
  source: Uint8Array<ArrayBuffer>,
  calls: readonly Call[],
  { imports = {}, inexact = false }: { imports?: WebAssembly.Imports; inexact?: boolean } = {},
): void {
  const plain = instantiate(source, imports);
  const naive = instantiate(countNaively(source), imports);
  const exact = EXACT.map((options) => instantiate(meter(source, options), imports));
  const merged = MERGED.map((options) => instantiate(meter(source, options), imports));
  for (const entry of calls) {
    const expected = outcome(plain, entry);
    const units = spent(naive, COUNT_EXPORT, entry, expected);
    for (const instance of exact) {
      const used = spent(instance, FUEL_EXPORT, entry, expected);
      if (inexact) assert(used >= units, `${entry}: ${used} units, at least ${units} expected`);
      else assertEquals(used, units, `units of ${entry}`);
    }
    for (const instance of merged) {
      const used = spent(instance, FUEL_EXPORT, entry, expected);
      assert(used >= units, `${entry}: ${used} units with merging, at least ${units} expected`);
    }
  }
}

/** Units that a call uses, by the counter that counts up or down. */
function spent(
  instance: WebAssembly.Instance,
  name: string,
  entry: Call,
  expected: string,
): bigint {
  const global = counter(instance, name);
  const before = global.value;
  assertEquals(outcome(instance, entry), expected, `result of ${entry}`);
  return name === COUNT_EXPORT ? global.value - before : before - global.value;
}
