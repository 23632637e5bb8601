/**
 * The first line of the log: the version, the store, the languages, and the stored contexts by the
 * engine that they need.
 *
 * @module
 */
import { SERVICE_VERSION } from "../gateway/health.ts";
import type { KvStore } from "../store/kv.ts";
import { storeKind } from "../store/open.ts";
import { USES_OF_MODULES } from "../store/store_keys.ts";
import type { Log } from "../shared/log.ts";
import type { Language } from "../client/protocol/types.ts";

/** Digits of an engine's digest that name it. */
const DIGITS = 12;
/** Contexts that are counted; a start must not wait for more. */
const MOST = 100_000;
const ENTRIES_PER_READ = 1_000;

/** A log whose lines wait, so that a start that is refused has no line that says it began. */
export interface DeferredLog {
  readonly log: Log;
  /** Writes the lines that wait. Later ones are written at once. */
  release(): void;
}

/** Defers the lines of a log. */
export function deferredLog(log: Log): DeferredLog {
  const waiting: Parameters<Log>[] = [];
  let isReleased = false;
  return {
    log: (...line) => isReleased ? log(...line) : void waiting.push(line),
    release: () => {
      isReleased = true;
      for (const line of waiting.splice(0)) log(...line);
    },
  };
}

/** Writes the line. */
export async function logStart(
  kv: KvStore,
  { kvPath, languages }: {
    readonly kvPath: string | undefined;
    readonly languages: readonly Language[];
  },
  log: Log,
): Promise<void> {
  log("info", "service.started", {
    version: SERVICE_VERSION,
    store: storeKind(kvPath),
    languages,
    contexts: await countContexts(kv),
  });
}

/** The number of stored contexts by language and engine, as in `python/3f9a02c1d4e5`. */
async function countContexts(kv: KvStore): Promise<{ readonly [engine: string]: number }> {
  const counts: Record<string, number> = {};
  const options = { limit: MOST, batchSize: ENTRIES_PER_READ };
  for await (const { key: [, language, digest] } of kv.list(USES_OF_MODULES, options)) {
    const name = `${String(language)}/${String(digest).slice(0, DIGITS)}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
