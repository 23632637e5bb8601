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
 * before it has shown anything. The lease of the context is held only while the program computes, or the
 * service performs its calls.
 *
 * @module
 */
import { wipeDead } from "../store/dead.ts";
import type { NumberedEvent } from "../client/protocol/run_events.ts";
import { runPinKey } from "../store/run_keys.ts";
import type { Additions } from "../runs/additions.ts";
import { RunHistory } from "../runs/run_history.ts";
import type { NextShown, RunStorage } from "../runs/run_terms.ts";
import type { KnownRun, RunBeginning } from "../runs/stored_run.ts";
import type { NotifyTarget } from "../client/protocol/types.ts";
import { conflict } from "../shared/errors.ts";
import { sandboxLeaseKeys } from "../store/keys.ts";
import type { Lease } from "../store/lease.ts";
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
  /** Where the states of a run that begins are told. */
  readonly notify: NotifyTarget | undefined;
  /** Of a run that has its turn. */
  readonly lease: Lease | undefined;
  /** Of a run that another process began. */
  readonly known?: KnownRun | undefined;
  /** The events of the run so far. */
  readonly events: () => readonly NumberedEvent[];
  /** Whether the run accepts an addition. */
  readonly accepts: (addition: Additions) => boolean;
  /** Called with an addition once it is committed, by this process or another one. */
  readonly onAddition: (addition: Additions) => void;
}

/** The storage of one run. */
export class ContextRunStorage implements RunStorage {
  readonly #run: StorageOptions;
  readonly #history: RunHistory;

  constructor(order: StorageOptions) {
    this.#run = order;
    const { options, address, found, run, known, lease, accepts, onAddition } = order;
    const { kv, leases, clock, ids, onNotice } = options;
    const { lifetime, context: { id } } = found;
    this.#history = new RunHistory({
      kv,
      leases,
      clock,
      ids,
      tenant: address.tenant,
      run,
      known,
      accepts,
      onAddition,
      onNotice,
      turn: {
        keys: sandboxLeaseKeys(lifetime, id),
        also: stateKeys(address),
        exists: (entries) => {
          const state = stateOf(address, entries);
          return isThere(state, lifetime, id) &&
            state.record?.contexts.find((context) => context.id === id)?.waiting?.run === run;
        },
        gone: () => contextDeleted(id),
        lease,
      },
    });
  }

  /** The lease, while the program computes. */
  get lease(): Lease | undefined {
    return this.#history.lease;
  }

  /** Whether the run is stored. */
  get isStored(): boolean {
    return this.#history.known !== undefined;
  }

  show(shown: NextShown): Promise<void> {
    return this.#history.show(shown, () => this.#begin(shown));
  }

  append(addition: Additions): Promise<boolean> {
    return this.#history.append(addition);
  }

  rests(): Promise<void> {
    return this.#history.rests();
  }

  resumes(signal: AbortSignal): Promise<void> {
    return this.#history.resumes(signal);
  }

  isLeft(thrown: unknown): boolean {
    return this.#history.isLeft(thrown);
  }

  get parts(): number {
    return this.#history.parts;
  }

  isCurrent(): Promise<boolean> {
    return this.#history.isCurrent();
  }

  /** Gives the lease back, when the run is over or left to other processes. */
  release(): Promise<void> {
    return this.#history.release();
  }

  /** Removes a run that has ended without a result. Its context is as before the run. */
  async remove(state: "failed" | "cancelled"): Promise<void> {
    if (!this.isStored) return;
    const { options, address, found: { lifetime, context }, run } = this.#run;
    const isMarked = await options.changes.change(address, async ({ record }, draft) => {
      const marked = record?.contexts.find(({ id }) => id === context.id);
      if (record?.lifetime !== lifetime || marked?.waiting?.run !== run) return false;
      const { waiting: _, ...before } = marked;
      await this.#unpin(draft);
      await this.#history.removeWith(draft.transaction, state);
      draft.update(withContext(record, before));
      return true;
    });
    if (isMarked) await wipeDead(options.kv, run);
    else await this.#history.hasten();
  }

  /** Adds the end of the run to the commit of its result. */
  async end(draft: Draft, body: string): Promise<void> {
    if (!this.isStored) return;
    await this.#history.end(draft.transaction, body, this.#run.events());
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

  async #begin(shown: NextShown): Promise<void> {
    const { options, address, found, run, beginning, base, createdAt, notify } = this.#run;
    const { lifetime } = found;
    const lease = this.#history.lease;
    const { record, versionstamp } = await options.changes.change(address, (state, draft) => {
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
      const { language } = options.bindings.get(before.binding);
      const begun = this.#history.begin(draft.transaction, {
        beginning,
        shown,
        keptBytes: workspace.bytes,
        record: {
          sandbox: address.id,
          lifetime,
          contextId: before.id,
          language,
          createdAt,
          ...(notify === undefined ? {} : { notify }),
        },
      });
      const marked = { ...before, waiting: { run, waitMs: beginning.waitMs } };
      draft.update(withContext(shared, marked));
      if (!shown.performs) lease?.commitWith(draft.transaction);
      return Promise.resolve(begun);
    });
    await this.#history.begun(record, versionstamp());
  }
}

const FILES_CHANGED = "Files of the sandbox changed before the program first waited";
