/**
 * Intents: a record that exists while blobs are written ahead of their commit, so that a crash
 * leaves no bytes that nothing refers to.
 *
 * | state | meaning | remaining work |
 * |---|---|---|
 * | `writing` | its blobs may exist, the commit has not happened | nothing, until it is old |
 * | `abandoned` | the commit can no longer happen | delete its blobs, then the intent |
 * | `committed` | the commit happened and superseded more than it could delete | delete the lists |
 *
 * Every batch of blobs and the commit itself check that the intent is unchanged since it was first
 * written. Abandoning changes it, so from then on no slow writer adds a blob or commits. Age only
 * decides when to abandon; safety does not depend on synchronized clocks.
 *
 * @module
 */
import type { Clock } from "../shared/clock.ts";
import { type BlobSpan, keysOf } from "./commit_plan.ts";
import { garbagePrefix, intentKey, intentsPrefix } from "./keys.ts";
import type { KvStore } from "./kv.ts";
import { deleteKeys, deletePrefix } from "./prefix.ts";

/** Value of an intent. */
export interface Intent {
  readonly state: "writing" | "abandoned" | "committed";
  /** When it was first written, epoch ms. */
  readonly at: number;
  /** Prefixes that contain its blobs and no others. Empty once committed. */
  readonly places: readonly Deno.KvKey[];
}

/** Options of a sweep. */
export interface IntentSweep {
  readonly clock: Clock;
  /** Age from which the writer counts as dead, ms. Far above the duration of any run. */
  readonly olderThanMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Cleans up after dead writers: deletes what was not committed and finishes deletions that had
 * begun. Returns how many intents ended.
 */
export async function sweepIntents(kv: KvStore, sweep: IntentSweep): Promise<number> {
  let ended = 0;
  for await (const entry of kv.list<Intent>({ prefix: intentsPrefix() })) {
    sweep.signal?.throwIfAborted();
    const writeId = entry.key.at(-1);
    if (typeof writeId !== "string") continue;
    const { state, at } = entry.value;
    if (sweep.clock() - at < sweep.olderThanMs) continue;
    if (state === "committed") await finishCommitted(kv, writeId);
    else if (state === "abandoned") await finishAbandoned(kv, writeId, entry.value);
    else if (!(await abandon(kv, writeId, entry))) continue;
    ended++;
  }
  return ended;
}

/** Makes the commit impossible and deletes its blobs. False when the intent has changed. */
export async function abandon(
  kv: KvStore,
  writeId: string,
  entry: { readonly versionstamp: string; readonly value: Intent },
): Promise<boolean> {
  const key = intentKey(writeId);
  const intent: Intent = { ...entry.value, state: "abandoned" };
  const { versionstamp } = entry;
  const claimed = await kv.atomic().check({ key, versionstamp }).set(key, intent).commit();
  if (claimed.ok) await finishAbandoned(kv, writeId, intent);
  return claimed.ok;
}

async function finishAbandoned(kv: KvStore, writeId: string, { places }: Intent): Promise<void> {
  for (const place of places) await deletePrefix(kv, place);
  await deletePrefix(kv, garbagePrefix(writeId));
  await kv.delete(intentKey(writeId));
}

/** Deletes the blobs that a commit listed, then the lists, and finally the intent. */
export async function finishCommitted(kv: KvStore, writeId: string): Promise<void> {
  for await (
    const { key, value } of kv.list<readonly BlobSpan[]>({ prefix: garbagePrefix(writeId) })
  ) {
    await deleteKeys(kv, allKeysOf(value));
    await kv.delete(key);
  }
  await kv.delete(intentKey(writeId));
}

function* allKeysOf(spans: readonly BlobSpan[]): Generator<Deno.KvKey> {
  for (const span of spans) yield* keysOf(span);
}
