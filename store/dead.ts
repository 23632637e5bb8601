/**
 * Lifetimes that are over. The commit that deletes a sandbox records here what must be wiped. The
 * wipe follows, and the record stays until the wipe is finished.
 *
 * @module
 */
import type { Clock } from "../shared/clock.ts";
import { blobRefSchema, partCount } from "./blobs.ts";
import { keysOf } from "./commit_plan.ts";
import { deadKey, deadPrefix } from "./keys.ts";
import type { KvStore } from "./kv.ts";
import { deleteKeys, deletePrefix } from "./prefix.ts";
import type { Transaction } from "./transaction.ts";

/** The data of a lifetime to wipe. */
interface DeadLifetime {
  /** When it ended, epoch ms. */
  readonly at: number;
  readonly prefixes: readonly Deno.KvKey[];
  /** Absent in records of an earlier version. */
  readonly named?: readonly NamedBlobs[];
}

/** Blobs among others that stay. The value of each key below `entries` is a reference to one. */
export interface NamedBlobs {
  readonly entries: Deno.KvKey;
  /** The key of the blobs, without write id, n and part. */
  readonly blobs: Deno.KvKey;
}

/** A lifetime that ended, and everything stored under it. */
export interface EndedLifetime {
  readonly lifetime: string;
  /** Everything below these keys is deleted. */
  readonly prefixes: readonly Deno.KvKey[];
  /** Blobs to delete before that. The prefixes must contain their entries. */
  readonly named?: readonly NamedBlobs[];
}

/** Records a lifetime as dead, as part of the commit that ends it. */
export function markDead(transaction: Transaction, ended: EndedLifetime, clock: Clock): void {
  const { prefixes, named = [] } = ended;
  const record: DeadLifetime = { at: clock(), prefixes, named };
  transaction.set(deadKey(ended.lifetime), record);
}

/** Deletes everything that a dead lifetime left. Does nothing when no such lifetime is recorded. */
export async function wipeDead(kv: KvStore, lifetime: string, signal?: AbortSignal): Promise<void> {
  const { value } = await kv.get<DeadLifetime>(deadKey(lifetime));
  for (const named of value?.named ?? []) await deleteNamed(kv, named, signal);
  for (const prefix of value?.prefixes ?? []) await deletePrefix(kv, prefix, signal);
  if (value !== null) await kv.delete(deadKey(lifetime));
}

/** Deletes blobs, as their entries are listed. The entries stay. */
async function deleteNamed(
  kv: KvStore,
  { entries, blobs }: NamedBlobs,
  signal: AbortSignal | undefined,
): Promise<void> {
  for await (const { value } of kv.list({ prefix: entries })) {
    signal?.throwIfAborted();
    const { success, data: ref } = blobRefSchema.safeParse(value);
    if (!success) continue;
    await deleteKeys(kv, keysOf({ key: [...blobs, ref.run, ref.n], parts: partCount(ref) }));
  }
}

/** Wipes all dead lifetimes; returns how many. */
export async function wipeAllDead(kv: KvStore, signal?: AbortSignal): Promise<number> {
  const lifetimes: string[] = [];
  for await (const { key: [, lifetime] } of kv.list({ prefix: deadPrefix() })) {
    if (typeof lifetime === "string") lifetimes.push(lifetime);
  }
  for (const lifetime of lifetimes) await wipeDead(kv, lifetime, signal);
  return lifetimes.length;
}
