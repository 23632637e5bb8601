/**
 * Programs that compute, in this checkout beside another one: the processor time of their isolates,
 * fuel and memory. Processor time is compared, because other load on the machine changes it less than
 * it changes waits.
 *
 * `deno run --allow-all bench/computing.ts FOLDER [rounds]`; FOLDER is a checkout of another
 * version, in which `deno task build` has run.
 *
 * @module
 */
import type { ExecutionResult } from "../client/protocol/types.ts";
import { processorMs, processTree } from "../tests/support/process.ts";
import type { Program } from "../tests/support/program.ts";
import { startVersion, THIS_VERSION } from "./other_version.ts";
import { JAVASCRIPT_PROGRAMS } from "./programs.ts";
import { geometricMean, quantile, table } from "./stats.ts";
import { jsonPost } from "../tests/support/json_post.ts";

const ROUNDS = 5;
const WARM_UP_CALLS = 8;
const CALLS = 10;

/** The figures of one round. */
interface Sample {
  /** Processor time of a run, in ms. */
  readonly processor: number;
  readonly fuel: number;
  readonly memory: number;
}

async function run(program: Program, code: string): Promise<ExecutionResult> {
  const response = await fetch(`${program.url}/execute/javascript`, jsonPost({ code }));
  const result: ExecutionResult = await response.json();
  if (result.error !== undefined) throw new Error(result.error.message);
  return result;
}

async function sampleOf(program: Program, code: string): Promise<Sample> {
  const isolates = (await processTree(program.pid)).slice(1);
  const before = await processorMs(isolates);
  let last: ExecutionResult | undefined;
  for (let n = 0; n < CALLS; n++) last = await run(program, code);
  const processor = (await processorMs(isolates) - before) / CALLS;
  const { fuelConsumed = NaN, memoryBytes = NaN } = last?.usage ?? {};
  return { processor, fuel: fuelConsumed, memory: memoryBytes };
}

type Samples = Map<string, Sample[]>;

/** One round of two versions that have just started. */
async function measure(programs: readonly Program[], samples: readonly Samples[]): Promise<void> {
  for (const [name, code] of Object.entries(JAVASCRIPT_PROGRAMS)) {
    for (const program of programs) {
      for (let n = 0; n < WARM_UP_CALLS; n++) await run(program, code);
    }
    for (const [index, program] of programs.entries()) {
      const mine = samples[index];
      mine?.set(name, [...mine.get(name) ?? [], await sampleOf(program, code)]);
    }
  }
}

function median(samples: readonly Sample[], field: keyof Sample): number {
  return quantile(samples.map((sample) => sample[field]), 0.5);
}

async function main(): Promise<void> {
  const [other, rounds = ROUNDS] = Deno.args;
  if (other === undefined) throw new Error("Name the folder of another version's checkout");
  const projects = [other, THIS_VERSION];
  const samples: readonly Samples[] = projects.map(() => new Map());
  for (let round = 0; round < Number(rounds); round++) {
    const folder = await Deno.makeTempDir();
    const order = round % 2 === 0 ? [0, 1] : [1, 0];
    const programs: Program[] = [];
    try {
      for (const index of order) {
        programs.push(
          await startVersion(projects[index] ?? "", ["javascript"], `${folder}/${index}`),
        );
      }
      const inOrder = order.map((index) => samples[index] ?? new Map());
      await measure(programs, inOrder);
    } finally {
      await Promise.all(programs.map((program) => program.end("SIGTERM")));
      await Deno.remove(folder, { recursive: true });
    }
  }
  const ratios: number[] = [];
  const rows = Object.keys(JAVASCRIPT_PROGRAMS).map((name) => {
    const [before = [], now = []] = samples.map((each) => each.get(name) ?? []);
    const ratio = quantile(
      now.map((sample, at) => sample.processor / (before[at]?.processor ?? NaN)),
      0.5,
    );
    ratios.push(ratio);
    const both = (field: keyof Sample, unit: number, digits: number) =>
      [before, now].map((each) => (median(each, field) / unit).toFixed(digits)).join(" → ");
    const processor = both("processor", 1, 1);
    return [name, processor, ratio.toFixed(2), both("fuel", 1e6, 0), both("memory", 1 << 20, 1)];
  });
  const mean = ["**geometric mean**", "", geometricMean(ratios).toFixed(2), "", ""];
  const head = ["program", "processor time, ms", "×", "fuel, millions", "memory, MiB"];
  const text = `Load ${Deno.loadavg()[0]?.toFixed(1)}, Deno ${Deno.version.deno}\n\n` +
    `${table(head, [...rows, mean])}\n`;
  await Deno.stdout.write(new TextEncoder().encode(text));
}

if (import.meta.main) await main();
