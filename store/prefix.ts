/**
 * Deletions larger than one atomic operation. They are not atomic: a crash leaves the rest. So the
 * caller keeps a record of what to delete until they have finished.
 *
 * @module
 */
import { AtomicBudget } from "./atomic_size.ts";
import type { KvStore } from "./kv.ts";

/** Listing reads the values too, and a part of a blob is 64 KiB. */
const ENTRIES_PER_READ = 64;

/** Deletes every key below `prefix`; returns how many there were. */
export async function deletePrefix(
  kv: KvStore,
  prefix: Deno.KvKey,
  signal?: AbortSignal,
): Promise<number> {
  let count = 0;
  for (;;) {
    signal?.throwIfAborted();
    const keys: Deno.KvKey[] = [];
    const options = { limit: ENTRIES_PER_READ, batchSize: ENTRIES_PER_READ };
    for await (const { key } of kv.list({ prefix }, options)) keys.push(key);
    await deleteKeys(kv, keys);
    count += keys.length;
    if (keys.length < ENTRIES_PER_READ) return count;
  }
}

/** Deletes these keys, as many at once as fit. Missing keys do no harm. */
export async function deleteKeys(kv: KvStore, keys: Iterable<Deno.KvKey>): Promise<void> {
  let budget = new AtomicBudget();
  let atomic = kv.atomic();
  let waiting = 0;
  for (const key of keys) {
    if (!budget.addMutation(key)) {
      await atomic.commit();
      [budget, atomic, waiting] = [new AtomicBudget(), kv.atomic(), 0];
      budget.addMutation(key);
    }
    atomic.delete(key);
    waiting++;
  }
  if (waiting > 0) await atomic.commit();
}
