/**
 * Compares the servers that the gateway can listen with: trivial runs over HTTP through the whole
 * service, and the runs of callers that disconnect.
 * Usage: `deno run --allow-all bench/listener.ts [rounds]`
 *
 * @module
 */
import { leave, LEAVE_MS } from "../tests/support/leavers.ts";
import { isAlive, processorMs, processTree } from "../tests/support/process.ts";
import { callJson, type Program, startProgram } from "../tests/support/program.ts";
import { KILLS_WITHOUT_END, SERVICE_LIMITS } from "../tests/support/run_limits.ts";
import { execute } from "../tests/support/service.ts";
import { pause } from "../tests/support/wait.ts";
import { ms, quantile, table, times } from "./stats.ts";

const SERVERS = ["deno", "node", "watched"] as const;
type Server = typeof SERVERS[number];

const ROUNDS = 20;
const RUNS = 100;
const CONNECTIONS = 8;
/** Number of runs whose callers disconnect. Fewer for a server that does not notice a disconnect. */
const LEAVERS: { readonly [S in Server]: number } = { deno: 2, node: 10, watched: 10 };
/** A caller of ordinary size. */
const COMMENT = `\n// ${"x".repeat(3_000)}`;
const TRIVIAL = { short: "6 * 7", "3 KB": `6 * 7${COMMENT}` };
/** Wall-clock limit of a run that is not ended, in milliseconds. */
const WALL_MS = 10_000;

function start(server: Server): Promise<Program> {
  return startProgram({
    module: "bench/listener_program.ts",
    args: [server],
    env: {
      ...SERVICE_LIMITS,
      ...KILLS_WITHOUT_END,
      LANGUAGES: "javascript",
      ISOLATES: "2",
      WALL_MS: String(WALL_MS),
    },
  });
}

/** The measurements of trivial runs of one size at one server. */
interface Sample {
  /** Time of each run on one connection, in milliseconds. */
  readonly each: number[];
  /** Runs per second, of each round with all connections. */
  readonly perSecond: number[];
  /** Processor time of the gateway's process for each run on one connection, of each round. */
  readonly processor: number[];
}

async function round({ url, pid }: Program, code: string, sample: Sample): Promise<void> {
  const run = () => execute(url, "javascript", code);
  const before = await processorMs([pid]);
  sample.each.push(...await times(RUNS, run));
  sample.processor.push((await processorMs([pid]) - before) / RUNS);
  const began = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, () => times(RUNS / 2, run)));
  sample.perSecond.push(CONNECTIONS * RUNS / 2 / (performance.now() - began) * 1000);
}

/** Resident memory of one process, in MiB. */
async function resident(pid: number): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}

async function runsTable(services: ReadonlyMap<Server, Program>, rounds: number): Promise<string> {
  const rows: (string | number)[][] = [];
  for (const [size, code] of Object.entries(TRIVIAL)) {
    const samples = new Map(
      SERVERS.map((server): [Server, Sample] => [
        server,
        { each: [], perSecond: [], processor: [] },
      ]),
    );
    for (let n = -1; n < rounds; n++) {
      const warmUp: Sample = { each: [], perSecond: [], processor: [] };
      for (const [server, service] of n % 2 === 0 ? services : [...services].reverse()) {
        await round(service, code, n < 0 ? warmUp : samples.get(server) ?? warmUp);
      }
    }
    for (const [server, { each, perSecond, processor }] of samples) {
      rows.push([
        server,
        size,
        ms(quantile(each, 0.5)),
        ms(quantile(each, 0.99)),
        Math.round(quantile(perSecond, 0.5)),
        ms(processor.reduce((sum, value) => sum + value, 0) / processor.length),
        Math.round(await resident(services.get(server)?.pid ?? 0)),
      ]);
    }
  }
  return table([
    "server",
    "program",
    "p50, ms",
    "p99, ms",
    `runs/s, ${CONNECTIONS} connections`,
    "processor time of the gateway per run, ms",
    "RSS of the gateway, MiB",
  ], rows);
}

/** The isolate that uses the most processor time within a short interval. */
async function busiest(root: number): Promise<number> {
  const isolates = (await processTree(root)).slice(1);
  const times = () => Promise.all(isolates.map((pid) => processorMs([pid])));
  const before = await times();
  await pause(LEAVE_MS / 2);
  const worked = (await times()).map((time, index) => time - (before[index] ?? 0));
  return isolates[worked.indexOf(Math.max(...worked))] ?? 0;
}

/** Resolves when a process has ended or is idle. */
async function untilEnded(pid: number): Promise<void> {
  const end = performance.now() + WALL_MS + 5_000;
  let before = -1;
  for (let still = 0; still < 10 && await isAlive(pid) && performance.now() < end;) {
    const now = await processorMs([pid]);
    still = now === before ? still + 1 : 0;
    before = now;
    await pause(20);
  }
}

const PATHS = {
  stateless: "/execute",
  "in a context": "/languages/javascript/sandboxes/box/execute",
};

/** Measures from the disconnect of a caller on, and reads the state of the context. */
async function leaversTable(services: ReadonlyMap<Server, Program>): Promise<string> {
  const rows: (string | number)[][] = [];
  for (const [where, path] of Object.entries(PATHS)) {
    for (const [server, { url, pid }] of services) {
      const ends: number[] = [];
      const next: number[] = [];
      let wrong = 0;
      await callJson(url + path, { code: "var x = 1" });
      for (let n = 0; n < LEAVERS[server]; n++) {
        const code = `x = 2; for (;;);${COMMENT}`;
        const [isolate] = await Promise.all([busiest(pid), leave(url, path, { code }, "fetch")]);
        const began = performance.now();
        const ended = untilEnded(isolate).then(() => ends.push(performance.now() - began));
        const { status, body } = await callJson(url + path, {
          code: "typeof x === 'undefined' ? 1 : x",
        });
        next.push(performance.now() - began);
        await ended;
        if (status !== 200 || JSON.stringify(body["results"]) !== '[{"text":"1"}]') wrong++;
      }
      const most = (sample: readonly number[]) => Math.round(Math.max(...sample));
      const half = (sample: readonly number[]) => Math.round(quantile(sample, 0.5));
      rows.push([where, server, half(ends), most(ends), half(next), most(next), wrong]);
    }
  }
  return table([
    `caller gone after ${LEAVE_MS} ms`,
    "server",
    "its isolate gone or idle after, p50, ms",
    "most, ms",
    "next run answered after, p50, ms",
    "most, ms",
    "next runs that saw it or failed",
  ], rows);
}

/** Both tables. The servers alternate, so that other load affects them equally. */
export async function listenerTables(rounds = ROUNDS): Promise<readonly string[]> {
  await using deno = await start("deno");
  await using node = await start("node");
  await using watched = await start("watched");
  const services = new Map<Server, Program>([
    ["deno", deno],
    ["node", node],
    ["watched", watched],
  ]);
  return [await runsTable(services, rounds), await leaversTable(services)];
}

if (import.meta.main) {
  for (const text of await listenerTables(Number(Deno.args[0] ?? ROUNDS))) {
    await Deno.stdout.write(new TextEncoder().encode(`${text}\n\n`));
  }
}
