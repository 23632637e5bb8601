/**
 * Calls at the pace of people and agents: the first calls of a service, a call each 100 ms, and the
 * same in a tight loop of a warm service, each as a multiple of `/healthz` at the same pace. Beside
 * them is the bound: a bare server that does the same round trips and commits, and nothing else.
 * Processor time is that of the serving process, until the next call begins.
 *
 * `deno run --allow-all bench/pace.ts [calls] [pause in ms] [FOLDER]`; FOLDER is a checkout of another
 * version, in which `deno task build` has run. Its `/healthz` is then called too, and is what the
 * multiples are of.
 *
 * @module
 */
import { type Service, startService } from "../tests/support/service.ts";
import { pause } from "../tests/support/wait.ts";
import { startBareServer } from "./bounds.ts";
import { startVersion } from "./other_version.ts";
import { ms, quantile, table } from "./stats.ts";

const CALLS = 100;
const PAUSE_MS = 100;
const WARM_UP_CALLS = 500;
const LANGUAGES = ["javascript", "python"];

/** Bytes that a bare server sends and answers. */
const BODY_BYTES = 80;
const RUN_BYTES = 350;
const STEP_BYTES = 1_000;

/** A process that is called, by its id and address. */
type Called = Pick<Service, "url" | "pid">;

/** One kind of call: its name and its request. */
interface Kind {
  readonly name: string;
  readonly called: Called;
  readonly path: string;
  /** `GET` when absent. */
  readonly body?: string;
}

function health(name: string, called: Called): Kind {
  return { name, called, path: "/healthz" };
}

function kindsOf(service: Called, bare: Called): readonly Kind[] {
  const run = (name: string, path: string, code: string): Kind => {
    return { name, called: service, path, body: JSON.stringify({ code }) };
  };
  const bound = (name: string, path: string): Kind => {
    return { name, called: bare, path, body: "x".repeat(BODY_BYTES) };
  };
  const steps = (language: string) => `/languages/${language}/sandboxes/pace/execute`;
  return [
    health("`/healthz`", service),
    run("stateless, JavaScript", "/execute/javascript", "1 + 1"),
    run("stateless, Python", "/execute/python", "1 + 1"),
    run(
      "context step, JavaScript",
      steps("javascript"),
      "globalThis.n = (globalThis.n ?? 0) + 1",
    ),
    run("context step, Python", steps("python"), "n = globals().get('n', 0) + 1\nn"),
    bound("bare: a round trip", `/${RUN_BYTES}`),
    bound("bare: and a subprocess asked", `/ask/${RUN_BYTES}`),
    bound("bare: and the store read, a lease, a commit", `/step/${STEP_BYTES}`),
  ];
}

async function call({ name, called, path, body }: Kind): Promise<number> {
  const began = performance.now();
  const headers = { "content-type": "application/json" };
  const answer = await fetch(
    `${called.url}${path}`,
    body === undefined ? {} : { method: "POST", headers, body },
  );
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return performance.now() - began;
}

/** Processor time of all threads of a process so far, in ms. A thread may end meanwhile. */
function threadMs({ pid }: Called): number {
  let nanoseconds = 0;
  for (const { name } of Deno.readDirSync(`/proc/${pid}/task`)) {
    try {
      const text = Deno.readTextFileSync(`/proc/${pid}/task/${name}/schedstat`);
      nanoseconds += Number(text.split(" ")[0]);
    } catch (thrown) {
      if (!(thrown instanceof Deno.errors.NotFound)) throw thrown;
    }
  }
  return nanoseconds / 1e6;
}

/** The times of calls of a kind. */
interface Sample {
  readonly p50: number;
  /** Processor time of a call in the process that was called, ms; the mean. */
  readonly processorMs: number;
}

/** Calls of each kind in turn, each after a pause. */
async function paced(kinds: readonly Kind[], calls: number, pauseMs: number): Promise<Sample[]> {
  const samples = kinds.map(() => ({ times: [] as number[], processorMs: 0 }));
  for (let n = 0; n < calls; n++) {
    for (const [index, kind] of kinds.entries()) {
      const sample = samples[index];
      const before = threadMs(kind.called);
      sample?.times.push(await call(kind));
      await pause(pauseMs);
      // a thread that ended meanwhile takes its time with it
      if (sample !== undefined) {
        sample.processorMs += Math.max(0, threadMs(kind.called) - before);
      }
    }
  }
  return samples.map(({ times, processorMs }) => ({
    p50: quantile(times, 0.5),
    processorMs: processorMs / calls,
  }));
}

/** Calls of each kind, one kind after the other without a pause. */
async function tight(kinds: readonly Kind[], calls: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const kind of kinds) {
    const times: number[] = [];
    const before = threadMs(kind.called);
    for (let n = 0; n < calls; n++) times.push(await call(kind));
    const processorMs = (threadMs(kind.called) - before) / calls;
    samples.push({ p50: quantile(times, 0.5), processorMs });
  }
  return samples;
}

async function main(): Promise<void> {
  const [calls = CALLS, pauseMs = PAUSE_MS] = Deno.args.slice(0, 2).map(Number);
  const other = Deno.args[2];
  const folder = await Deno.makeTempDir({ prefix: "belljar-bench-" });
  try {
    await using service = await startService({
      LANGUAGES: LANGUAGES.join(),
      KV_PATH: `${folder}/data.sqlite3`,
    });
    await using asked = await startBareServer();
    await using bare = await startBareServer([
      `${folder}/bare.sqlite3`,
      new URL(asked.url).port,
    ]);
    await using earlier = other === undefined
      ? undefined
      : await startVersion(other, LANGUAGES, await Deno.makeTempDir({ dir: folder }));
    const kinds = [
      ...(earlier === undefined ? [] : [health("`/healthz`, the other version", earlier)]),
      ...kindsOf(service, bare),
    ];
    for (const kind of kinds) await call(kind); // the isolates have started, contexts are there
    const first = await tight(kinds, Math.ceil(calls / kinds.length));
    const slow = await paced(kinds, calls, pauseMs);
    await tight(kinds, Math.min(WARM_UP_CALLS, 5 * calls));
    const warm = await tight(kinds, calls);
    const columns = [first, slow, warm];
    const rows = kinds.map(({ name }, index) => [
      name,
      ...columns.flatMap((samples) => {
        const { p50, processorMs } = samples[index] ?? { p50: NaN, processorMs: NaN };
        return [ms(p50), (p50 / (samples[0]?.p50 ?? NaN)).toFixed(1), processorMs.toFixed(2)];
      }),
    ]);
    const head = [
      "p50",
      ...[`first ${calls} calls, ms`, "×", "CPU, ms"],
      ...[`a call each ${pauseMs} ms, ms`, "×", "CPU, ms"],
      ...["tight loop, warm, ms", "×", "CPU, ms"],
    ];
    const [load = NaN] = Deno.loadavg();
    const text = `Load ${load.toFixed(1)}; × is the multiple of the first line\n\n${
      table(head, rows)
    }\n`;
    await Deno.stdout.write(new TextEncoder().encode(text));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

await main();
