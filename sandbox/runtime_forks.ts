/**
 * Forks of contexts at their runtimes, ahead of the commit that names them. What is made is
 * recorded before it is made; the commit takes the record away, or the janitor wipes what was made.
 *
 * @module
 */
import { conflict } from "../shared/errors.ts";
import { decidingNothing } from "../shared/store_errors.ts";
import { runtimeContext, runtimeId } from "./contexts.ts";
import type { OperationOptions } from "./operation_options.ts";
import { type ContextRecord, runtimeKey, type SandboxAddress } from "./root_record.ts";
import type { RuntimeContext } from "./runtime_bindings.ts";
import type { Announced } from "./runtime_wipes.ts";

/** The contexts to fork, and where they go. */
export interface RuntimeForks {
  readonly from: SandboxAddress;
  readonly lifetime: string;
  readonly contexts: readonly ContextRecord[];
  /** The same contexts with the ids that the new ones have. */
  readonly made: readonly ContextRecord[];
  readonly to: SandboxAddress;
  readonly toLifetime: string;
  /** Whether a context may be forked although its runtime has a later state. */
  readonly behind: boolean;
}

/** How often a source may change before its state is forked. */
export const FORK_ATTEMPTS = 20;

/**
 * Forks contexts. Undefined when one of them has another state by now; then nothing is left. The
 * caller commits what is announced, or withdraws it.
 */
export async function forkAtRuntimes(
  options: OperationOptions,
  forks: RuntimeForks,
): Promise<Announced | undefined> {
  const key = runtimeKey(forks.to, forks.toLifetime);
  const pairs = forks.contexts.flatMap((context, index) => {
    const made = forks.made[index];
    if (made === undefined) return [];
    const from = runtimeContext(forks.from, { lifetime: forks.lifetime, context });
    const to = { ...from, key, contextId: runtimeId(made) };
    return [{ context, from, to }];
  });
  const wipes = pairs.map(({ to }) => ({ id: options.ids(), ...to }));
  return await decidingNothing(async () => {
    const announced = await options.wipes.announce(wipes);
    const outcomes = await Promise.allSettled(
      pairs.map((pair) => forkOne(options, pair, forks.behind)),
    );
    if (outcomes.every((outcome) => outcome.status === "fulfilled" && outcome.value)) {
      return announced;
    }
    await options.wipes.withdraw(announced);
    for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
    return undefined;
  });
}

/** A context without a state is created: there is nothing to share. */
async function forkOne(
  { bindings }: OperationOptions,
  { context, from, to }: {
    readonly context: ContextRecord;
    readonly from: RuntimeContext;
    readonly to: RuntimeContext;
  },
  behind: boolean,
): Promise<boolean> {
  if (context.snapshotRef !== null) {
    return await bindings.fork(from, to, { snapshot: context.snapshotRef, behind });
  }
  await bindings.create(to, context.cwd);
  return true;
}

/** The state changed again and again while it was forked. */
export function changedMeanwhile() {
  return conflict("The sandbox kept changing; try again");
}
