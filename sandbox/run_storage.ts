/**
 * The storage of one run in a context (docs/calls.md#durable). Three kinds of commits:
 *
 * | before | commit |
 * |---|---|
 * | the first call, question or longer sleep is shown | the beginning of the run, with the mark of its context and the pin of its files |
 * | an answer is confirmed, or more is shown | one part of the history |
 * | the result is answered | the end, in the commit of the run, which removes mark and pin |
 *
 * Each checks the version of the run's record, so of two processes that go on with one run, one fails
 * before it has shown anything. The lease of the context is held only while the program computes.
 *
 * @module
 */
import { sandboxLeaseKeys, tenantCounterKey } from "../store/keys.ts";
import { type Lease, LeaseGone, LeaseTimeout } from "../store/lease.ts";
import { runDueKey, runPinKey, runRecordKey } from "../store/run_keys.ts";
import { Transaction } from "../store/transaction.ts";
import type { NextShown, RunStorage } from "../runs/run_terms.ts";
import { RunOutdated } from "../runs/run_terms.ts";
import type { Entry } from "../runs/run_journal.ts";
import { conflict, waitedTooLong } from "../shared/errors.ts";
import { runBlobKey } from "../store/run_keys.ts";
import { isThere } from "./context_claim.ts";
import { contextDeleted, type FoundContext } from "./contexts.ts";
import type { Draft } from "./draft.ts";
import type { OperationOptions } from "./operation_options.ts";
import {
  emptyRecord,
  type SandboxAddress,
  type SandboxRecord,
  stateKeys,
  stateOf,
} from "./root_record.ts";
import { contextAsItWas, withContext } from "./run_commit.ts";
import { joinHome } from "./shared_blobs.ts";
import {
  type AnswersPart,
  putPart,
  readParts,
  readStoredRun,
  type RunBeginning,
  type RunPart,
  type StoredRun,
} from "./stored_run.ts";

/** A run that was stopped by its process, after something came for it, goes on after so long, in ms. */
const RESUME_MS = 15_000;
/** Results are there for so long, in milliseconds. */
const ENDED_MS = 24 * 3_600_000;

/** A stored run as this process has read it. */
export interface KnownRun {
  readonly record: StoredRun;
  readonly versionstamp: string;
}

/** The run of a storage. */
export interface StorageOptions {
  readonly options: OperationOptions;
  readonly address: SandboxAddress;
  readonly found: FoundContext;
  /** The sandbox at the beginning of the run. */
  readonly base: SandboxRecord | undefined;
  readonly run: string;
  readonly beginning: RunBeginning;
  readonly createdAt: number;
  /** Of a run that has its turn. */
  readonly lease: Lease | undefined;
  /** Of a run that another process began. */
  readonly known?: KnownRun | undefined;
  /** Whether a call or question has an answer. */
  readonly isAnswered: (key: string) => boolean;
  /** Called with entries of the journal once they are committed, by this process or another one. */
  readonly onEntries: (entries: readonly Entry[], digests: AnswersPart["digests"]) => void;
}

/** The storage of one run. */
export class ContextRunStorage implements RunStorage {
  readonly #run: StorageOptions;
  #lease: Lease | undefined;
  #known: KnownRun | undefined;
  /** The latest operation. They take turns. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(run: StorageOptions) {
    this.#run = run;
    this.#lease = run.lease;
    this.#known = run.known;
  }

  /** The lease, while the program computes. */
  get lease(): Lease | undefined {
    return this.#lease;
  }

  /** Whether the run is stored. */
  get isStored(): boolean {
    return this.#known !== undefined;
  }

