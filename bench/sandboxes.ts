/**
 * Contexts in sandboxes over HTTP: runs with their durable commit, first runs after a restart,
 * many sandboxes in one file, operations on files, eight connections at once.
 *
 * @module
 */
import type { Language } from "../client/protocol/types.ts";
import { type Service, startService } from "../tests/support/service.ts";
import { BOUND_HEAD, Bounds, type Exchange, exchangeOf } from "./bounds.ts";
import { ms, quantile, quantiles, table, times } from "./stats.ts";
import { jsonPost } from "../tests/support/json_post.ts";

/** A program that changes one variable, after one that sets it. */
const ONE_VARIABLE: { readonly [L in Language]?: { readonly set: string; readonly add: string } } =
  {
    javascript: { set: "let n = 1; n", add: "n += 1; n" },
    python: { set: "n = 1\nn", add: "n += 1\nn" },
    perl: { set: "my $n = 1; $n", add: "$n += 1; $n" },
  };

const RUNS = 300;
/** Warm-up runs: V8 compiles a service during its first hundreds of runs. */
const WARM_UP_RUNS = 500;
const CONNECTIONS = 8;
const FEW = 10;
const MANY: readonly number[] = [1_000, 10_000];
const FILLING = 16;
/** Pages that a trivial step in a context changes; a round number for all languages. */
const COPIED_BYTES = 64 * 4096;
/** Bytes of an answer that says little. */
const SMALL = 100;
const KIB = 1024;
/** A run with one variable. */
const SMALL_RUN: Exchange = { sent: SMALL, answered: KIB, written: KIB };
/** The smallest memory image of a language, which a restored context begins with. */
const RESTORED_BYTES = 1024 * KIB;

