/**
 * What telemetry costs: services that export all, a share of the traces, measurements alone, and
 * nothing, are asked the same in turns. Prints the latency of each in relation to that of the one
 * that exports nothing, round by round, as the median. Run it as a program, on a machine at rest:
 * `deno run --allow-all tests/telemetry/cost.ts [rounds]`.
 *
 * @module
 */
import { callJson, type Program, startProgram } from "../support/program.ts";
import { startReceiver } from "./receiver.ts";

const ROUNDS = Number(Deno.args[0] ?? 10);
const WARM_UP_ROUNDS = 2;
const PER_ROUND = 200;

/** What is measured: a path and a body for it. */
const CALLS: Readonly<Record<string, readonly [path: string, body: unknown]>> = {
  "JavaScript, stateless": ["/execute/javascript", { code: "1 + 1" }],
  "JavaScript, context": ["/languages/javascript/sandboxes/b/execute", { code: "1 + 1" }],
};

/** Kinds of telemetry, by what they add to the usual variables; the first is what counts as 1. */
const KINDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  off: { OTEL_DENO: "false" },
  "measurements, no traces": { OTEL_DENO_TRACING: "false" },
  "5 % of the traces": {
    OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "0.05",
  },
  "all traces": {},
};

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

/** Median time of a call in one round. */
async function roundOf({ url }: Program, [path, body]: readonly [string, unknown]) {
  const times: number[] = [];
  for (let i = 0; i < PER_ROUND; i++) {
    const began = performance.now();
    const { status } = await callJson(`${url}${path}`, body);
    if (status !== 200) throw new Error(`The service answered ${status}`);
    times.push(performance.now() - began);
  }
  return median(times);
}

/** Medians of each service by round, in turns whose order changes. */
async function compare(
  services: readonly Program[],
  call: readonly [string, unknown],
): Promise<readonly number[][]> {
  const medians: number[][] = services.map(() => []);
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    for (let turn = 0; turn < services.length; turn++) {
      const index = (turn + round) % services.length;
      const service = services[index];
      if (service === undefined) continue;
      const time = await roundOf(service, call);
      if (round >= WARM_UP_ROUNDS) medians[index]?.push(time);
    }
  }
  return medians;
}

async function write(line: string): Promise<void> {
  await Deno.stdout.write(new TextEncoder().encode(`${line}\n`));
}

if (import.meta.main) {
  await using receiver = startReceiver();
  const { OTEL_METRIC_EXPORT_INTERVAL: _, OTEL_BSP_SCHEDULE_DELAY: __, ...usual } = receiver.env;
  const env = { LANGUAGES: "javascript", ISOLATES: "1", ...usual };
  await using stack = new AsyncDisposableStack();
  const services: Program[] = [];
  for (const more of Object.values(KINDS)) {
    services.push(stack.use(await startProgram({ env: { ...env, ...more } })));
  }
  await write("| call | telemetry | p50, ms | × |\n|---|---|---|---|");
  for (const [name, call] of Object.entries(CALLS)) {
    const medians = await compare(services, call);
    for (const [index, kind] of Object.keys(KINDS).entries()) {
      const own = medians[index] ?? [];
      const ratio = median(own.map((time, round) => time / (medians[0]?.[round] ?? NaN)));
      await write(`| ${name} | ${kind} | ${median(own).toFixed(3)} | ${ratio.toFixed(3)} |`);
    }
  }
}
