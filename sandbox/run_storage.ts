/**
 * The storage of one run in a context (docs/calls.md#durable). Five kinds of commits:
 *
 * | before | commit |
 * |---|---|
 * | 202 is answered | the beginning of the run, with its place in the queue of the context |
 * | such a run begins | its place becomes the mark of the context and the pin of its files |
 * | the first call, question or longer sleep is shown | the beginning of the run, with the mark of its context and the pin of its files |
 * | an answer is confirmed, or more is shown | one part of the history |
 * | the result is answered | the end, in the commit of the run, which removes mark and pin |
 *
 * Each checks the version of the run's record, so of two processes that go on with one run, one fails
 * before it has shown anything. The lease of the context is held only while the program computes, or the
 * service performs its calls.
 *
 * @module
 */
import { wipeDead } from "../store/dead.ts";
import { runPinKey, runRecordKey } from "../store/run_keys.ts";
import type { HistoryBeginning } from "../runs/history_terms.ts";
import { RunHistory } from "../runs/run_history.ts";
import { type NextShown, RunOutdated, type WaitingProgram } from "../runs/run_terms.ts";
import { type KnownRun, readStoredRun, type RunBeginning } from "../runs/stored_run.ts";
import { conflict } from "../shared/errors.ts";
import { sandboxLeaseKeys } from "../store/keys.ts";
import { type Lease, LeaseGone, LeaseTimeout } from "../store/lease.ts";
import { isThere } from "./context_claim.ts";
import { firstInQueue, joinQueue, leaveQueue } from "./context_queue.ts";
import { contextDeleted, type FoundContext } from "./contexts.ts";
import type { Draft } from "./draft.ts";
import type { OperationOptions } from "./operation_options.ts";
import {
  type ContextRecord,
  emptyRecord,
  type SandboxAddress,
  type SandboxRecord,
  type SandboxState,
  stateKeys,
  stateOf,
} from "./root_record.ts";
import { checkBytes } from "./fork.ts";
import { contextAsItWas, withContext } from "./run_commit.ts";
import { joinHome } from "./shared_blobs.ts";

/**
 * A run in a queue looks again after so long, in milliseconds, because other processes may have gone on
 * with it: at first soon, for those who follow it here, then less and less often.
 */
const FIRST_LOOK_MS = 100;
const LAST_LOOK_MS = 15_000;
const LESS_OFTEN = 1.2;
/** From such looks on, the process of the run that comes first may be lost. */
const LOST_LOOK_MS = 500;
/** Longest wait for a lease before the next look, in milliseconds. */
const TURN_MS = 3_600_000;

/** The state in which a run begins. */
export interface RunStart {
  readonly found: FoundContext;
  readonly base: SandboxState;
}

/** A run that joins the queue of its context. */
export interface QueuedOrder {
  /** Throws when the run may not join it in this state. */
  readonly check: (state: SandboxState) => Promise<void>;
}

/** The run of a storage. */
export interface StorageOptions {
  readonly options: OperationOptions;
  readonly address: SandboxAddress;
  readonly found: FoundContext;
  /** The sandbox at the beginning of the run. */
  readonly base: SandboxRecord | undefined;
  readonly run: WaitingProgram;
  readonly beginning: RunBeginning;
  /** Of a run that has its turn. */
  readonly lease: Lease | undefined;
  /** Of a run that another process began. */
  readonly known?: KnownRun | undefined;
  /** Of a run that is answered before it has its turn. */
  readonly queued?: QueuedOrder | undefined;
  /** Called when a run in a queue has its turn. */
  readonly onStart: (start: RunStart) => void;
}

/** The storage of one run. */
export class ContextRunStorage {
  readonly #order: StorageOptions;
  /** The id of the run. */
  readonly #run: string;
  readonly history: RunHistory;

  constructor(order: StorageOptions) {
    this.#order = order;
    this.#run = order.run.terms.id;
    const { options, address, found, run, known, lease } = order;
    const { lifetime, context: { id } } = found;
    this.history = new RunHistory({
      ...options,
      run,
      known,
      begin: (shown) =>
        order.queued === undefined ? this.#begin(shown) : this.#join(shown, order.queued),
      enter: (signal) => this.#enter(signal),
      turn: {
        keys: sandboxLeaseKeys(lifetime, id),
        also: stateKeys(address),
        exists: (entries) => {
          const state = stateOf(address, entries);
          return isThere(state, lifetime, id) &&
            state.record?.contexts.find((context) => context.id === id)?.waiting?.run === this.#run;
        },
        gone: () => contextDeleted(id),
        lease,
      },
    });
  }

