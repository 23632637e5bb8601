/**
 * Indexes of sandboxes by a time of expiry: their own, or that of their oldest kept answer. Entries
 * change only in the commit that changes the time itself, so index and record cannot diverge.
 *
 * @module
 */
import type { Clock } from "../wire/clock.ts";
import { type ExpiryIndex, expiryKey, expirySelector } from "./keys.ts";
import type { KvStore } from "./kv.ts";
import type { Transaction } from "./transaction.ts";

/** The sandbox of an entry. */
export interface ExpiringSandbox {
  readonly tenant: string;
  readonly id: string;
  readonly lifetime: string;
}

/** A sandbox that is due. */
export interface DueSandbox extends ExpiringSandbox {
  /** Epoch ms. */
  readonly expiresAt: number;
}

/** Entries are in buckets of one minute: a move within a bucket overwrites a single key. */
const BUCKET_MS = 60_000;

/**
 * Moves a sandbox in the index, as part of a commit. `from`: its time in the index, null if absent;
 * `to`: the new time, null to remove it. Epoch ms.
 */
export function moveExpiry(
  transaction: Transaction,
  sandbox: ExpiringSandbox,
  from: number | null,
  to: number | null,
  index: ExpiryIndex = "expiry",
): void {
  const [before, after] = [bucketOf(from), bucketOf(to)];
  if (before !== undefined && before !== after) {
    transaction.delete(expiryKey(before, sandbox, index));
  }
  if (after !== undefined) transaction.set(expiryKey(after, sandbox, index), to);
}

/** Up to `limit` sandboxes that are due, the most overdue minute first. */
export async function listDue(
  kv: KvStore,
  clock: Clock,
  limit: number,
  index: ExpiryIndex = "expiry",
): Promise<DueSandbox[]> {
  const now = clock();
  const due: DueSandbox[] = [];
  for await (const { key, value } of kv.list(expirySelector(bucketOf(now) ?? 0, index))) {
    if (due.length >= limit) break;
    const [, , tenant, id, lifetime] = key;
    if (typeof tenant !== "string" || typeof id !== "string" || typeof lifetime !== "string") {
      continue;
    }
    if (typeof value !== "number" || value > now) continue;
    due.push({ tenant, id, lifetime, expiresAt: value });
  }
  return due;
}

function bucketOf(time: number | null): number | undefined {
  return time === null ? undefined : Math.floor(time / BUCKET_MS);
}
