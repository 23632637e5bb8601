/**
 * What telemetry costs: two services, one that exports to a receiver and one that does not, are
 * asked the same in turns. Prints ratios of medians. Run it as a program, on a machine at rest.
 *
 * @module
 */
import { callJson, type Program, startProgram } from "../support/program.ts";
import { startReceiver } from "./receiver.ts";

const ROUNDS = Number(Deno.args[0] ?? 40);
const PER_ROUND = 40;

/** What is measured: a path and a body for it. */
const CALLS: Readonly<Record<string, readonly [path: string, body: unknown]>> = {
  "javascript, stateless": ["/execute/javascript", { code: "1 + 1" }],
  "python, stateless": ["/execute/python", { code: "1 + 1" }],
  "javascript, context": ["/languages/javascript/sandboxes/b/execute", { code: "1 + 1" }],
  "python, context": ["/languages/python/sandboxes/b/execute", { code: "1 + 1" }],
};

async function timeOf(service: Program, [path, body]: readonly [string, unknown]): Promise<number> {
  const began = performance.now();
  const { status } = await callJson(`${service.url}${path}`, body);
  if (status !== 200) throw new Error(`The service answered ${status}`);
  return performance.now() - began;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

/** Medians with and without, in turns. */
async function compare(
  [on, off]: readonly [Program, Program],
  call: readonly [string, unknown],
): Promise<readonly [on: number, off: number]> {
  const times: readonly [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const order = round % 2 === 0 ? [0, 1] : [1, 0];
    for (const which of order) {
      for (let i = 0; i < PER_ROUND; i++) {
        times[which === 0 ? 0 : 1].push(await timeOf(which === 0 ? on : off, call));
      }
    }
  }
  return [median(times[0]), median(times[1])];
}

async function write(line: string): Promise<void> {
  await Deno.stdout.write(new TextEncoder().encode(`${line}\n`));
}

if (import.meta.main) {
  await using receiver = startReceiver();
  const env = { LANGUAGES: "javascript,python", ISOLATES: "1" };
  const { OTEL_METRIC_EXPORT_INTERVAL: _, OTEL_BSP_SCHEDULE_DELAY: __, ...usual } = receiver.env;
  await using on = await startProgram({ env: { ...env, ...usual } });
  await using off = await startProgram({ env });
  await write("| call | on, ms | off, ms | ratio |\n|---|---|---|---|");
  for (const [name, call] of Object.entries(CALLS)) {
    await compare([on, off], call); // warm
    const [with_, without] = await compare([on, off], call);
    const cells = [name, with_.toFixed(3), without.toFixed(3), (with_ / without).toFixed(3)];
    await write(`| ${cells.join(" | ")} |`);
  }
}
