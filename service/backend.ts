/**
 * The parts below a gateway: the store, the runtimes of the enabled languages, and the count of
 * the kills that tenants caused.
 *
 * @module
 */
import { KillMeter } from "../gateway/admission.ts";
import { StartRefused } from "../gateway/server.ts";
import type { CreateRuntimes, RuntimeSettings } from "../runtimes/runtimes_options.ts";
import type { KvStore } from "../store/kv.ts";
import { type AnswerTimes, answerTimes, GuardedStore } from "../store/guarded_store.ts";
import { isUnfinishedCopy } from "../store/copy.ts";
import { openStore } from "../store/open.ts";
import { type DeferredLog, deferredLog, logStart } from "./start_line.ts";
import { Presence } from "../store/presence.ts";
import type { LanguageRuntime } from "../shared/binding.ts";
import type { Log } from "../shared/log.ts";
import { pause, systemTimers } from "../shared/timers.ts";
import type { Language } from "../client/protocol/types.ts";

/** Options of a backend. */
export interface BackendOptions extends RuntimeSettings {
  /** Path or URL of the store; undefined: the platform's database. */
  readonly kvPath: string | undefined;
  /** Wraps the opened store; for tests. */
  readonly wrapStore?: (store: KvStore) => KvStore;
  /** How long the store may take to answer. The service's default when absent. */
  readonly answerTimes?: AnswerTimes;
}

/** Longest wait for the store while the service stops, in milliseconds: the store may be gone. */
export const CLOSE_MS = 300;

/** A running backend. */
export interface Backend {
  readonly store: GuardedStore;
  readonly kills: KillMeter;
  /** The enabled languages. */
  readonly runtimes: ReadonlyMap<Language, LanguageRuntime>;
  /** Stops the runtimes and closes the store. Calls in flight fail. */
  close(): Promise<void>;
}

/**
 * Starts a backend.
 *
 * @param deferred the lines of the parts that are open already: they come after the first line.
 * @throws {StartRefused} when the store cannot be opened; the error of a runtime when it cannot
 * start.
 */
export async function startBackend(
  options: BackendOptions,
  createRuntimes: CreateRuntimes,
  log: Log,
  deferred: DeferredLog = deferredLog(log),
): Promise<Backend> {
  const kills = new KillMeter(options.admission, Date.now);
  const times = options.answerTimes ?? answerTimes(options.admission.maxWaitMs);
  const opened = await openData(options.kvPath, times);
  const store = new GuardedStore(options.wrapStore?.(opened) ?? opened, { ...times, log });
  const presence = new Presence(opened, Date.now);
  try {
    if (await isUnfinishedCopy(opened)) {
      throw new StartRefused("KV_PATH holds an unfinished copy: run `deno task store copy` again");
    }
    presence.begin();
    const runtimes = await createRuntimes({
      ...options,
      store,
      clock: Date.now,
      log: deferred.log,
      onKill: (tenant, runMs) => kills.record(tenant, runMs),
    });
    await logStart(opened, { ...options, runtimes }, log);
    deferred.release();
    const close = async () => {
      await Promise.all([...runtimes.values()].map((runtime) => runtime.close()));
      await withinClose(presence.end());
      await store.close();
    };
    return { store, kills, runtimes, close };
  } catch (thrown) {
    deferred.release();
    await withinClose(presence.end());
    await store.close();
    throw thrown;
  }
}

/** Waits for work while the service stops, but not for a store that is silent. */
async function withinClose(work: Promise<void>): Promise<void> {
  const over = new AbortController();
  const late = pause(systemTimers, CLOSE_MS, over.signal).catch(() => undefined);
  await Promise.race([work.catch(() => undefined), late]);
  over.abort();
}

/** Opens the database. On failure, names the variable that the operator has to change. */
async function openData(path: string | undefined, { writeMs }: AnswerTimes): Promise<KvStore> {
  try {
    return await openStore(path, writeMs);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : "unknown reason";
    throw new StartRefused(`KV_PATH cannot be opened: ${reason}`);
  }
}