  show(shown: NextShown): Promise<void> {
    return this.#inTurn(async () => {
      const { calls, question, until } = shown;
      const expiries = [...calls, ...question === undefined ? [] : [question]]
        .map(({ expiresAt }) => expiresAt);
      // a program that computes is looked at again, in case that its process is lost
      const lost = expiries.length === 0 ? this.#run.options.clock() + RESUME_MS : Infinity;
      const dueAt = Math.min(until ?? lost, ...expiries);
      const part = { calls, question: question ?? null };
      if (this.#known === undefined) await this.#begin(part, dueAt);
      else await this.#write(part, dueAt, true);
      this.#lease = undefined;
    });
  }

  append(entries: readonly Entry[], digests: ReadonlyMap<string, string>): Promise<boolean> {
    return this.#inTurn(async () => {
      const { options, isAnswered, onEntries } = this.#run;
      if (digests.keys().some(isAnswered)) return false;
      const part = { entries, digests: [...digests] };
      await this.#write(part, options.clock() + RESUME_MS, false);
      onEntries(entries, part.digests);
      return true;
    });
  }

  rests(): Promise<void> {
    return this.#inTurn(async () => {
      const lease = this.#known === undefined ? undefined : this.#lease;
      if (lease === undefined) return;
      this.#lease = undefined;
      await lease.release();
    });
  }

  resumes(signal: AbortSignal): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#lease !== undefined || this.#known === undefined) return;
      const { options, address, found, run } = this.#run;
      const { lifetime, context: { id } } = found;
      const key = runRecordKey(address.tenant, run);
      const isMarked = (entries: readonly Deno.KvEntryMaybe<unknown>[]) => {
        const state = stateOf(address, entries);
        return isThere(state, lifetime, id) &&
          state.record?.contexts.find((context) => context.id === id)?.waiting?.run === run;
      };
      try {
        const lease = await options.leases.acquire(sandboxLeaseKeys(lifetime, id), {
          signal,
          maxWaitMs: options.limits.maxWaitMs,
          also: [...stateKeys(address), key],
          exists: isMarked,
        });
        this.#lease = lease;
        const entry = lease.also.at(-1);
        if (entry?.versionstamp !== this.#known.versionstamp) await this.#refresh();
      } catch (thrown) {
        await this.#lease?.release();
        this.#lease = undefined;
        if (thrown instanceof LeaseTimeout) throw waitedTooLong();
        if (!(thrown instanceof LeaseGone)) throw thrown;
        await this.#refresh(); // another process may have ended it
        throw contextDeleted(id);
      }
    });
  }

  async isCurrent(): Promise<boolean> {
    const known = this.#known;
    if (known === undefined) return true;
    const { options: { kv }, address: { tenant }, run } = this.#run;
    const { versionstamp } = await kv.get(runRecordKey(tenant, run));
    return this.#known !== known || versionstamp === known.versionstamp;
  }

  /** Removes a run that has ended without a result. Its context is as before the run. */
  async remove(): Promise<void> {
    if (this.#known === undefined) return;
    const { options, address, found: { lifetime, context }, run } = this.#run;
    await options.changes.change(address, async ({ record }, draft) => {
      const marked = record?.contexts.find(({ id }) => id === context.id);
      if (record?.lifetime !== lifetime || marked?.waiting?.run !== run) return;
      const { waiting: _, ...before } = marked;
      await this.#unpin(draft);
      draft.update(withContext(record, before));
    });
  }

  /** Gives the lease back, when the run is over or left to other processes. */
  async release(): Promise<void> {
    await this.#inTurn(async () => {
      await this.#lease?.release();
      this.#lease = undefined;
    });
  }

  /** Adds the end of the run to the commit of its result. */
  async end(draft: Draft, body: string): Promise<void> {
    if (this.#known === undefined) return;
    const { options, address: { tenant }, run } = this.#run;
    const { key, record, versionstamp } = await this.#read();
    const now = options.clock();
    const ref = draft.transaction.putBlob(runBlobKey(tenant, run), new TextEncoder().encode(body));
    const ended: StoredRun = {
      ...record,
      bytes: record.bytes + ref.bytes,
      dueAt: now + ENDED_MS,
      end: { at: now, body: ref },
    };
    draft.transaction.check(key, versionstamp).set(key, ended);
    this.#moveDue(draft.transaction, record.dueAt, ended.dueAt);
    draft.transaction.add(tenantCounterKey(tenant, "bytes"), ref.bytes);
    await this.#unpin(draft);
  }

  async #unpin(draft: Draft): Promise<void> {
    const { options: { kv }, found: { lifetime }, run } = this.#run;
    const key = runPinKey(lifetime, run);
    const { value } = await kv.get<{ readonly state: SandboxRecord }>(key);
    if (value === null) return;
    draft.transaction.delete(key);
    if (value.state.home !== undefined) draft.endMember(value.state);
  }

  async #begin(shown: RunPart, dueAt: number): Promise<void> {
    const { options, address, found, run, beginning, base, createdAt } = this.#run;
    const { tenant } = address;
    const { lifetime } = found;
    const key = runRecordKey(tenant, run);
    const lease = this.#lease;
    let versionstamp: string | undefined;
    const record = await options.changes.change(address, (state, draft) => {
      const { record: now, before } = contextAsItWas(state, found);
      if (now.workspace.state !== base?.workspace.state) throw conflict(FILES_CHANGED, before.id);
      const needsPin = now.workspace.shards.length > 0 || now.env !== null || before.env !== null;
      const shared = needsPin ? draft.share(now) : now;
      const { home, env, workspace } = shared;
      const pin: SandboxRecord = {
        ...emptyRecord(`${lifetime}-${run}`, createdAt),
        ...(home === undefined ? {} : { home }),
        env,
        contexts: [before],
        workspace,
      };
      if (needsPin) joinHome(draft.transaction, pin, { owner: lifetime, run });
      draft.transaction.set(runPinKey(lifetime, run), { state: pin });
      const bytes = putPart(draft.transaction, { tenant, run, n: 0 }, beginning) +
        putPart(draft.transaction, { tenant, run, n: 1 }, shown) + workspace.bytes;
      const stored: StoredRun = {
        version: 1,
        sandbox: address.id,
        lifetime,
        contextId: before.id,
        language: options.bindings.get(before.binding).language,
        createdAt,
        parts: 2,
        dueAt,
        bytes,
      };
      draft.transaction.check(key, null).set(key, stored);
      draft.transaction.set(runDueKey(dueAt, tenant, run), true);
      draft.transaction.add(tenantCounterKey(tenant, "bytes"), bytes);
      const marked = { ...before, waiting: { run, waitMs: beginning.waitMs } };
      draft.update(withContext(shared, marked));
      lease?.commitWith(draft.transaction);
      draft.transaction.attach({
        committing: () => undefined,
        settled: (_outcome, at) => {
          versionstamp = at;
        },
      });
      return Promise.resolve(stored);
    });
    this.#known = { record, versionstamp: versionstamp ?? (await this.#read()).versionstamp };
  }

  async #write(part: RunPart, dueAt: number, releases: boolean): Promise<void> {
    const { options: { kv, ids, clock }, address: { tenant }, run } = this.#run;
    for (;;) {
      const known = this.#known;
      if (known === undefined) throw new RunOutdated();
      const { record, versionstamp } = known;
      const key = runRecordKey(tenant, run);
      const transaction = new Transaction(kv, { writeId: ids(), clock });
      const bytes = putPart(transaction, { tenant, run, n: record.parts }, part);
      const next = { ...record, parts: record.parts + 1, bytes: record.bytes + bytes, dueAt };
      transaction.check(key, versionstamp).set(key, next);
      transaction.add(tenantCounterKey(tenant, "bytes"), bytes);
      this.#moveDue(transaction, record.dueAt, dueAt);
      if (releases) this.#lease?.commitWith(transaction);
      let at: string | undefined;
      transaction.attach({
        committing: () => undefined,
        settled: (_outcome, versionstamp) => {
          at = versionstamp;
        },
      });
      if (await transaction.commit()) {
        this.#known = { record: next, versionstamp: at ?? (await this.#read()).versionstamp };
        return;
      }
      const before = this.#known?.versionstamp;
      await this.#refresh();
      // an answer that was checked before others came is checked again
      if (!("calls" in part) || this.#known?.versionstamp === before) throw new RunOutdated();
    }
  }

  /** Takes in what came in other processes. Throws when one of them went on with the run. */
  async #refresh(): Promise<void> {
    const { options: { kv }, address: { tenant }, run, onEntries } = this.#run;
    const from = this.#known?.record.parts ?? 0;
    const { record, versionstamp } = await this.#read();
    if (record.end !== undefined) throw new RunOutdated();
    const parts = await readParts<RunPart>(kv, { tenant, run, from });
    const answers = parts.flatMap((part) => "entries" in part ? [part] : []);
    if (answers.length < parts.length) throw new RunOutdated();
    this.#known = { record, versionstamp };
    for (const { entries, digests } of answers) onEntries(entries, digests);
  }

  async #read(): Promise<KnownRun & { readonly key: Deno.KvKey }> {
    const { options: { kv }, address: { tenant }, run } = this.#run;
    const key = runRecordKey(tenant, run);
    const { value, versionstamp } = await kv.get(key);
    const record = readStoredRun(value);
    if (record === undefined || versionstamp === null) throw new RunOutdated();
    return { key, record, versionstamp };
  }

  #moveDue(transaction: Transaction, from: number, to: number): void {
    const { address: { tenant }, run } = this.#run;
    if (from !== to) transaction.delete(runDueKey(from, tenant, run));
    transaction.set(runDueKey(to, tenant, run), true);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work, work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

const FILES_CHANGED = "Files of the sandbox changed before the program first waited";
