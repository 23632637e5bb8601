/**
 * A step in a context on each kind of store, in one run: a file, a KV server and PostgreSQL.
 *
 * `KV_SERVER=denokv deno run --allow-all bench/stores.ts [seconds] [steps]`, where `KV_SERVER` is the
 * binary of a KV server, which is left out without it. PostgreSQL's programs are those that are
 * installed. `seconds` is the length of each load, `steps` the number of steps one after the other.
 *
 * @module
 */
import { FlightCounter } from "../tests/support/flight_counter.ts";
import { PostgresServer } from "../tests/support/postgres.ts";
import { serverProgram } from "../tests/support/postgres_program.ts";
import { jsonPost } from "../tests/support/json_post.ts";
import { type Service, startService } from "../tests/support/service.ts";
import { withKvServer } from "./kv_server.ts";
import { ms, quantile, table } from "./stats.ts";

const CALLERS = 8;
const SANDBOXES = 16;
/** Steps whose round trips are counted. */
const COUNTED_STEPS = 50;
const WARM_STEPS = 20;
const STEP = { code: "globalThis.n = (globalThis.n ?? 0) + 1" };

/** A store under measurement. */
interface Store {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  /** The port of its server, whose round trips are counted; a file has none. */
  readonly port?: number;
}

async function step({ url }: Service, box: number): Promise<void> {
  const path = `/languages/javascript/sandboxes/box-${box}/execute`;
  const answer = await fetch(url + path, jsonPost(STEP));
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`The service answered ${answer.status}`);
}

async function steps(service: Service, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const began = performance.now();
    await step(service, 0);
    times.push(performance.now() - began);
  }
  return times;
}

/** Steps of several callers in sandboxes of their own choice. */
async function load(service: Service, seconds: number): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1_000;
  const caller = async (first: number) => {
    for (let n = first; performance.now() < end; n += CALLERS) {
      const began = performance.now();
      await step(service, n % SANDBOXES);
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, n) => caller(n)));
  return times;
}

/** Round trips of a step to the server of the store; undefined for a file. */
async function tripsOf({ env, port }: Store): Promise<number | undefined> {
  if (port === undefined) return undefined;
  await using counter = new FlightCounter(port);
  const path = new URL(env["KV_PATH"] ?? "");
  path.port = String(counter.port);
  await using service = await startService({
    ...env,
    KV_PATH: path.href,
    LANGUAGES: "javascript",
  });
  await steps(service, WARM_STEPS);
  const before = counter.flights;
  await steps(service, COUNTED_STEPS);
  return (counter.flights - before) / COUNTED_STEPS;
}

async function row(store: Store, seconds: number, count: number): Promise<(string | number)[]> {
  const trips = await tripsOf(store);
  await using service = await startService({ ...store.env, LANGUAGES: "javascript" });
  await steps(service, WARM_STEPS);
  const alone = await steps(service, count);
  await load(service, 1);
  const many = await load(service, seconds);
  return [
    store.name,
    ms(quantile(alone, 0.5)),
    ms(quantile(alone, 0.99)),
    (many.length / seconds).toFixed(1),
    ms(quantile(many, 0.5)),
    ms(quantile(many, 0.99)),
    trips === undefined ? "–" : trips.toFixed(1),
  ];
}

async function main(): Promise<void> {
  const [seconds = 20, count = 500] = Deno.args.map(Number);
  const rows: (string | number)[][] = [];
  const measure = async (store: Store) => void rows.push(await row(store, seconds, count));
  const folder = await Deno.makeTempDir();
  try {
    await measure({ name: "file", env: { KV_PATH: `${folder}/kv.sqlite3` } });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  const binary = Deno.env.get("KV_SERVER");
  if (binary === undefined) print("No KV server: KV_SERVER does not name the binary denokv");
  else await withKvServer(binary, (server) => measure({ name: "KV server", ...server }));
  if (serverProgram() === undefined) print("No PostgreSQL: its programs are not installed");
  else {
    await using server = await PostgresServer.start();
    const { port } = server;
    await measure({ name: "PostgreSQL", env: { KV_PATH: server.url() }, port });
  }
  const [busy = NaN] = Deno.loadavg();
  const alone = ["step p50 ms", "p99 ms"];
  const many = [`${CALLERS} callers: runs/s`, "p50 ms", "p99 ms"];
  const head = ["store", ...alone, ...many, "round trips of a step"];
  const title = `${count} steps, then ${seconds} s of ${CALLERS} callers, load ${busy.toFixed(1)}`;
  print(`${title}\n\n${table(head, rows)}`);
}

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}

await main();
