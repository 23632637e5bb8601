/**
 * The cost of telemetry: services that export all, a share of the traces, measurements alone, and
 * nothing, are asked the same in turns, one call after the other and eight at once. Prints the
 * time of a call at each in relation to that at the one that exports nothing, round by round, as
 * the median, and the processor time that all threads of the service's own process take for it.
 * Run it as a program, on Linux, on a machine at rest:
 * `deno run --allow-all tests/telemetry/cost.ts [rounds]`.
 *
 * @module
 */
import {
  BUNDLED_LANGUAGES as LANGUAGES,
  isBundled,
  languagesWithContexts,
} from "../../shared/languages.ts";
import { median } from "../support/figures.ts";
import { callJson, type Program, startProgram } from "../support/program.ts";
import { startReceiver } from "./receiver.ts";

const ROUNDS = Number(Deno.args[0] ?? 10);
const WARM_UP_ROUNDS = 2;
/** Calls of a round, in whole turns of what is measured. */
const PER_ROUND = 198;
const CONNECTIONS = 8;

type Call = readonly [path: string, body: unknown];

const RUN = { code: "1 + 1" };
const STATELESS: readonly Call[] = LANGUAGES.map((id) => [`/execute/${id}`, RUN]);
const IN_CONTEXTS: readonly Call[] = languagesWithContexts([]).filter(isBundled).map((id) => [
  `/languages/${id}/sandboxes/b/execute`,
  RUN,
]);
const FILES: readonly Call[] = [
  { op: "write", path: "note.txt", content: "a note" },
  { op: "read", path: "note.txt" },
].map((body) => ["/languages/python/sandboxes/b/files", body]);

/** The measured work: calls that are made one after the other, each a path and a body for it. */
const CALLS: Readonly<Record<string, readonly Call[]>> = {
  "JavaScript, stateless": STATELESS.slice(0, 1),
  "Python, stateless": STATELESS.slice(1, 2),
  "JavaScript, context": IN_CONTEXTS.slice(0, 1),
  "all languages, both ways, and files": [...STATELESS, ...IN_CONTEXTS, ...FILES],
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

/** How a round is made, and what it gives: milliseconds a call. */
const LOADS: Readonly<
  Record<string, (service: Program, calls: readonly Call[]) => Promise<number>>
> = {
  "one by one": async (service, calls) => {
    let sum = 0;
    for (const call of calls) {
      const times: number[] = [];
      for (let i = 0; i < PER_ROUND / calls.length; i++) {
        times.push(await timeOf(() => ask(service, call)));
      }
      sum += median(times);
    }
    return sum / calls.length;
  },
  "eight at once": async (service, calls) => {
    const turns = Math.round(PER_ROUND / calls.length);
    const all = Array.from({ length: turns }, () => calls).flat();
    const rest = all.values();
    const connection = async () => {
      for (const call of rest) await ask(service, call);
    };
    const connections = () => Promise.all(Array.from({ length: CONNECTIONS }, connection));
    return await timeOf(connections) / all.length;
  },
};

async function ask({ url }: Program, [path, body]: Call): Promise<void> {
  const { status } = await callJson(`${url}${path}`, body);
  if (status !== 200) throw new Error(`The service answered ${status}`);
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/**
 * The cost of a call in one round: milliseconds, and microseconds of the service's processor time.
 */
interface Round {
  readonly time: number;
  readonly processor: number;
}

/** Processor time of all threads that a process has, in microseconds. */
function processorTime(pid: number): number {
  const threads = [...Deno.readDirSync(`/proc/${pid}/task`)].map(({ name }) => name);
  return threads.reduce((sum, thread) => sum + threadTime(pid, thread), 0);
}

function threadTime(pid: number, thread: string): number {
  try {
    const told = Deno.readTextFileSync(`/proc/${pid}/task/${thread}/schedstat`);
    return Number(told.split(" ")[0]) / 1_000;
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return 0; // it has ended meanwhile
    throw thrown;
  }
}

/** Times at each service by round, in turns whose order changes. */
async function compare(
  services: readonly Program[],
  round: (service: Program) => Promise<number>,
): Promise<readonly Round[][]> {
  const found: Round[][] = services.map(() => []);
  for (let number = 0; number < WARM_UP_ROUNDS + ROUNDS; number++) {
    for (let turn = 0; turn < services.length; turn++) {
      const index = (turn + number) % services.length;
      const service = services[index];
      if (service === undefined) continue;
      const before = processorTime(service.pid);
      const time = await round(service);
      const processor = (processorTime(service.pid) - before) / PER_ROUND;
      if (number >= WARM_UP_ROUNDS) found[index]?.push({ time, processor });
    }
  }
  return found;
}

async function write(line: string): Promise<void> {
  await Deno.stdout.write(new TextEncoder().encode(`${line}\n`));
}

if (import.meta.main) {
  await using receiver = startReceiver();
  const { OTEL_METRIC_EXPORT_INTERVAL: _, OTEL_BSP_SCHEDULE_DELAY: __, ...usual } = receiver.env;
  const protocol = { OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf" }; // Deno's own choice
  const env = { ISOLATES: "1", ...usual, ...protocol };
  await using stack = new AsyncDisposableStack();
  const services: Program[] = [];
  for (const more of Object.values(KINDS)) {
    services.push(stack.use(await startProgram({ env: { ...env, ...more } })));
  }
  await write(
    "| call | load | telemetry | ms a call | × | processor, µs |\n|---|---|---|---|---|---|",
  );
  for (const [name, calls] of Object.entries(CALLS)) {
    for (const [load, round] of Object.entries(LOADS)) {
      const found = await compare(services, (service) => round(service, calls));
      for (const [index, kind] of Object.keys(KINDS).entries()) {
        const own = found[index] ?? [];
        const ratio = median(own.map(({ time }, at) => time / (found[0]?.[at]?.time ?? NaN)));
        const shown = `${median(own.map(({ time }) => time)).toFixed(3)} | ${ratio.toFixed(3)}`;
        const processor = median(own.map(({ processor }) => processor)).toFixed(0);
        await write(`| ${name} | ${load} | ${kind} | ${shown} | ${processor} |`);
      }
    }
  }
}
