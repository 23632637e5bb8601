/**
 * The servers that the gateway can listen with, side by side in one run: trivial runs over HTTP
 * through the whole service, and what becomes of the run of a caller that leaves. By itself:
 * `deno run --allow-all bench/listener.ts [rounds]`.
 *
 * @module
 */
import { leave, LEAVE_MS } from "../tests/support/leavers.ts";
import { processorMs, processTree } from "../tests/support/process.ts";
import { callJson, type Program, startProgram } from "../tests/support/program.ts";
import { KILLS_WITHOUT_END, SERVICE_LIMITS } from "../tests/support/run_limits.ts";
import { execute } from "../tests/support/service.ts";
import { pause } from "../tests/support/wait.ts";
import { ms, quantile, table, times } from "./stats.ts";

const SERVERS = ["deno", "node"] as const;
type Server = typeof SERVERS[number];

const ROUNDS = 20;
const RUNS = 100;
const CONNECTIONS = 8;
const LEAVERS = 10;
/** A caller of ordinary size. */
const COMMENT = `\n// ${"x".repeat(3_000)}`;
const TRIVIAL = { short: "6 * 7", "3 KB": `6 * 7${COMMENT}` };
/** A run that nobody ends goes on for at most so long. */
const LONGEST_MS = Number(SERVICE_LIMITS["WALL_MS"]) + 5_000;

function start(server: Server): Promise<Program> {
  return startProgram({
    module: "bench/listener_program.ts",
    args: [server],
    env: {
      ...SERVICE_LIMITS,
      ...KILLS_WITHOUT_END,
      LANGUAGES: "javascript",
      ISOLATES: "2",
      MAX_KILLED_SECONDS_PER_MINUTE: "100000",
    },
  });
}

/** What trivial runs of one size took at one server. */
interface Sample {
  /** Of each run on one connection, in milliseconds. */
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

/** Milliseconds until the isolates of a service have done nothing for three looks. */
async function untilIdle(pid: number): Promise<number> {
  const began = performance.now();
  let idleSince = began;
  let before = -1;
  for (let still = 0; still < 3 && performance.now() - began < LONGEST_MS;) {
    const now = await processorMs((await processTree(pid)).slice(1));
    still = now === before ? still + 1 : 0;
    if (still === 0) idleSince = performance.now();
    before = now;
    await pause(20);
  }
  return idleSince - began;
}

const PATHS = {
  stateless: "/execute",
  "in a context": "/languages/javascript/sandboxes/box/execute",
};

/** From the moment at which a caller leaves; the state of the context is looked at as well. */
async function leaversTable(services: ReadonlyMap<Server, Program>): Promise<string> {
  const rows: (string | number)[][] = [];
  for (const [where, path] of Object.entries(PATHS)) {
    for (const [server, { url, pid }] of services) {
      const idle: number[] = [];
      const next: number[] = [];
      let wrong = 0;
      await callJson(url + path, { code: "var x = 1" });
      for (let n = 0; n < LEAVERS; n++) {
        const code = `x = 2; for (;;);${COMMENT}`;
        await leave(url, path, { code }, "fetch");
        const began = performance.now();
        const [ended, { status, body }] = await Promise.all([
          untilIdle(pid),
          callJson(url + path, { code: "typeof x === 'undefined' ? 1 : x" })
            .finally(() => next.push(performance.now() - began)),
        ]);
        idle.push(ended);
        if (status !== 200 || JSON.stringify(body["results"]) !== '[{"text":"1"}]') wrong++;
      }
      const most = (sample: readonly number[]) => Math.round(Math.max(...sample));
      const half = (sample: readonly number[]) => Math.round(quantile(sample, 0.5));
      rows.push([where, server, half(idle), most(idle), half(next), most(next), wrong]);
    }
  }
  return table([
    `caller gone after ${LEAVE_MS} ms`,
    "server",
    "isolates idle after, p50, ms",
    "most, ms",
    "next run answered after, p50, ms",
    "most, ms",
    "next runs that saw it or failed",
  ], rows);
}

/** Both tables. The servers alternate, so that a busy machine is as busy for each. */
export async function listenerTables(rounds = ROUNDS): Promise<readonly string[]> {
  await using deno = await start("deno");
  await using node = await start("node");
  const services = new Map<Server, Program>([["deno", deno], ["node", node]]);
  return [await runsTable(services, rounds), await leaversTable(services)];
}

if (import.meta.main) {
  for (const text of await listenerTables(Number(Deno.args[0] ?? ROUNDS))) {
    await Deno.stdout.write(new TextEncoder().encode(`${text}\n\n`));
  }
}
