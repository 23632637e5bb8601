/**
 * The history of one stored run, its record and its parts in the store, and its turn. Each write checks
 * the version of the record, so of two processes that go on with one run, one fails before it has shown
 * anything. The lease is held only while the program computes.
 *
 * @module
 */
import { OutcomeUnknown, StoreUnavailable } from "../shared/store_errors.ts";
import { tenantCounterKey } from "../store/keys.ts";
import { type Lease, LeaseGone, LeaseTimeout } from "../store/lease.ts";
import { wipeDead } from "../store/dead.ts";
import { runBlobKey, runDueKey, runQueueKey, runRecordKey } from "../store/run_keys.ts";
import { Transaction } from "../store/transaction.ts";
import type { Additions } from "./additions.ts";
import type { BegunRun, HistoryBeginning, HistoryOptions } from "./history_terms.ts";
import { eventsText } from "./stored_events.ts";
import { cancelRun, ENDED_MS, removeRun, type RunName } from "./run_removal.ts";
import { type NoticeState, putNotice } from "./run_notices.ts";
import { type NextShown, RunMoved, RunOutdated, type RunStorage } from "./run_terms.ts";
import {
  type KnownRun,
  putPart,
  readParts,
  readStoredRun,
  type RunPart,
  type ShownPart,
  type StoredRun,
} from "./stored_run.ts";

/** Longest wait for the turn of a run before something else of it has its turn, in milliseconds. */
const TURN_MS = 500;
/** A run that was stopped by its process, after something came for it, goes on after so long, in ms. */
const RESUME_MS = 15_000;

/** The history of one run. */
export class RunHistory implements RunStorage {
  readonly #options: HistoryOptions;
  readonly #name: RunName;
  #known: KnownRun | undefined;
  #lease: Lease | undefined;
  /** A write is on its way. */
  #writing = false;
  /** The latest operation. They take turns. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: HistoryOptions) {
    const { id, tenant } = options.run.terms;
    this.#options = options;
    this.#name = { tenant, run: id };
    this.#known = options.known;
    this.#lease = options.turn.lease;
  }

  /** The run as this process knows it; undefined: it is not stored. */
  get known(): KnownRun | undefined {
    return this.#known;
  }

  /** The lease, while the program computes. */
  get lease(): Lease | undefined {
    return this.#lease;
  }

