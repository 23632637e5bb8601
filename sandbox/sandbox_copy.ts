/**
 * A copy of a whole sandbox, as of one moment, which shares everything with its source: files and
 * variables in their home, the memory of contexts at their runtimes. It is what a fork of a sandbox
 * and a checkpoint consist of.
 *
 * @module
 */
import type { Transaction } from "../store/transaction.ts";
import { addForks, SourceMoved } from "./context_forks.ts";
import type { OperationOptions } from "./operation_options.ts";
import {
  emptyRecord,
  type SandboxAddress,
  type SandboxRecord,
  type SandboxState,
} from "./root_record.ts";
import { copyRun, type RunCopy } from "./run_copies.ts";
import { type HomeMember, joinHome } from "./shared_blobs.ts";

/** A sandbox to copy. */
export interface CopySource extends SandboxState {
  /** Its record, which has a home. */
  readonly record: SandboxRecord;
}

/**
 * Adds a copy under a new lifetime to a transaction that also checks the version of the source. Call
 * it in `retryFork`. Returns the record of the copy. `member`: where that will be.
 */
export async function copySandbox(
  options: OperationOptions,
  transaction: Transaction,
  { from, to, member, runs }: {
    readonly from: CopySource;
    readonly to: SandboxAddress;
    readonly member: HomeMember;
    /** What becomes of runs that wait. */
    readonly runs: RunCopy["state"];
  },
): Promise<SandboxRecord> {
  const { address, record: { lifetime, home, env, contexts, workspace } } = from;
  if (home === undefined) throw new SourceMoved(); // another sandbox of that name
  const forks = contexts.map((source) => {
    const { runtimeId: _, waiting: __, ...target } = source;
    return { source, target };
  });
  const toLifetime = options.ids();
  const copied = await Promise.all(forks.map(({ source, target }) =>
    copyRun(options, transaction, {
      tenant: to.tenant,
      from: { lifetime, context: source },
      to: { sandbox: to.id, lifetime: toLifetime, context: target },
      state: runs,
      laterMs: 0,
    })
  ));
  await addForks(options, transaction, {
    from: address,
    lifetime,
    to,
    toLifetime,
    forks,
  });
  const copy: SandboxRecord = {
    ...emptyRecord(toLifetime, options.clock()),
    home,
    env,
    contexts: copied,
    workspace,
  };
  joinHome(transaction, copy, member);
  return copy;
}