  /** Whether the run is stored. */
  get isStored(): boolean {
    return this.history.known !== undefined;
  }

  /** Removes a run that has ended without a result. Its context is as before the run. */
  async remove(state: "failed" | "cancelled"): Promise<void> {
    if (!this.isStored) return;
    const { options, address, found: { lifetime, context } } = this.#order;
    const run = this.#run;
    const isMarked = await options.changes.change(address, async ({ record }, draft) => {
      const marked = record?.contexts.find(({ id }) => id === context.id);
      if (record?.lifetime !== lifetime || marked === undefined) return false;
      const before = await this.#withoutRun(marked, draft);
      if (before === undefined) return false;
      await this.history.removeWith(draft.transaction, state, await this.#unpin(draft));
      draft.update(withContext(record, before));
      return true;
    });
    if (isMarked) await wipeDead(options.kv, run);
    else await this.history.hasten();
  }

  /** A context without the run that waits in it, or in its queue; undefined when it does not. */
  async #withoutRun(marked: ContextRecord, draft: Draft): Promise<ContextRecord | undefined> {
    const { waiting, ...before } = marked;
    if (waiting?.run === this.#run) return before;
    const place = this.history.known?.record.queue;
    if (place === undefined) return undefined;
    return await leaveQueue(this.#order.options.kv, draft.transaction, marked, place);
  }

  /** Adds the end of the run to the commit of its result. */
  async end(draft: Draft, body: string): Promise<void> {
    if (!this.isStored) return;
    await this.history.end(draft.transaction, body, await this.#unpin(draft));
  }

  /** Removes the pin of the run's files. Returns their bytes. */
  async #unpin(draft: Draft): Promise<number> {
    const { options: { kv }, found: { lifetime } } = this.#order;
    const key = runPinKey(lifetime, this.#run);
    const { value } = await kv.get<{ readonly state: SandboxRecord }>(key);
    if (value === null) return 0;
    draft.transaction.delete(key);
    if (value.state.home !== undefined) draft.endMember(value.state);
    return value.state.workspace.bytes;
  }

  async #begin(shown: NextShown): Promise<void> {
    const { options, address, found, base } = this.#order;
    const lease = this.history.lease;
    const { record, versionstamp } = await options.changes.change(address, (state, draft) => {
      const { record: now, before } = contextAsItWas(state, found);
      if (now.workspace.state !== base?.workspace.state) throw conflict(FILES_CHANGED, before.id);
      const keptBytes = this.#mark(draft, now, before);
      const begun = this.history.begin(draft.transaction, this.#beginning(shown, keptBytes));
      if (!shown.performs) lease?.commitWith(draft.transaction);
      return Promise.resolve(begun);
    });
    await this.history.begun(record, versionstamp());
  }

  #beginning(
    shown: NextShown,
    keptBytes: number,
    more: Pick<HistoryBeginning["record"], "queue"> = {},
  ): HistoryBeginning {
    const { options, address, found: { lifetime, context }, beginning, run } = this.#order;
    const { createdAt, notify } = run.terms;
    const { language } = options.bindings.get(context.binding);
    return {
      beginning,
      shown,
      keptBytes,
      record: {
        sandbox: address.id,
        lifetime,
        contextId: context.id,
        language,
        createdAt,
        ...(notify === undefined ? {} : { notify }),
        ...more,
      },
    };
  }

  /** Marks the context, and pins the files of the sandbox. Returns their bytes. */
  #mark(draft: Draft, now: SandboxRecord, before: ContextRecord): number {
    const { found: { lifetime }, beginning: { waitMs }, run: { terms } } = this.#order;
    const { id: run, createdAt } = terms;
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
    draft.update(withContext(shared, { ...before, waiting: { run, waitMs } }));
    return workspace.bytes;
  }

  /** Stores the run in the queue of its context. */
  async #join(shown: NextShown, { check }: QueuedOrder): Promise<void> {
    const { options, address, beginning: { key, waitMs }, run: { terms } } = this.#order;
    const { record, versionstamp } = await options.changes.change(address, async (state, draft) => {
      const { record: now, context: before } = this.#context(state);
      await check(state);
      const { context, place } = joinQueue(draft.transaction, before, {
        id: options.ids(),
        waitMs,
        run: terms.id,
        at: terms.createdAt,
        key: key?.key,
      });
      const order = this.#beginning(shown, 0, { queue: place });
      const begun = this.history.begin(draft.transaction, order);
      const { bytes } = begun.record;
      checkBytes(options, address, state.bytes.count + bytes, bytes);
      draft.update(withContext(now, context));
      return begun;
    });
    await this.history.begun(record, versionstamp());
  }

