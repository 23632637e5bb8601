/**
 * One commit, with the blobs that it makes current. It is atomic: all of it happens, or nothing.
 *
 * A commit that fits one atomic operation of KV is one. Otherwise the blobs are written ahead under
 * an intent ({@link ./intents.ts}), and one small operation with the checks, the records and the
 * end of the intent decides. Readers see the old state or the new one, after a crash too.
 *
 * @module
 */
import { contentHash } from "../shared/content_hash.ts";
import type { Clock } from "../shared/clock.ts";
import type { StoreWrites } from "../shared/run_in_context.ts";
import { OutcomeUnknown, StoreUnavailable } from "../shared/store_errors.ts";
import { type AtomicBounds, JOINED, valueBytes } from "./atomic_size.ts";
import { type BlobRef, partCount, partsOf } from "./blobs.ts";
import { apply, type BlobSpan, type CommitPlan, type Mutation, planCommit } from "./commit_plan.ts";
import { abandon, finishCommitted, type Intent } from "./intents.ts";
import { type BlobKey, intentKey } from "./keys.ts";
import type { KvStore } from "./kv.ts";

/** The outcome of a deciding operation. `unknown`: it may be carried out, now or later. */
export type Outcome = "committed" | "refused" | "unknown";

/** Observes the commit. A lease that ends with a commit does so. */
export interface CommitListener {
  /** Called when the deciding operation is about to be sent. */
  committing(): void;
  /** Called when no caller waits for it any more. `versionstamp`: of the commit, if it is done. */
  settled(outcome: Outcome, versionstamp?: string): void;
}

const BATCHES_IN_FLIGHT = 4;

/** Blobs that are written ahead of the operation that decides about them. */
interface Ahead {
  readonly check: Deno.AtomicCheck;
  /** The write that ends the intent, as part of the deciding operation. */
  readonly end: Mutation;
  readonly abandon: () => Promise<void>;
  /** Deletes superseded blobs after the commit. */
  readonly finish: () => Promise<void>;
}

/** The writes of a transaction that joins another one: applied with its commit, or not at all. */
class JoinedWrites implements StoreWrites {
  readonly kind = "store writes";
  readonly checks: readonly Deno.AtomicCheck[];
  readonly mutations: readonly Mutation[];
  readonly listener: CommitListener | undefined;
  readonly ahead: Ahead | undefined;

  constructor(
    checks: readonly Deno.AtomicCheck[],
    mutations: readonly Mutation[],
    listener: CommitListener | undefined,
    ahead: Ahead | undefined,
  ) {
    this.checks = ahead === undefined ? checks : [...checks, ahead.check];
    this.mutations = ahead === undefined ? mutations : [...mutations, ahead.end];
    this.listener = listener;
    this.ahead = ahead;
  }

  async discard(): Promise<void> {
    await this.ahead?.abandon();
  }
}

/** A transaction is built, then committed once. */
export class Transaction {
  readonly #writeId: string;
  readonly #kv: KvStore;
  readonly #clock: Clock;
  readonly #checks: Deno.AtomicCheck[] = [];
  readonly #mutations: Mutation[] = [];
  readonly #parts: Mutation[] = [];
  readonly #superseded: BlobSpan[] = [];
  readonly #places = new Map<string, Deno.KvKey>();
  /** One new key of each prefix. They must be free; otherwise this write id was used before. */
  readonly #free: Deno.AtomicCheck[] = [];
  readonly #listeners: CommitListener[] = [];
  /** Of the joined transactions. */
  readonly #joined: Ahead[] = [];
  #blobs = 0;
  #used = false;

  /**
   * `writeId`: a random id under which its blobs are stored. Each transaction takes a new one, even
   * when it repeats one that was refused. It is refused while blobs of another transaction exist
   * under the id.
   */
  constructor(kv: KvStore, options: { readonly writeId: string; readonly clock: Clock }) {
    this.#kv = kv;
    this.#clock = options.clock;
    this.#writeId = options.writeId;
  }

  /** Requires that `key` is at that version; null: that there is no such key. */
  check(key: Deno.KvKey, versionstamp: string | null): this {
    this.#checks.push({ key, versionstamp });
    return this;
  }

  set(key: Deno.KvKey, value: unknown): this {
    this.#mutations.push({ kind: "set", key, value });
    return this;
  }

