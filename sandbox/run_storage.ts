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
import { runPinKey } from "../store/run_keys.ts";
import { RunHistory } from "../runs/run_history.ts";
import type { NextShown, WaitingProgram } from "../runs/run_terms.ts";
import type { KnownRun, RunBeginning } from "../runs/stored_run.ts";
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
  readonly run: WaitingProgram;
  readonly beginning: RunBeginning;
  /** Of a run that has its turn. */
  readonly lease: Lease | undefined;
  /** Of a run that another process began. */
  readonly known?: KnownRun | undefined;
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
      begin: (shown) => this.#begin(shown),
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
      if (record?.lifetime !== lifetime || marked?.waiting?.run !== run) return false;
      const { waiting: _, ...before } = marked;
      await this.#unpin(draft);
      await this.history.removeWith(draft.transaction, state);
      draft.update(withContext(record, before));
      return true;
    });
    if (isMarked) await wipeDead(options.kv, run);
    else await this.history.hasten();
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
    const { options, address, found, beginning, base, run: { terms } } = this.#order;
    const { id: run, createdAt, notify } = terms;
    const { lifetime } = found;
    const lease = this.history.lease;
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
      const begun = this.history.begin(draft.transaction, {
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
    await this.history.begun(record, versionstamp());
  }
}

const FILES_CHANGED = "Files of the sandbox changed before the program first waited";