/** Sends a request to a sandbox and reads its answer. */
async function send(
  { url }: Pick<Service, "url">,
  path: string,
  body: unknown,
): Promise<unknown> {
  const response = await fetch(`${url}/languages/${path}`, jsonPost(body));
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

function run(service: Service, language: Language, id: string, code: string): Promise<unknown> {
  return send(service, `${language}/sandboxes/${id}/execute`, { code });
}

/** Runs of resident contexts: one after the other, and of eight contexts at once. */
async function residentRuns(service: Service, bounds: Bounds): Promise<string> {
  const rows: (string | number)[][] = [];
  for (const [language, code] of programs()) {
    const prepare = async (id: string) => void await run(service, language, id, code.set);
    await prepare("resident");
    const add = (id: string) => run(service, language, id, code.add);
    await times(WARM_UP_RUNS, () => add("resident"));
    const { p50, p95, p99 } = quantiles(await times(RUNS, () => add("resident")));
    const exchange = await exchangeOf(
      `${service.url}/languages/${language}/sandboxes/resident/execute`,
      JSON.stringify({ code: code.add }),
    );
    const bound = await bounds.cells(p50, {
      ...exchange,
      written: exchange.answered,
      copied: COPIED_BYTES,
    });
    const ids = Array.from({ length: CONNECTIONS }, (_, index) => `of-eight-${index}`);
    for (const id of ids) await prepare(id);
    const start = performance.now();
    await Promise.all(ids.map((id) => times(RUNS / 4, () => add(id))));
    const perSecond = CONNECTIONS * RUNS / 4 / (performance.now() - start) * 1000;
    rows.push([language, ms(p50), ...bound, ms(p95), ms(p99), Math.round(perSecond)]);
  }
  const head = [
    `resident run, durable, after ${WARM_UP_RUNS}`,
    ...["p50, ms", ...BOUND_HEAD, "p95, ms", "p99, ms", "runs/s, 8 contexts"],
  ];
  return table(head, rows);
}

/** The first run of a context in a process that has never seen it. */
async function firstRuns(
  env: Readonly<Record<string, string>>,
  bounds: Bounds,
): Promise<string> {
  const rows: (string | number)[][] = [];
  for (const [language, code] of programs()) {
    const times: number[] = [];
    for (let round = 0; round < 5; round++) {
      {
        await using before = await startService(env);
        await run(before, language, "restarted", round === 0 ? code.set : code.add);
      }
      await using after = await startService(env);
      await run(after, language, "another", code.set); // the isolate exists, the context does not
      const start = performance.now();
      await run(after, language, "restarted", code.add);
      times.push(performance.now() - start);
    }
    const p50 = quantile(times, 0.5);
    const bound = await bounds.cells(p50, { ...SMALL_RUN, copied: RESTORED_BYTES });
    rows.push([language, ms(p50), ...bound]);
  }
  return table(["first run after a restart", "p50, ms", ...BOUND_HEAD], rows);
}

/** The time of a run by the number of sandboxes in the file. */
async function manySandboxes(service: Service): Promise<string> {
  const { add, set } = ONE_VARIABLE.javascript ?? { add: "", set: "" };
  await run(service, "javascript", "measured", set);
  const measure = async () => {
    const sample = await times(RUNS, () => run(service, "javascript", "measured", add));
    return quantile(sample, 0.5);
  };
  await measure();
  let there = FEW;
  const few = await measure();
  const rows: (string | number)[][] = [[FEW, ms(few), "1.00"]];
  for (const wanted of MANY) {
    const missing = Array.from({ length: wanted - there }, (_, index) => `many-${there + index}`);
    const ids = missing.values();
    const fill = async () => {
      for (const id of ids) {
        const file = { op: "write", path: "a.txt", content: id };
        await send(service, `javascript/sandboxes/${id}/files`, file);
      }
    };
    await Promise.all(Array.from({ length: FILLING }, fill));
    there = wanted;
    const p50 = await measure();
    rows.push([wanted, ms(p50), (p50 / few).toFixed(2)]);
  }
  return table(["sandboxes in the file", "resident JavaScript run, p50, ms", "×"], rows);
}

/** A call, and what it moves at least. */
interface FileOperation {
  readonly name: string;
  readonly body: (index: number) => object;
  readonly exchange: Exchange;
}

/** Operations on files. */
async function fileOperations(service: Service, bounds: Bounds): Promise<string> {
  const operations: readonly FileOperation[] = [
    {
      name: "write 1 KiB",
      body: (index) => ({ op: "write", path: `f${index}`, content: "x".repeat(KIB) }),
      exchange: { sent: KIB, answered: SMALL, written: KIB },
    },
    {
      name: "read 1 KiB",
      body: (index) => ({ op: "read", path: `f${index}` }),
      exchange: { sent: SMALL, answered: KIB },
    },
    {
      name: "stat",
      body: (index) => ({ op: "stat", path: `f${index}` }),
      exchange: { sent: SMALL, answered: SMALL },
    },
    {
      name: "list 200 files",
      body: () => ({ op: "list", path: "." }),
      exchange: { sent: SMALL, answered: 200 * SMALL },
    },
    {
      name: "write 1 MiB",
      body: () => ({ op: "write", path: "large", content: "x".repeat(KIB * KIB) }),
      exchange: { sent: KIB * KIB, answered: SMALL, written: KIB * KIB },
    },
    {
      name: "read 1 MiB",
      body: () => ({ op: "read", path: "large" }),
      exchange: { sent: SMALL, answered: KIB * KIB },
    },
    {
      name: "delete",
      body: (index) => ({ op: "delete", path: `f${index}` }),
      exchange: { sent: SMALL, answered: SMALL, written: SMALL },
    },
  ];
  const rows: (string | number)[][] = [];
  for (const { name, body, exchange } of operations) {
    const count = name.includes("MiB") ? 30 : 200;
    const sample = await times(
      count,
      (index) => send(service, "javascript/sandboxes/files/files", body(index)),
    );
    const { p50, p95 } = quantiles(sample);
    rows.push([name, ms(p50), ...await bounds.cells(p50, exchange), ms(p95)]);
  }
  return table(["operation on files", "p50, ms", ...BOUND_HEAD, "p95, ms"], rows);
}

function programs() {
  return Object.entries(ONE_VARIABLE) as [Language, { set: string; add: string }][];
}

/** All of it, each on a file of its own. */
export async function sandboxesBench(
  bounds: Bounds,
  print: (text: string) => void,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "belljar-bench-" });
  try {
    const env = { ISOLATES: "2", KV_PATH: `${folder}/data.sqlite3` };
    {
      await using service = await startService(env);
      print(await residentRuns(service, bounds));
      print(await fileOperations(service, bounds));
      print(await manySandboxes(service));
    }
    print(await firstRuns({ ...env, KV_PATH: `${folder}/restarts.sqlite3` }, bounds));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) {
  await using bounds = await Bounds.start();
  await sandboxesBench(bounds, (text) => {
    Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n\n`));
  });
}
