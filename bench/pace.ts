/**
 * Calls at the pace of people and agents: the first calls of a service, a call each 100 ms, and the
 * same in a tight loop of a warm service, each as a multiple of `/healthz` at the same pace.
 *
 * `deno run --allow-all bench/pace.ts [calls] [pause in ms]`
 *
 * @module
 */
import { type Service, startService } from "../tests/support/service.ts";
import { pause } from "../tests/support/wait.ts";
import { ms, quantile, table } from "./stats.ts";

const CALLS = 100;
const PAUSE_MS = 100;
const WARM_UP_CALLS = 500;

/** One kind of call: its name and its request. */
interface Kind {
  readonly name: string;
  readonly path: string;
  /** `GET` when absent. */
  readonly code?: string;
}

const KINDS: readonly Kind[] = [
  { name: "`/healthz`", path: "/healthz" },
  { name: "stateless, JavaScript", path: "/execute/javascript", code: "1 + 1" },
  { name: "stateless, Python", path: "/execute/python", code: "1 + 1" },
  {
    name: "context step, JavaScript",
    path: "/languages/javascript/sandboxes/pace/execute",
    code: "globalThis.n = (globalThis.n ?? 0) + 1",
  },
  {
    name: "context step, Python",
    path: "/languages/python/sandboxes/pace/execute",
    code: "n = globals().get('n', 0) + 1\nn",
  },
];

async function call({ url }: Pick<Service, "url">, { name, path, code }: Kind): Promise<number> {
  const began = performance.now();
  const answer = await fetch(`${url}${path}`, {
    ...(code === undefined ? {} : {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
    }),
  });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return performance.now() - began;
}

/** The times of calls of each kind in turn, each after a pause. */
async function paced(service: Service, calls: number, pauseMs: number): Promise<number[]> {
  const samples = KINDS.map((): number[] => []);
  for (let n = 0; n < calls; n++) {
    for (const [index, kind] of KINDS.entries()) {
      if (pauseMs > 0) await pause(pauseMs);
      samples[index]?.push(await call(service, kind));
    }
  }
  return samples.map((sample) => quantile(sample, 0.5));
}

/** The times of calls of each kind, one kind after the other without a pause. */
async function tight(service: Service, calls: number): Promise<number[]> {
  const medians: number[] = [];
  for (const kind of KINDS) {
    const sample: number[] = [];
    for (let n = 0; n < calls; n++) sample.push(await call(service, kind));
    medians.push(quantile(sample, 0.5));
  }
  return medians;
}

async function main(): Promise<void> {
  const [calls = CALLS, pauseMs = PAUSE_MS] = Deno.args.map(Number);
  const folder = await Deno.makeTempDir({ prefix: "belljar-bench-" });
  try {
    await using service = await startService({
      LANGUAGES: "javascript,python",
      KV_PATH: `${folder}/data.sqlite3`,
    });
    for (const kind of KINDS) await call(service, kind); // the isolates have started, contexts are there
    const first = await tight(service, Math.ceil(calls / KINDS.length));
    const slow = await paced(service, calls, pauseMs);
    await tight(service, Math.min(WARM_UP_CALLS, 5 * calls));
    const warm = await tight(service, calls);
    const rows = KINDS.map(({ name }, index) => [
      name,
      ...[first, slow, warm].flatMap((medians) => {
        const p50 = medians[index] ?? NaN;
        return [ms(p50), (p50 / (medians[0] ?? NaN)).toFixed(1)];
      }),
    ]);
    const head = [
      "p50",
      ...[`first ${calls} calls, ms`, "×"],
      ...[`a call each ${pauseMs} ms, ms`, "×"],
      ...["tight loop, warm, ms", "×"],
    ];
    const [load = NaN] = Deno.loadavg();
    const text = `Load ${load.toFixed(1)}; × is the multiple of \`/healthz\`\n\n${
      table(head, rows)
    }\n`;
    await Deno.stdout.write(new TextEncoder().encode(text));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

await main();
