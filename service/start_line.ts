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
import { isLanguage } from "../shared/languages.ts";
import type { Log } from "../shared/log.ts";
import type { Language } from "../client/protocol/types.ts";
import type { LanguageRuntime } from "../shared/binding.ts";

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

/** A runtime, as far as the lines need it. */
type Runs = Pick<LanguageRuntime, "runsEngine">;

/** Writes the line, and one about the contexts whose engine this version does not run. */
export async function logStart(
  kv: KvStore,
  { kvPath, languages, runtimes }: {
    readonly kvPath: string | undefined;
    readonly languages: readonly Language[];
    readonly runtimes: ReadonlyMap<Language, Runs>;
  },
  log: Log,
): Promise<void> {
  const counted = await countContexts(kv);
  log("info", "service.started", {
    version: SERVICE_VERSION,
    store: storeKind(kvPath),
    languages,
    contexts: countsOf(counted),
  });
  const refused: EngineContexts[] = [];
  for (const engine of counted) {
    const runs = runtimes.get(engine.language)?.runsEngine?.(engine.digest);
    if (runs !== undefined && !(await runs)) refused.push(engine);
  }
  if (refused.length > 0) log("warn", "contexts.refused", { contexts: countsOf(refused) });
}

interface EngineContexts {
  readonly language: Language;
  readonly digest: string;
  readonly count: number;
}

/** The number of stored contexts of each engine. */
async function countContexts(kv: KvStore): Promise<readonly EngineContexts[]> {
  const counts = new Map<string, EngineContexts>();
  const options = { limit: MOST, batchSize: ENTRIES_PER_READ };
  for await (const { key: [, language, digest] } of kv.list(USES_OF_MODULES, options)) {
    if (typeof language !== "string" || !isLanguage(language)) continue;
    const name = `${language}/${String(digest)}`;
    const count = (counts.get(name)?.count ?? 0) + 1;
    counts.set(name, { language, digest: String(digest), count });
  }
  return [...counts.values()];
}

/** Counts by language and engine, as in `python/3f9a02c1d4e5`. */
function countsOf(engines: readonly EngineContexts[]): { readonly [engine: string]: number } {
  return Object.fromEntries(
    engines.map(({ language, digest, count }) => [`${language}/${digest.slice(0, DIGITS)}`, count]),
  );
}
