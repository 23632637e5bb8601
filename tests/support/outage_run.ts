/**
 * A service, its load, and random outages of its store.
 *
 * @module
 */
import { connect, runCode } from "../../client/mod.ts";
import { AVAILABLE_LANGUAGES, createRuntimes } from "../../runtimes/create_runtimes.ts";
import { readConfig } from "../../service/config.ts";
import { startService } from "../../service/service.ts";
import { type OutageFigures, OutageLoad } from "./outage_load.ts";
import { type Outages, OutageStore } from "./outage_store.ts";
import { seededBelow } from "./random.ts";
import { TcpProxy } from "./tcp_proxy.ts";
import { pause, until } from "./wait.ts";

/** The program of a run. */
export interface OutageRun {
  readonly outages: number;
  readonly seed: number;
  /** A KV server to cut off; a file with faults before it when absent. */
  readonly kvUrl?: string | undefined;
}

/** The outcome. */
export interface OutageReport extends OutageFigures {
  /** How often `GET /healthz` was seen to say that the store is gone. */
  readonly degraded: number;
  /** Events of the log. */
  readonly log: readonly string[];
}

/** Longest wait of a run for the store, and how long the store may take; all small. */
export const MAX_WAIT_MS = 5_000;
const ANSWER_TIMES = { readMs: 200, writeMs: 400 };
const LEASE_MS = 2_000;
const LONGEST_OUTAGE_MS = 1_200;
const LONGEST_GAP_MS = 500;
const ACTORS = 5;

/** Runs the load through so many outages. */
export async function runOutages({ outages, seed, kvUrl }: OutageRun): Promise<OutageReport> {
  const below = seededBelow(seed);
  const folder = await Deno.makeTempDir({ prefix: "belljar-outages-" });
  const proxy = kvUrl === undefined ? undefined : new TcpProxy(new URL(kvUrl), below);
  let between: Outages | undefined = proxy;
  const env = {
    PORT: "0",
    KV_PATH: proxy?.url ?? `${folder}/data.sqlite3`,
    LANGUAGES: "javascript",
    // a run keeps its isolate until what it left is written, and one that is ended costs it
    ISOLATES: String(2 * ACTORS),
    MAX_WAIT_MS: String(MAX_WAIT_MS),
  };
  const log: string[] = [];
  const service = await startService(
    readConfig(env, { available: AVAILABLE_LANGUAGES, cores: 2 }),
    {
      createRuntimes,
      hooks: {
        answerTimes: ANSWER_TIMES,
        housekeeping: { leaseMs: LEASE_MS },
        ...(proxy === undefined
          ? { wrapStore: (kv) => between = new OutageStore(kv, seededBelow(seed + 1)) }
          : {}),
      },
    },
    (_, event) => log.push(event),
  );
  try {
    const { url } = service.server;
    await startIsolates(url);
    const stop = new AbortController();
    const back = Promise.withResolvers<void>();
    const load = new OutageLoad(url, seededBelow(seed + 2)).work(ACTORS, stop.signal, back.promise);
    load.catch(() => undefined);
    let degraded = 0;
    for (let n = 0; n < outages; n++) {
      await pause(below(LONGEST_GAP_MS));
      between?.begin();
      await pause(below(LONGEST_OUTAGE_MS));
      if (await isDegraded(url)) degraded++;
      between?.end();
    }
    stop.abort();
    await until(async () => !await isDegraded(url));
    back.resolve();
    return { ...await load, degraded, log };
  } finally {
    between?.end();
    await service.stop();
    await proxy?.[Symbol.asyncDispose]();
    await Deno.remove(folder, { recursive: true });
  }
}

/** Their start takes longer than an outage. */
async function startIsolates(url: string): Promise<void> {
  const env = connect(url);
  const long = "for (let i = 0; i < 3_000_000; i++); 0";
  const isolates = async () => (await (await fetch(`${url}/healthz`)).json()).languages[0].isolates;
  while (await isolates() < 2 * ACTORS) {
    await Promise.allSettled(
      Array.from({ length: 4 * ACTORS }, () => runCode(env.JAVASCRIPT, long)),
    );
  }
}

async function isDegraded(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/healthz`);
  const { status, failing } = await answer.json();
  const isGone = status === "degraded" && Array.isArray(failing) && failing.includes("store");
  if (answer.status !== 200 || isGone !== (status === "degraded")) {
    throw new Error("healthz is wrong");
  }
  return isGone;
}
