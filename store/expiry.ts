/**
 * Indexes of sandboxes by a time of expiry: their own, or that of their oldest stored answer. Entries
 * change only in the commit that changes the time itself, so index and record cannot diverge.
 *
 * @module
 */
import type { Maintenance } from "../shared/binding.ts";
import type { Clock } from "../shared/clock.ts";
import {
  type ExpiryIndex,
  expiryKey,
  expirySelector,
  type ExpirySpan,
  expirySpanPrefix,
} from "./keys.ts";
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
/** Minutes and tenants that one listing looks at, the most overdue first. */
const MAX_SPANS = 2_000;
const MAX_BATCH = 100;

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

/**
 * Up to `limit` sandboxes that are due. Tenants take turns, so that nobody waits for those of
 * another one; of each tenant the most overdue minute comes first.
 */
export async function listDue(
  kv: KvStore,
  clock: Clock,
  limit: number,
  { index = "expiry", random = Math.random }: {
    readonly index?: ExpiryIndex;
    /** A number from 0 up to 1: who comes first. */
    readonly random?: () => number;
  } = {},
): Promise<DueSandbox[]> {
  const now = clock();
  const spans = [...await spansUntil(kv, now, index)];
  const first = Math.floor(random() * spans.length);
  const share = Math.max(1, Math.ceil(limit / spans.length));
  const entries = async function* (buckets: readonly ExpirySpan[]) {
    for (const span of buckets) yield* dueIn(kv, span, { now, index, share });
  };
  let turns = [...spans.slice(first), ...spans.slice(0, first)].map(([, of]) => entries(of));
  const due: DueSandbox[] = [];
  while (turns.length > 0 && due.length < limit) {
    const left: typeof turns = [];
    for (const turn of turns) {
      if (due.length >= limit) break;
      const { value, done } = await turn.next();
      if (done === true) continue;
      due.push(value);
      left.push(turn);
    }
    turns = left;
  }
  return due;
}

/** Things of sandboxes that expire, and their removal. */
export interface ExpiringThings {
  /** Name of the task. */
  readonly name: string;
  readonly index: ExpiryIndex;
  /** Maximum number of sandboxes of one round. */
  readonly perRound: number;
  /** Maximum number of things that one commit removes. */
  readonly perCommit: number;
  /** Removes what has expired in a sandbox, as much as a commit takes. Returns how many. */
  readonly remove: (due: DueSandbox) => Promise<number>;
}

/** The janitor's task for things of sandboxes that expire. */
export function expiringThingsTask(
  { kv, clock }: { readonly kv: KvStore; readonly clock: Clock },
  { name, index, perRound, perCommit, remove }: ExpiringThings,
): Maintenance {
  return {
    name,
    run: async (signal) => {
      let removed = 0;
      for (const due of await listDue(kv, clock, perRound, { index })) {
        for (let last = perCommit; last === perCommit && !signal.aborted; removed += last) {
          last = await remove(due);
        }
      }
      return removed;
    },
  };
}

/** The spans of each tenant up to now, in order of time. Their entries are not read. */
async function spansUntil(
  kv: KvStore,
  now: number,
  index: ExpiryIndex,
): Promise<ReadonlyMap<string, readonly ExpirySpan[]>> {
  const found = new Map<string, ExpirySpan[]>();
  const last = bucketOf(now) ?? 0;
  let after: ExpirySpan | undefined;
  for (let read = 0; read < MAX_SPANS; read++) {
    const selector = expirySelector(last, index, after);
    let next: ExpirySpan | undefined;
    for await (const { key: [, bucket, tenant] } of kv.list(selector, { limit: 1, batchSize: 1 })) {
      if (typeof bucket === "number" && typeof tenant === "string") next = { bucket, tenant };
    }
    if (next === undefined) break;
    const spans = found.get(next.tenant);
    if (spans === undefined) found.set(next.tenant, [next]);
    else spans.push(next);
    after = next;
  }
  return found;
}

async function* dueIn(
  kv: KvStore,
  span: ExpirySpan,
  { now, index, share }: {
    readonly now: number;
    readonly index: ExpiryIndex;
    readonly share: number;
  },
): AsyncGenerator<DueSandbox, void> {
  const prefix = expirySpanPrefix(span, index);
  const batchSize = Math.min(share, MAX_BATCH);
  for await (const { key: [, , , id, lifetime], value } of kv.list({ prefix }, { batchSize })) {
    if (typeof id !== "string" || typeof lifetime !== "string") continue;
    if (typeof value !== "number" || value > now) continue;
    yield { tenant: span.tenant, id, lifetime, expiresAt: value };
  }
}

function bucketOf(time: number | null): number | undefined {
  return time === null ? undefined : Math.floor(time / BUCKET_MS);
}
