/**
 * The claim of a run: finds its context, waits for the context's lease, and reads the sandbox as it
 * is from then on.
 *
 * @module
 */
import { sandboxLeaseKeys } from "../store/keys.ts";
import { type Lease, LeaseGone, LeaseTimeout } from "../store/lease.ts";
import { waitedTooLong } from "../shared/errors.ts";
import type { WaitBudget } from "../shared/wait_budget.ts";
import {
  type ChosenContext,
  chosenIn,
  contextDeleted,
  contextWithId,
  defaultContext,
  type FoundContext,
  type WantedContext,
} from "./contexts.ts";
import { endWithLease, type RunInFlight } from "./runs_in_flight.ts";
import type { OperationOptions } from "./operation_options.ts";
import type { Confirmation } from "./optimistic_run.ts";
import { type SandboxAddress, type SandboxState, stateKeys, stateOf } from "./root_record.ts";

/** A lease, and the state that was read together with it. */
interface LeasedState {
  readonly lease: Lease;
  readonly state: SandboxState;
}

/** A run that has its turn: no other run uses this context meanwhile. */
export interface ContextClaim extends LeasedState {
  readonly run: RunInFlight;
  readonly found: FoundContext;
  /** Of a run that began on a known state. */
  readonly confirmation?: Confirmation;
}

/** The run that waits for a turn, and for how long. */
export interface WaitingRun {
  readonly caller: AbortSignal;
  readonly wait: WaitBudget;
  /** The sandbox as this call has read it already. */
  readonly known?: SandboxState | undefined;
}

/**
 * Waits for the turn. Undefined when the binding has no contexts.
 *
 * Rejects with the reason of the run's signal, `CONTEXT_NOT_FOUND`, or `OVERLOADED` after the
 * longest wait.
 */
export async function claimContext(
  options: OperationOptions,
  address: SandboxAddress,
  wanted: WantedContext,
  { caller, wait, known }: WaitingRun,
): Promise<ContextClaim | undefined> {
  // a known record only determines which lease to wait for
  let state = known;
  const hint = options.stored.cache.last(address)?.record;
  const isPast = (hint?.expiresAt ?? Infinity) <= options.clock();
  let found: ChosenContext | undefined = isPast ? undefined : chosenIn(hint, wanted);
  for (;;) {
    found ??= await findContext(options, state ?? await options.changes.current(address), wanted);
    state = undefined;
    if (found === undefined) return undefined;
    const claim = await takeTurn(options, address, wanted, found, { caller, wait });
    if (claim !== undefined) return claim;
    options.stored.cache.forget(address);
    found = undefined;
  }
}

async function findContext(
  options: OperationOptions,
  state: SandboxState,
  wanted: WantedContext,
): Promise<ChosenContext | undefined> {
  const { contextId } = wanted;
  if (contextId === undefined) return await defaultContext(options, state, wanted);
  return contextWithId(state, contextId);
}

/** Undefined when the context turns out not to be the requested one. */
async function takeTurn(
  options: OperationOptions,
  address: SandboxAddress,
  wanted: WantedContext,
  { lifetime, context, turn }: ChosenContext,
  { caller, wait }: WaitingRun,
): Promise<ContextClaim | undefined> {
  const run = options.runs.enter(lifetime, context.id, caller);
  let claim: ContextClaim | undefined;
  try {
    const acquired = turn === undefined
      ? await acquireLease(options, address, { lifetime, context }, run, wait.left())
      : turn;
    if (acquired === undefined) return undefined;
    const { lease, state } = acquired;
    endWithLease(run, lease, context.id);
    const found = chosenIn(state.record, wanted);
    // a sandbox that expired while runs waited is in use, not expired
    if (found?.lifetime === lifetime && found.context.id === context.id) {
      return claim = { lease, run, found, state };
    }
    await lease.release();
    return undefined;
  } finally {
    if (claim === undefined) run.leave();
  }
}

/**
 * Acquires the lease and reads the sandbox as it was when the lease was free. Undefined when the
 * context was gone already, or expired while the run waited; `CONFLICT` when it was deleted
 * meanwhile. No lease of a deleted context remains.
 */
async function acquireLease(
  options: OperationOptions,
  address: SandboxAddress,
  { lifetime, context: { id: contextId } }: FoundContext,
  run: RunInFlight,
  maxWaitMs: number,
): Promise<LeasedState | undefined> {
  const keys = sandboxLeaseKeys(lifetime, contextId);
  const { signal } = run;
  const also = stateKeys(address);
  let seen: SandboxState | undefined;
  const exists = (entries: readonly Deno.KvEntryMaybe<unknown>[]) => {
    const state = stateOf(address, entries);
    if (!isThere(state, lifetime, contextId)) return false;
    seen = state;
    return true;
  };
  try {
    const lease = await options.leases.acquire(keys, { signal, maxWaitMs, also, exists });
    return { lease, state: options.stored.readIn(address, lease.also) };
  } catch (thrown) {
    if (thrown instanceof LeaseGone) {
      if (seen === undefined || options.changes.hasExpired(seen)) return undefined;
      throw contextDeleted(contextId);
    }
    if (!(thrown instanceof LeaseTimeout)) throw thrown;
    throw waitedTooLong();
  }
}

/** Whether a state contains a context. */
export function isThere({ record }: SandboxState, lifetime: string, contextId: string): boolean {
  return record?.lifetime === lifetime && record.contexts.some(({ id }) => id === contextId);
}