  delete(key: Deno.KvKey): this {
    this.#mutations.push({ kind: "delete", key });
    return this;
  }

  /**
   * Moves a 64-bit counter up or down, without reading it and without conflict between writers.
   * {@link countIn} reads it.
   */
  add(key: Deno.KvKey, n: number): this {
    this.#mutations.push({ kind: "add", key, n: BigInt.asUintN(64, BigInt(n)) });
    return this;
  }

  /**
   * Stores bytes under `key(writeId, n, part)`; `n` counts the blobs of this transaction. The bytes
   * are not copied: they must not change until {@link commit} has settled. `partBytes`: 1,024 to
   * 65,536, the largest by default.
   */
  putBlob(key: BlobKey, bytes: Uint8Array, partBytes?: number): BlobRef {
    const n = this.#blobs++;
    const place = spanKey(key, this.#writeId, n).slice(0, -1);
    const name = JSON.stringify(place);
    for (const [part, value] of partsOf(bytes, partBytes).entries()) {
      if (!this.#places.has(name)) {
        this.#places.set(name, place);
        this.#free.push({ key: key(this.#writeId, n, part), versionstamp: null });
      }
      this.#parts.push({ kind: "set", key: key(this.#writeId, n, part), value });
    }
    const ref = { run: this.#writeId, n, bytes: bytes.byteLength, sha256: contentHash(bytes) };
    return partBytes === undefined ? ref : { ...ref, partBytes };
  }

  /** Deletes a blob that nothing refers to once this is committed. */
  deleteBlob(key: BlobKey, ref: BlobRef): this {
    this.#superseded.push({ key: spanKey(key, ref.run, ref.n), parts: partCount(ref) });
    return this;
  }

  /**
   * The whole transaction as writes that another one can {@link join}. Blobs that are too large for
   * that are written now: they become current with the commit of the other one, or are deleted.
   * `listener` observes that commit. Undefined when the blobs cannot be written under this id.
   */
  async asWrites(listener?: CommitListener): Promise<StoreWrites | undefined> {
    this.#use();
    const { plan, intent } = this.#plan(JOINED);
    const ahead = plan.ahead.length === 0 ? undefined : await this.#writeAhead(plan, intent);
    if (plan.ahead.length > 0 && ahead === undefined) return undefined;
    const checks = [...this.#checks, ...ahead === undefined ? this.#free : []];
    return new JoinedWrites(checks, plan.decisive, listener, ahead);
  }

  /** Adds the writes of another transaction, which are applied only with this commit. */
  join(writes: StoreWrites): this {
    if (!(writes instanceof JoinedWrites)) throw new TypeError("not the writes of a transaction");
    this.#checks.push(...writes.checks);
    this.#mutations.push(...writes.mutations);
    if (writes.ahead !== undefined) this.#joined.push(writes.ahead);
    return writes.listener === undefined ? this : this.attach(writes.listener);
  }

  /** Adds an observer of the commit. */
  attach(listener: CommitListener): this {
    this.#listeners.push(listener);
    return this;
  }

  /**
   * True when all of it is committed. False when a check failed; then nothing is committed and the
   * blobs are deleted again. A failure of KV is thrown: then all of it or nothing is committed,
   * never a part.
   *
   * @throws {StoreUnavailable} when it is certain that it is not committed
   * @throws {OutcomeUnknown} when the store does not answer the deciding operation
   * @throws {TransactionTooLarge} when records, checks and deletions do not fit one operation
   */
  async commit(): Promise<boolean> {
    this.#use();
    const { plan, intent } = this.#plan();
    const done = plan.ahead.length === 0
      ? await this.#decide(plan.decisive, [...this.#checks, ...this.#free])
      : await this.#commitAhead(plan, intent);
    // the commit stands even if KV fails here: then the janitor repeats it, and reports a failure
    if (done) await Promise.allSettled(this.#joined.map((ahead) => ahead.finish()));
    return done;
  }

  #use(): void {
    if (this.#used) throw new Error("a transaction can be committed only once");
    this.#used = true;
  }

  #plan(most?: AtomicBounds): { readonly plan: CommitPlan; readonly intent: Intent } {
    const places = [...this.#places.values()];
    const intent: Intent = { state: "writing", at: this.#clock(), places };
    const plan = planCommit(
      {
        writeId: this.#writeId,
        checks: [...this.#checks, ...this.#free],
        mutations: this.#mutations,
        parts: this.#parts,
        superseded: this.#superseded,
      },
      valueBytes(intent),
      most,
    );
    return { plan, intent };
  }

  async #commitAhead(plan: CommitPlan, intent: Intent): Promise<boolean> {
    const ahead = await this.#writeAhead(plan, intent);
    if (ahead === undefined) return false;
    const done = await this.#decide([...plan.decisive, ahead.end], [...this.#checks, ahead.check]);
    if (done) await Promise.allSettled([ahead.finish()]);
    else await ahead.abandon();
    return done;
  }

  /** Undefined when the blobs are not written, because the id is taken or the intent abandoned. */
  async #writeAhead(plan: CommitPlan, intent: Intent): Promise<Ahead | undefined> {
    const [kv, writeId] = [this.#kv, this.#writeId];
    const key = intentKey(writeId);
    const [first = [], ...rest] = plan.ahead;
    const beginning = kv.atomic().check({ key, versionstamp: null }, ...this.#free);
    const begun = await apply(beginning.set(key, intent), first).commit();
    // nobody else writes here: if it exists, it was refused because an earlier answer was lost
    const { versionstamp } = begun.ok ? begun : await kv.get(key);
    if (versionstamp === null) return undefined;
    const ahead: Ahead = {
      check: { key, versionstamp },
      end: endOfIntent(key, plan, intent),
      abandon: async () => void await abandon(kv, writeId, { versionstamp, value: intent }),
      finish: async () => {
        if (plan.garbage) await finishCommitted(kv, writeId);
      },
    };
    if (await this.#writeBatches(rest, ahead.check)) return ahead;
    await ahead.abandon();
    return undefined;
  }

  /** False when the intent was abandoned meanwhile. Returns only once no batch is in flight. */
  async #writeBatches(
    batches: readonly (readonly Mutation[])[],
    check: Deno.AtomicCheck,
  ): Promise<boolean> {
    const queue = batches.values();
    const stopped = new AbortController();
    const writer = async () => {
      for (const batch of queue) {
        if (stopped.signal.aborted) return;
        try {
          const written = await apply(this.#kv.atomic().check(check), batch).commit();
          if (!written.ok) stopped.abort();
        } catch (thrown) {
          stopped.abort();
          throw thrown;
        }
      }
    };
    const writers = Array.from({ length: BATCHES_IN_FLIGHT }, writer);
    const failed = (await Promise.allSettled(writers)).find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
    return !stopped.signal.aborted;
  }

  async #decide(
    mutations: readonly Mutation[],
    checks: readonly Deno.AtomicCheck[],
  ): Promise<boolean> {
    for (const listener of this.#listeners) listener.committing();
    let outcome: Outcome = "unknown";
    let versionstamp: string | undefined;
    try {
      const done = await apply(this.#kv.atomic().check(...checks), mutations).commit();
      outcome = done.ok ? "committed" : "refused";
      if (done.ok) versionstamp = done.versionstamp;
      return done.ok;
    } catch (thrown) {
      if (!(thrown instanceof StoreUnavailable)) throw thrown;
      if (thrown.sent) throw new OutcomeUnknown();
      outcome = "refused";
      throw thrown;
    } finally {
      for (const listener of this.#listeners) listener.settled(outcome, versionstamp);
    }
  }
}

/** The value of a counter that transactions `add` to; 0 when it does not exist. */
export function countIn({ value }: Deno.KvEntryMaybe<unknown>): number {
  return value instanceof Deno.KvU64 ? Number(BigInt.asIntN(64, value.value)) : 0;
}

function endOfIntent(key: Deno.KvKey, plan: CommitPlan, intent: Intent): Mutation {
  if (!plan.garbage) return { kind: "delete", key };
  const value: Intent = { state: "committed", at: intent.at, places: [] };
  return { kind: "set", key, value };
}

/** The key of a blob without its part number. */
function spanKey(key: BlobKey, writeId: string, n: number): Deno.KvKey {
  const parts = key(writeId, n, 0);
  if (parts.at(-3) !== writeId || parts.at(-2) !== n || parts.at(-1) !== 0) {
    throw new TypeError("a blob's key must end with write id, n and part");
  }
  return parts.slice(0, -1);
}
