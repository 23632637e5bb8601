/**
 * Intents: the record that stands while blobs are written ahead of their commit, so that no crash
 * leaves bytes behind that nobody names.
 *
 * | state | means | what is left to do |
 * |---|---|---|
 * | `writing` | its blobs may exist, the commit has not happened | nothing, until it is old |
 * | `abandoned` | the commit can never happen any more | delete its blobs, then the intent |
 * | `committed` | the commit happened and superseded more than it could delete | delete the lists |
 *
 * Every batch of blobs and the commit itself check that the intent is as it was first written.
 * Abandoning changes it; so from then on no slow writer adds a blob or commits. Age only decides
 * when that is done, and needs no agreement of clocks to be safe.
 *
 * @module
 */
import type { Clock } from "../wire/clock.ts";
import { type BlobSpan, keysOf } from "./commit_plan.ts";
import { garbagePrefix, intentKey, intentsPrefix } from "./keys.ts";
import type { KvStore } from "./kv.ts";
import { deleteKeys, deletePrefix } from "./prefix.ts";

/** Value of an intent. */
export interface Intent {
  readonly state: "writing" | "abandoned" | "committed";
  /** When it was written first, epoch ms. */
  readonly at: number;
  /** Prefixes below which its blobs lie, and no others. Empty once committed. */
  readonly places: readonly Deno.KvKey[];
}

/** What a sweep looks at. */
export interface IntentSweep {
  readonly clock: Clock;
  /** Age from which its writer is taken for dead, ms. Far above what any run may take. */
  readonly olderThanMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Ends what dead writers left: what was not committed is deleted, and deletions that were begun
 * are finished. Gives how many intents were ended.
 */
export async function sweepIntents(kv: KvStore, sweep: IntentSweep): Promise<number> {
  let ended = 0;
  for await (const entry of kv.list<Intent>({ prefix: intentsPrefix() })) {
    sweep.signal?.throwIfAborted();
    const run = entry.key.at(-1);
    if (typeof run !== "string") continue;
    const { state, at } = entry.value;
    if (sweep.clock() - at < sweep.olderThanMs) continue;
    if (state === "committed") await finishCommitted(kv, run);
    else if (state === "abandoned") await finishAbandoned(kv, run, entry.value);
    else if (!(await abandon(kv, run, entry))) continue;
    ended++;
  }
  return ended;
}

/** Makes the commit impossible and deletes its blobs. False when the intent has moved on. */
export async function abandon(
  kv: KvStore,
  run: string,
  entry: { readonly versionstamp: string; readonly value: Intent },
): Promise<boolean> {
  const key = intentKey(run);
  const intent: Intent = { ...entry.value, state: "abandoned" };
  const { versionstamp } = entry;
  const claimed = await kv.atomic().check({ key, versionstamp }).set(key, intent).commit();
  if (claimed.ok) await finishAbandoned(kv, run, intent);
  return claimed.ok;
}

async function finishAbandoned(kv: KvStore, run: string, { places }: Intent): Promise<void> {
  for (const place of places) await deletePrefix(kv, place);
  await deletePrefix(kv, garbagePrefix(run));
  await kv.delete(intentKey(run));
}

/** Deletes the blobs that a commit listed, the lists, and last the intent. */
export async function finishCommitted(kv: KvStore, run: string): Promise<void> {
  for await (const { key, value } of kv.list<readonly BlobSpan[]>({ prefix: garbagePrefix(run) })) {
    await deleteKeys(kv, allKeysOf(value));
    await kv.delete(key);
  }
  await kv.delete(intentKey(run));
}

function* allKeysOf(spans: readonly BlobSpan[]): Generator<Deno.KvKey> {
  for (const span of spans) yield* keysOf(span);
}
