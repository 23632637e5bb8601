/**
 * A store with many sandboxes: the time of a first run in a new sandbox, of a run in a resident
 * context, of a first run in a sandbox that was there before, and of reading a file, by the number
 * of sandboxes.
 *
 * `deno run --allow-all bench/many_sandboxes.ts [runs] [sandboxes...]`
 *
 * The sandboxes are made in this process by the code of the service, each with one small file, in
 * the store that the service has open.
 *
 * @module
 */
import { sandboxProcess } from "../tests/sandbox/fixture.ts";
import { type Service, startService } from "../tests/support/service.ts";
import { ms, quantile, table, times } from "./stats.ts";
import { jsonPost } from "../tests/support/json_post.ts";

const RUNS = 200;
const WARM_UP_RUNS = 500;
const COUNTS = [100, 10_000, 100_000];
const FILLING = 64;
const FILE = "notes.txt";
const STEP = "globalThis.n = (globalThis.n ?? 0) + 1";
const QUOTA = 10_000_000;

/** Calls one sandbox of a service. Rejects for an answer that is not 2xx. */
async function call(
  { url }: Pick<Service, "url">,
  path: string,
  body: object,
): Promise<void> {
  const answer = await fetch(`${url}/languages/javascript/sandboxes/${path}`, jsonPost(body));
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
}

/** Makes the sandboxes with the numbers from `from` up to, not including, `to`. */
async function fill(path: string, from: number, to: number): Promise<void> {
  const store = await Deno.openKv(path);
  try {
    const limit = { maxSandboxes: QUOTA };
    const sandboxes = sandboxProcess(store, { quotas: limit }).forTenant("default");
    const numbers = Array.from({ length: to - from }, (_, n) => from + n).values();
    const maker = async () => {
      for (const n of numbers) {
        const request = new Request(`https://sandbox.internal/files/${FILE}`, {
          method: "PUT",
          body: `sandbox ${n}`,
        });
        const answer = await sandboxes.named(nameOf(n)).fetch(request);
        await answer.body?.cancel();
        if (!answer.ok) throw new Error(`sandbox ${n}: ${answer.status}`);
      }
    };
    await Promise.all(Array.from({ length: FILLING }, maker));
  } finally {
    store.close();
  }
}

function nameOf(n: number): string {
  return `many-${n}`;
}

/** A random sandbox of the first `there`, most of which nobody has called since they were made. */
function anyOf(there: number): string {
  return nameOf(Math.floor(Math.random() * there));
}

async function measured(service: Service, runs: number, there: number): Promise<number[]> {
  const round = crypto.randomUUID().slice(0, 8);
  const kinds: readonly ((n: number) => Promise<void>)[] = [
    (n) => call(service, `new-${round}-${n}/execute`, { code: STEP }),
    () => call(service, "resident/execute", { code: STEP }),
    () => call(service, `${anyOf(there)}/execute`, { code: STEP }),
    () => call(service, `${anyOf(there)}/files`, { op: "read", path: FILE }),
  ];
  const medians: number[] = [];
  for (const kind of kinds) {
    await kind(-1); // a block of each kind, because a run elsewhere takes the isolate of a resident context
    medians.push(quantile(await times(runs, kind), 0.5));
  }
  return medians;
}

async function main(): Promise<void> {
  const [runs = RUNS, ...counts] = Deno.args.map(Number);
  const folder = await Deno.makeTempDir({ prefix: "belljar-bench-" });
  try {
    const path = `${folder}/data.sqlite3`;
    await using service = await startService({
      KV_PATH: path,
      LANGUAGES: "javascript",
      ISOLATES: "2",
      MAX_SANDBOXES: String(QUOTA),
      MAX_KILLS_PER_MINUTE: "1000",
    });
    await times(
      Math.min(WARM_UP_RUNS, runs * 2),
      () => call(service, "resident/execute", { code: STEP }),
    );
    const rows: (string | number)[][] = [];
    let first: readonly number[] | undefined;
    let there = 0;
    for (const count of counts.length === 0 ? COUNTS : counts) {
      await fill(path, there, count);
      there = count;
      const medians = await measured(service, runs, there);
      first ??= medians;
      const cells = medians.map((p50, n) =>
        `${ms(p50)} (× ${(p50 / (first?.[n] ?? p50)).toFixed(2)})`
      );
      const { size } = await Deno.stat(path);
      rows.push([count, ...cells, Math.round(size / 2 ** 20)]);
    }
    const head = [
      ...["sandboxes", "first run of a new one, ms", "resident run, ms"],
      ...["first run of an old one, ms", "file read, ms", "file of the store, MiB"],
    ];
    const [load = NaN] = Deno.loadavg();
    const title = `p50 of ${runs} calls, one after another; load ${load.toFixed(1)}`;
    await Deno.stdout.write(new TextEncoder().encode(`${title}\n\n${table(head, rows)}\n`));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

await main();