  show(shown: NextShown): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#known === undefined) await this.#options.begin(shown);
      else {
        await this.#write(partOf(shown), this.#dueAt(shown), (transaction, record) => {
          if (!shown.performs) this.#lease?.commitWith(transaction);
          if (isAsked(shown)) this.#tell(transaction, record, "waiting");
        });
      }
      if (!shown.performs) this.#lease = undefined;
    });
  }

  rests(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#known !== undefined) await this.#leave();
    });
  }

  /** Gives the lease back, when the run is over or left to other processes. */
  release(): Promise<void> {
    return this.#inTurn(() => this.#leave());
  }

  async #leave(): Promise<void> {
    const lease = this.#lease;
    this.#lease = undefined;
    await lease?.release();
  }

  get startsAt(): number | undefined {
    return this.#known?.record.startsAt;
  }

  /** It waits in the queue of its context, and as long as another process computes. */
  async resumes(signal: AbortSignal): Promise<void> {
    if (this.#known?.record.queue !== undefined) await this.#options.enter?.(signal);
    while (!await this.#inTurn(() => this.#takeTurn(signal)));
  }

  /** False when another process has the turn. */
  async #takeTurn(signal: AbortSignal): Promise<boolean> {
    if (this.#lease !== undefined || this.#known === undefined) return true;
    const { leases, turn: { keys, also, exists, gone } } = this.#options;
    const record = this.#key;
    try {
      const lease = await leases.acquire(keys, {
        signal,
        maxWaitMs: TURN_MS,
        also: [...also, record],
        exists: (entries) =>
          exists(entries.slice(0, -1)) && readStoredRun(entries.at(-1)?.value) !== undefined,
      });
      this.#lease = lease;
      const entry = lease.also.at(-1);
      if (entry?.versionstamp !== this.#known.versionstamp) await this.#refresh();
      return true;
    } catch (thrown) {
      await this.#leave();
      if (thrown instanceof LeaseTimeout) return false;
      if (!(thrown instanceof LeaseGone)) throw thrown;
      await this.#refresh(); // another process may have ended it
      throw gone();
    }
  }

  isLeft(thrown: unknown): boolean {
    if (this.#known === undefined) return false;
    const isOfStore = thrown instanceof StoreUnavailable || thrown instanceof OutcomeUnknown;
    return isOfStore || this.#lease?.lost.aborted === true;
  }

  /** Adds the beginning of the run to a transaction. The result is to be passed to {@link begun}. */
  begin(
    transaction: Transaction,
    { beginning, shown, keptBytes, record }: HistoryBeginning,
  ): BegunRun {
    const { tenant, run } = this.#name;
    const key = this.#key;
    const bytes = putPart(transaction, { tenant, run, n: 0 }, beginning) +
      putPart(transaction, { tenant, run, n: 1 }, partOf(shown)) + keptBytes;
    const dueAt = this.#dueAt(shown);
    const isQueued = shown.calls.length === 0 && shown.question === undefined &&
      shown.until === undefined;
    const state = isQueued ? { isQueued } : {};
    const stored: StoredRun = { version: 1, ...record, ...state, parts: 2, dueAt, bytes };
    transaction.check(key, null).set(key, stored);
    transaction.set(runDueKey(dueAt, tenant, run), true);
    transaction.add(tenantCounterKey(tenant, "bytes"), bytes);
    transaction.add(tenantCounterKey(tenant, "waiting_runs"), 1);
    if (isAsked(shown)) this.#tell(transaction, { ...stored, parts: 1 }, "waiting");
    return { record: stored, versionstamp: versionOf(transaction) };
  }

  /** The beginning is committed. */
  async begun(record: StoredRun, versionstamp: string | undefined): Promise<void> {
    this.#known = { record, versionstamp: versionstamp ?? (await this.#read()).versionstamp };
  }

  /** Adds to a transaction that a run in a queue has its turn. `keptBytes`: as of {@link begin}. */
  async starts(transaction: Transaction, keptBytes: number): Promise<BegunRun> {
    const { tenant } = this.#name;
    const { key, record: { queue, ...record }, versionstamp } = await this.#read();
    if (queue === undefined || record.end !== undefined) throw new RunOutdated();
    const startsAt = this.#options.clock();
    const dueAt = startsAt + RESUME_MS;
    const next: StoredRun = { ...record, startsAt, dueAt, bytes: record.bytes + keptBytes };
    transaction.check(key, versionstamp).set(key, next).delete(runQueueKey(queue.id, queue.n));
    transaction.add(tenantCounterKey(tenant, "bytes"), keptBytes);
    this.#moveDue(transaction, record.dueAt, dueAt);
    return { record: next, versionstamp: versionOf(transaction) };
  }

  /** Commits the start of a run that has its turn by this lease. */
  async started(lease: Lease, commit: () => Promise<BegunRun>): Promise<void> {
    this.#writing = true;
    try {
      const { record, versionstamp } = await commit();
      await this.begun(record, versionstamp());
      this.#lease = lease;
    } finally {
      this.#writing = false;
    }
  }

  append(addition: Additions): Promise<boolean> {
    return this.#inTurn(async () => {
      const { clock, run } = this.#options;
      if (!run.calls.accepts(addition)) return false;
      await this.#write(addition, clock() + RESUME_MS, () => undefined);
      run.merge(addition);
      return true;
    });
  }

  get parts(): number {
    return this.#known?.record.parts ?? 0;
  }

  /** What this process writes meanwhile is no change. */
  async isCurrent(): Promise<boolean> {
    const known = this.#known;
    if (known === undefined || this.#writing) return true;
    const { versionstamp } = await this.#options.kv.get(this.#key);
    return this.#writing || this.#known !== known || versionstamp === known.versionstamp;
  }

  /** Adds the end of the run, which frees `keptBytes`. Rejects with a {@link RunOutdated}. */
  async end(transaction: Transaction, body: string, keptBytes = 0): Promise<void> {
    const { clock, run: { events } } = this.#options;
    const { tenant, run } = this.#name;
    const { key, record: { isQueued: _, ...record }, versionstamp } = await this.#read();
    const now = clock();
    const put = (text: string) =>
      transaction.putBlob(runBlobKey(tenant, run), new TextEncoder().encode(text));
    const end = { at: now, body: put(body), events: put(eventsText(events.whole())) };
    const bytes = end.body.bytes + end.events.bytes - keptBytes;
    const dueAt = now + ENDED_MS;
    const ended: StoredRun = { ...record, bytes: record.bytes + bytes, dueAt, end };
    transaction.check(key, versionstamp).set(key, ended);
    this.#moveDue(transaction, record.dueAt, ended.dueAt);
    transaction.add(tenantCounterKey(tenant, "bytes"), bytes);
    transaction.add(tenantCounterKey(tenant, "waiting_runs"), -1);
    this.#tell(transaction, record, "ended");
  }

  /** Ends a run that has no result, unless another process goes on with it. */
  async remove(state: "failed" | "cancelled"): Promise<void> {
    const { kv } = this.#options;
    while (this.#known !== undefined) {
      const transaction = this.transaction();
      this.#remove(transaction, this.#known, state, 0);
      if (await transaction.commit()) return await wipeDead(kv, this.#name.run);
      try {
        await this.#refresh();
      } catch (thrown) {
        if (thrown instanceof RunOutdated) return;
        throw thrown;
      }
    }
  }

  /** Adds the end of a run that has no result to a transaction, which frees `keptBytes`. */
  async removeWith(
    transaction: Transaction,
    state: "failed" | "cancelled",
    keptBytes: number,
  ): Promise<void> {
    const known = await this.#read().catch(ignoreOutdated);
    if (known !== undefined) this.#remove(transaction, known, state, keptBytes);
  }

  #remove(
    transaction: Transaction,
    known: KnownRun,
    state: "failed" | "cancelled",
    keptBytes: number,
  ): void {
    const { clock } = this.#options;
    if (state === "failed") removeRun(transaction, this.#name, known, clock);
    else cancelRun(transaction, this.#name, known, { clock, keptBytes });
    this.#tell(transaction, known.record, state);
  }

  /** Lets the janitor look at the run in its next round. */
  async hasten(): Promise<void> {
    const known = await this.#read().catch(ignoreOutdated);
    if (known === undefined || known.record.end !== undefined) return;
    const { key, record, versionstamp } = known;
    const dueAt = this.#options.clock();
    const transaction = this.transaction();
    transaction.check(key, versionstamp).set(key, { ...record, dueAt });
    this.#moveDue(transaction, record.dueAt, dueAt);
    await transaction.commit();
  }

  /** Takes in what came in other processes. Throws when one of them went on with the run. */
  async #refresh(): Promise<void> {
    const { kv, run } = this.#options;
    const from = this.#known?.record.parts ?? 0;
    const { record, versionstamp } = await this.#read();
    if (record.end !== undefined) throw new RunOutdated();
    const parts = await readParts<RunPart>(kv, { ...this.#name, from });
    const additions = parts.flatMap((part) => "entries" in part ? [part] : []);
    if (additions.length < parts.length) throw new RunOutdated();
    this.#known = { record, versionstamp };
    for (const addition of additions) run.merge(addition);
  }

  async #write(
    part: RunPart,
    dueAt: number,
    also: (transaction: Transaction, record: StoredRun) => void,
  ): Promise<void> {
    const { tenant, run } = this.#name;
    for (;;) {
      const known = this.#known;
      if (known === undefined) throw new RunOutdated();
      const { record: { isQueued: _, ...record }, versionstamp } = known;
      const transaction = this.transaction();
      const bytes = putPart(transaction, { tenant, run, n: record.parts }, part);
      const next = { ...record, parts: record.parts + 1, bytes: record.bytes + bytes, dueAt };
      transaction.check(this.#key, versionstamp).set(this.#key, next);
      transaction.add(tenantCounterKey(tenant, "bytes"), bytes);
      this.#moveDue(transaction, record.dueAt, dueAt);
      also(transaction, record);
      const at = versionOf(transaction);
      this.#writing = true;
      try {
        if (await transaction.commit()) return await this.begun(next, at());
      } finally {
        this.#writing = false;
      }
      const before = this.#known?.versionstamp;
      await this.#refresh();
      if (this.#known?.versionstamp === before) throw new RunOutdated();
      // an answer that was checked before others came is checked again
      if (!("calls" in part)) throw new RunMoved();
    }
  }

  /** A new transaction. */
  transaction(): Transaction {
    const { kv, ids, clock } = this.#options;
    return new Transaction(kv, { writeId: ids(), clock });
  }

  get #key(): Deno.KvKey {
    return runRecordKey(this.#name.tenant, this.#name.run);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work, work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #read(): Promise<KnownRun & { readonly key: Deno.KvKey }> {
    const key = this.#key;
    const { value, versionstamp } = await this.#options.kv.get(key);
    const record = readStoredRun(value);
    if (record === undefined || versionstamp === null) throw new RunOutdated();
    return { key, record, versionstamp };
  }

  /** Adds a notification to a commit; `record`: of the run before it. */
  #tell(transaction: Transaction, record: StoredRun, state: NoticeState): void {
    const { clock, onNotice } = this.#options;
    putNotice(transaction, record, { ...this.#name, n: record.parts, state, clock, onNotice });
  }

  #moveDue(transaction: Transaction, from: number, to: number): void {
    const { tenant, run } = this.#name;
    if (from !== to) transaction.delete(runDueKey(from, tenant, run));
    transaction.set(runDueKey(to, tenant, run), true);
  }

  /** A program that computes is looked at again, in case that its process is lost. */
  #dueAt({ calls, question, until, performs }: NextShown): number {
    const soon = this.#options.clock() + RESUME_MS;
    if (performs) return soon;
    const expiries = [...calls, ...question === undefined ? [] : [question]]
      .map(({ expiresAt }) => expiresAt);
    const lost = expiries.length === 0 ? soon : Infinity;
    return Math.min(until ?? lost, ...expiries);
  }
}

function partOf({ calls, question }: NextShown): ShownPart {
  return { calls, question: question ?? null };
}

function ignoreOutdated(thrown: unknown): undefined {
  if (!(thrown instanceof RunOutdated)) throw thrown;
}

/** Whether the caller has something to answer. */
function isAsked({ calls, question }: NextShown): boolean {
  return calls.some(({ operator }) => operator?.approval !== "never") || question !== undefined;
}

/** The version of what a transaction writes, once it is committed. */
function versionOf(transaction: Transaction): () => string | undefined {
  let at: string | undefined;
  transaction.attach({
    committing: () => undefined,
    settled: (_outcome, versionstamp) => {
      at = versionstamp;
    },
  });
  return () => at;
}
