/**
 * Measures the fuel of programs in a process with a native stack like an isolate's, or a smaller
 * one, to see whether anything except the program changes it. Prints JSON.
 */
import { PythonEngine } from "../../../../runtimes/languages/python/engine.ts";
import { anotherEngine, engineParts, run, runIn } from "./support.ts";
import { WORK } from "./work_program.ts";

/** The fuel of the program, by what was different. */
export interface FuelCosts {
  readonly runs: readonly number[];
  readonly randomBytes: readonly number[];
  readonly timesOfDay: readonly number[];
  readonly afterOthers: readonly number[];
}

const RUNS = 20;
/** Random bytes that give shorter or longer numbers. */
const SEEDS: readonly (readonly number[])[] = [
  [0],
  [255],
  [0, 0, 0, 0, 0, 0, 0, 1],
  [0, 0, 0, 0, 255, 255, 255, 255],
  [128, 0, 0, 0],
  [1, 2, 3],
];
const TIMES = [1_700_000_000_000, 1_700_000_000_123, 1_800_000_000_999];
const LATE_IMPORT = `${WORK}\nimport pdb`;
const OTHERS = [
  "while True: pass",
  "bytearray(100_000_000)",
  "import os\nos.abort()",
  "import os\nos._exit(1)",
];

async function inManyRuns(): Promise<number[]> {
  const costs: number[] = [];
  for (let turn = 0; turn < RUNS; turn++) costs.push((await run(WORK)).fuelConsumed);
  const other = await anotherEngine();
  for (let turn = 0; turn < 3; turn++) {
    other.reset();
    costs.push(runIn(other, WORK).fuelConsumed);
  }
  return costs;
}

async function afterOthers(): Promise<number[]> {
  const costs = [(await run(LATE_IMPORT)).fuelConsumed];
  for (const before of OTHERS) {
    await run(before);
    costs.push((await run(LATE_IMPORT)).fuelConsumed);
  }
  return costs;
}

if (import.meta.main) {
  const parts = await engineParts();
  const costs: FuelCosts = {
    runs: await inManyRuns(),
    randomBytes: SEEDS.map((seed) => {
      const random = (target: Uint8Array) =>
        target.forEach((_, index) => target[index] = seed[index % seed.length] ?? 0);
      return runIn(new PythonEngine({ ...parts, random }), WORK).fuelConsumed;
    }),
    timesOfDay: TIMES.map((now) => {
      const time = { now: () => now, monotonic: () => now / 7 };
      return runIn(new PythonEngine({ ...parts, time }), LATE_IMPORT).fuelConsumed;
    }),
    afterOthers: await afterOthers(),
  };
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(costs)));
}
