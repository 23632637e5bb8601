/**
 * Costs of the shell in one run: the start, memory, `true`, the commands of the corpus, and a pipe
 * through Python. The shell's module must be there (`deno task shell build`).
 *
 * `deno run --allow-all bench/shell.ts [runs]`
 *
 * @module
 */
import type { ExecutionResult } from "../client/protocol/types.ts";
import { readCorpus } from "../tests/corpus/shell/corpus.ts";
import { jsonPost } from "../tests/support/json_post.ts";
import { processTree } from "../tests/support/process.ts";
import { type Service, startService } from "../tests/support/service.ts";
import { ms, quantile, table } from "./stats.ts";

const RUNS = 200;
const WARM_RUNS = 20;
const PIPE = "echo 1 | python3 -c 'print(input())'";
const STATELESS = "/execute/shell";
const IN_CONTEXT = "/languages/shell/sandboxes/box/execute";

/** Times of runs in milliseconds, and their fuel. */
interface Sample {
  readonly times: number[];
  readonly fuel: number[];
}

async function run(service: Service, path: string, code: string, sample?: Sample): Promise<void> {
  const began = performance.now();
  const response = await fetch(service.url + path, jsonPost({ code }));
  const result: ExecutionResult = await response.json();
  if (!response.ok) throw new Error(`The service answered ${response.status}`);
  sample?.times.push(performance.now() - began);
  sample?.fuel.push(result.usage?.fuelConsumed ?? NaN);
}

async function sampleOf(
  service: Service,
  path: string,
  commands: readonly string[],
): Promise<Sample> {
  const sample: Sample = { times: [], fuel: [] };
  for (const command of commands) await run(service, path, command, sample);
  return sample;
}

/** The same command so many times, when it is warm. */
async function repeated(service: Service, path: string, code: string, runs: number) {
  for (let n = 0; n < WARM_RUNS; n++) await run(service, path, code);
  return await sampleOf(service, path, Array.from({ length: runs }, () => code));
}

/** Proportional memory of all processes of a service, in MiB. */
async function memoryOf(service: Service): Promise<number> {
  let kib = 0;
  for (const pid of await processTree(service.pid)) {
    const text = await Deno.readTextFile(`/proc/${pid}/smaps_rollup`);
    kib += Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? NaN);
  }
  return kib / 1_024;
}

/** The time from the start of a service to the first answer, and memory of a service without and with the shell. */
async function startCosts(): Promise<string> {
  const env = { LANGUAGES: "shell", ISOLATES: "1" };
  const began = performance.now();
  await using service = await startService(env);
  const listening = performance.now() - began;
  await run(service, STATELESS, "true");
  const answered = performance.now() - began;
  for (let n = 0; n < WARM_RUNS; n++) await run(service, STATELESS, "true");
  const memory = await memoryOf(service);
  return table(["listening, ms", "first answer, ms", "memory of service and isolate, MiB"], [
    [Math.round(listening), Math.round(answered), Math.round(memory)],
  ]);
}

function row(name: string, { times, fuel }: Sample): (string | number)[] {
  const median = Math.round(quantile(fuel, 0.5)).toLocaleString("en");
  return [name, times.length, ms(quantile(times, 0.5)), ms(quantile(times, 0.99)), median];
}

async function runCosts(runs: number): Promise<string> {
  await using service = await startService({ LANGUAGES: "python,shell", ISOLATES: "1" });
  const { files, cases } = await readCorpus();
  for (const [path, content] of Object.entries(files)) {
    const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".";
    const code = `mkdir -p ${folder}; cat > ${path} <<'END OF FILE'\n${content}END OF FILE`;
    await run(service, IN_CONTEXT, code);
  }
  const commands = cases.map(({ command }) => command);
  const rows = [
    row("`true`", await repeated(service, STATELESS, "true", runs)),
    row("`true` in a context", await repeated(service, IN_CONTEXT, "true", runs)),
    row("commands of the corpus, in a context", await sampleOf(service, IN_CONTEXT, commands)),
    row("a pipe through Python", await repeated(service, STATELESS, PIPE, runs)),
  ];
  return table(["command", "runs", "p50 ms", "p99 ms", "median fuel"], rows);
}

if (import.meta.main) {
  const [busy = NaN] = Deno.loadavg();
  const start = await startCosts();
  const costs = await runCosts(Number(Deno.args[0] ?? RUNS));
  const text = `Load ${busy.toFixed(1)}, Deno ${Deno.version.deno}\n\n${start}\n\n${costs}\n`;
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
