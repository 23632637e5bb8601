/**
 * Forks of contexts, as part of the commit that names them.
 *
 * @module
 */
import { conflict } from "../shared/errors.ts";
import type { Transaction } from "../store/transaction.ts";
import { runtimeAddress, runtimeId } from "./contexts.ts";
import type { OperationOptions } from "./operation_options.ts";
import { type ContextRecord, runtimeKey, type SandboxAddress } from "./root_record.ts";

/** A context to fork, and the new one. */
export interface ContextFork {
  readonly source: ContextRecord;
  readonly target: ContextRecord;
}

/** The forks of a commit. */
export interface ContextForks {
  /** The sandbox, or the checkpoint, of the sources. */
  readonly from: SandboxAddress;
  readonly lifetime: string;
  readonly to: SandboxAddress;
  readonly toLifetime: string;
  readonly forks: readonly ContextFork[];
}

/** How often a source may change before its state is forked. */
const ATTEMPTS = 20;

/** A source has another state by now. */
export class SourceMoved extends Error {
  override readonly name = "SourceMoved";
}

/** Repeats work while the sources of its forks change. `CONFLICT` after many attempts. */
export async function retryFork<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof SourceMoved)) throw thrown;
    }
  }
  throw conflict("The sandbox kept changing; try again");
}

/** Adds forks to a transaction. Call it in {@link retryFork}. */
export async function addForks(
  { bindings }: OperationOptions,
  transaction: Transaction,
  { from, lifetime, to, toLifetime, forks }: ContextForks,
): Promise<void> {
  const key = runtimeKey(to, toLifetime);
  const prepared = await Promise.all(forks.map(({ source, target }) => {
    // a context without a state has nothing to share: its first run creates it
    if (source.snapshotRef === null) return "no state";
    return bindings.contexts(source.binding).fork(
      runtimeAddress(from, { lifetime, context: source }),
      { sandboxKey: key, contextId: runtimeId(target) },
      source.snapshotRef,
    );
  }));
  for (const fork of prepared) {
    // a context that is behind has run since its sandbox was read
    if (fork === undefined || (fork !== "no state" && fork.isBehind)) throw new SourceMoved();
    if (fork !== "no state") transaction.join(fork.writes);
  }
}
