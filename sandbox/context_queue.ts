/**
 * The queue of a context: runs without a caller that wait for their turn, in the order in which they
 * were answered with 202. Each has a key in the store, and every change of a queue also changes the
 * root record of its sandbox. So a commit that checks the root record needs no other check.
 *
 * @module
 */
import { z } from "zod";
import type { QueuePlace } from "../runs/stored_run.ts";
import { Changes } from "../runs/changes.ts";
import { contentHash } from "../shared/content_hash.ts";
import type { Timers } from "../shared/timers.ts";
import type { KvStore } from "../store/kv.ts";
import { runQueueKey, runQueuePrefix } from "../store/run_keys.ts";
import type { Transaction } from "../store/transaction.ts";
import type { ContextQueue, ContextRecord } from "./root_record.ts";

/** A run in a queue. */
export interface QueuedRun {
  readonly run: string;
  /** When it was requested, in epoch milliseconds. */
  readonly at: number;
  /** Digest of its `Idempotency-Key`. Absent: it has none. */
  readonly key?: string;
}

const queuedSchema: z.ZodType<QueuedRun> = z.object({
  run: z.string(),
  at: z.number(),
  key: z.string().exactOptional(),
});

/** The run of a queue that is next; undefined without a queue. */
export async function firstInQueue(
  kv: KvStore,
  queue: ContextQueue | undefined,
): Promise<QueuedRun | undefined> {
  if (queue === undefined) return undefined;
  for await (const { value } of kv.list({ prefix: runQueuePrefix(queue.id) }, { limit: 1 })) {
    return queuedSchema.parse(value);
  }
  return undefined;
}

/** The run of a queue with an `Idempotency-Key`; undefined when there is none. */
export async function queuedWithKey(
  kv: KvStore,
  queue: ContextQueue | undefined,
  key: string,
): Promise<string | undefined> {
  if (queue === undefined) return undefined;
  const digest = keyDigest(key);
  for await (const { value } of kv.list({ prefix: runQueuePrefix(queue.id) })) {
    const { run, key: other } = queuedSchema.parse(value);
    if (other === digest) return run;
  }
  return undefined;
}

/** Adds a run to the end of the queue of a context. Returns the context, and the place of the run. */
export function joinQueue(
  transaction: Transaction,
  context: ContextRecord,
  { id, waitMs, run, at, key }: Omit<QueuedRun, "key"> & {
    /** The id of a new queue. */
    readonly id: string;
    readonly waitMs: number;
    readonly key: string | undefined;
  },
): { readonly context: ContextRecord; readonly place: QueuePlace } {
  const queue = context.queue ?? { id, next: 0, waitMs };
  const place = { id: queue.id, n: queue.next };
  const entry: QueuedRun = { run, at, ...(key === undefined ? {} : { key: keyDigest(key) }) };
  transaction.set(runQueueKey(place.id, place.n), entry);
  return { context: { ...context, queue: { ...queue, next: queue.next + 1 } }, place };
}

/**
 * Removes a run from the queue of a context. Returns the context, which has no queue any more once
 * nobody else is in it; undefined when the run is not in that queue.
 */
export async function leaveQueue(
  kv: KvStore,
  transaction: Transaction,
  context: ContextRecord,
  { id, n }: QueuePlace,
): Promise<ContextRecord | undefined> {
  if (context.queue?.id !== id) return undefined;
  const prefix = runQueuePrefix(id);
  const isThere = (await kv.get(runQueueKey(id, n))).value !== null;
  if (!isThere) return undefined;
  let entries = 0;
  for await (const _ of kv.list({ prefix }, { limit: 2 })) entries++;
  transaction.delete(runQueueKey(id, n));
  if (entries > 1) return context;
  const { queue: _, ...rest } = context;
  return rest;
}

function keyDigest(key: string): string {
  return contentHash(new TextEncoder().encode(key)).slice(0, 32);
}

/** The changes of a queue, as one run in it follows them. */
export interface QueueWatch {
  /** Number of changes so far. */
  readonly count: number;
  /** Resolves with the change after `count`, after so many milliseconds, or when the signal fires. */
  next(count: number, ms: number, signal: AbortSignal): Promise<void>;
  /** Ends the watch. */
  end(): void;
}

interface Watched {
  readonly changes: Changes;
  count: number;
  watches: number;
}

/** The changes of queues in this process, for the runs that wait in them. */
export class QueueChanges {
  readonly #timers: Timers;
  readonly #contexts = new Map<string, Watched>();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Watches the queue of a context. */
  watch(lifetime: string, contextId: string): QueueWatch {
    const name = `${lifetime}/${contextId}`;
    const watched = this.#contexts.get(name) ?? { changes: new Changes(), count: 0, watches: 0 };
    this.#contexts.set(name, watched);
    watched.watches++;
    return {
      get count() {
        return watched.count;
      },
      next: async (count, ms, signal) => {
        if (watched.count !== count || signal.aborted) return;
        await watched.changes.next(this.#timers, ms, signal);
      },
      end: () => {
        watched.watches--;
        if (watched.watches === 0) this.#contexts.delete(name);
      },
    };
  }

  /** A run of a context is over. */
  notify(lifetime: string, contextId: string): void {
    const watched = this.#contexts.get(`${lifetime}/${contextId}`);
    if (watched === undefined) return;
    watched.count++;
    watched.changes.notify();
  }
}