  /** The context, as it is now. Throws `CONFLICT` when it was deleted. */
  #context(
    { record }: SandboxState,
  ): { readonly record: SandboxRecord; readonly context: ContextRecord } {
    const { found: { lifetime, context: { id } } } = this.#order;
    const context = record?.contexts.find((each) => each.id === id);
    if (record?.lifetime !== lifetime || context === undefined) throw contextDeleted(id);
    return { record, context };
  }

  /** Waits until the run is the first in the queue of its context and has its turn, and begins it. */
  async #enter(signal: AbortSignal): Promise<void> {
    const { options: { queues }, found: { lifetime, context } } = this.#order;
    const watch = queues.watch(lifetime, context.id);
    try {
      for (let ms = FIRST_LOOK_MS;; ms = Math.min(LAST_LOOK_MS, ms * LESS_OFTEN)) {
        signal.throwIfAborted();
        const { count } = watch;
        if (!await this.#isNext()) {
          if (ms > LOST_LOOK_MS) await this.#wakeFirst();
          await watch.next(count, ms, signal);
        } else if (await this.#takeTurn(signal)) return;
      }
    } finally {
      watch.end();
    }
  }

  /** Rejects with a {@link RunOutdated} when the run is in no queue any more. */
  async #isNext(): Promise<boolean> {
    const { options: { kv, stored }, address } = this.#order;
    const { value } = await kv.get(runRecordKey(address.tenant, this.#run));
    const place = readStoredRun(value)?.queue;
    if (place === undefined) throw new RunOutdated();
    const { context } = this.#context(await stored.read(address));
    if (context.queue?.id !== place.id) throw contextDeleted(context.id);
    const first = await firstInQueue(kv, context.queue);
    return context.waiting === undefined && first?.run === this.#run;
  }

  /** Wakes the run that comes first here, unless it waits for its caller. */
  async #wakeFirst(): Promise<void> {
    const { options: { kv, stored, waiting }, address } = this.#order;
    const { context } = this.#context(await stored.read(address));
    const id = context.waiting?.run ?? (await firstInQueue(kv, context.queue))?.run;
    if (id === undefined || id === this.#run) return;
    const run = await waiting.find(address.tenant, id).catch(() => undefined);
    if (run?.state === "queued") waiting.wake(run);
  }

  /** Begins the run. False when another run has come first. */
  async #takeTurn(signal: AbortSignal): Promise<boolean> {
    const { options, address, found: { lifetime, context: { id } } } = this.#order;
    const queue = this.history.known?.record.queue?.id;
    try {
      const lease = await options.leases.acquire(sandboxLeaseKeys(lifetime, id), {
        signal,
        maxWaitMs: TURN_MS,
        also: stateKeys(address),
        exists: (entries) => {
          const { record } = stateOf(address, entries);
          const context = record?.contexts.find((each) => each.id === id);
          return record?.lifetime === lifetime && context?.queue?.id === queue &&
            context?.waiting === undefined;
        },
      });
      try {
        await this.#start(lease);
        return true;
      } catch (thrown) {
        await lease.release();
        throw thrown;
      }
    } catch (thrown) {
      if (!(thrown instanceof LeaseGone || thrown instanceof LeaseTimeout)) throw thrown;
      return false;
    }
  }

  /** The run leaves the queue and keeps the files as they are now. */
  async #start(lease: Lease): Promise<void> {
    const { options, address, found: { lifetime }, onStart } = this.#order;
    let start: RunStart | undefined;
    await this.history.started(
      lease,
      () =>
        options.changes.change(address, async (state, draft) => {
          const { record: now, context } = this.#context(state);
          const place = this.history.known?.record.queue;
          const before = place && await leaveQueue(options.kv, draft.transaction, context, place);
          if (before === undefined) throw new RunOutdated();
          lease.checkWith(draft.transaction);
          const keptBytes = this.#mark(draft, now, before);
          start = { found: { lifetime, context: before }, base: { ...state, record: now } };
          return await this.history.starts(draft.transaction, keptBytes);
        }),
    );
    if (start !== undefined) onStart(start);
  }
}

const FILES_CHANGED = "Files of the sandbox changed before the program first waited";
