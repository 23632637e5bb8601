/**
 * The claim of a run: finds its context, waits for the context's lease, and reads the sandbox as it
 * is from then on. A run whose state this process most likely knows begins without the lease; a
 * {@link Confirmation} finds out whether the state is the current one.
 *
 * @module
 */
import { sandboxLeaseKeys } from "../store/keys.ts";
import { type Lease, LeaseGone, LeaseTimeout } from "../store/lease.ts";
import { waitedTooLong } from "../shared/errors.ts";
import { pause } from "../shared/timers.ts";
import type { WaitBudget } from "../shared/wait_budget.ts";
import { firstInQueue } from "./context_queue.ts";
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
import { type SandboxAddress, type SandboxState, stateKeys, stateOf } from "./root_record.ts";
import type { OptimisticLease } from "../store/active_lease.ts";
import { isFarFromQuotas } from "./draft.ts";
import { hasExpectedRuns } from "./run_conditions.ts";
import type { StoredSandboxes } from "./stored_sandbox.ts";

/** A run that lets one of the queue go first asks for its turn again after so long, in milliseconds. */
const YIELD_MS = 10;

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

/** The wanted context. A default one is created. Undefined when the binding has no contexts. */
export async function findContext(
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
    const isSame = found?.lifetime === lifetime && found.context.id === context.id;
    try {
      if (isSame && !await isAfterQueue(options, address, found, wait)) {
        return claim = { lease, run, found, state };
      }
    } finally {
      if (claim === undefined) await lease.release();
    }
    if (isSame) await pause(options.timers, YIELD_MS, run.signal);
    return undefined;
  } finally {
    if (claim === undefined) run.leave();
  }
}

/**
 * Whether a run of the queue was requested before this one. Then it is woken, in case that its process
 * is lost.
 */
async function isAfterQueue(
  options: OperationOptions,
  address: SandboxAddress,
  { context }: FoundContext,
  wait: WaitBudget,
): Promise<boolean> {
  const { kv, waiting } = options;
  if (context.queue === undefined || context.waiting !== undefined) return false;
  const first = await firstInQueue(kv, context.queue);
  if (first === undefined || first.at > wait.since) return false;
  const run = await waiting.find(address.tenant, first.run).catch(() => undefined);
  if (run !== undefined) waiting.wake(run);
  if (wait.left() === 0) throw waitedTooLong();
  return true;
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

/** A run begins without a lease for so long, in milliseconds. */
const OPTIMISTIC_MS = 50;

/** The run began on a state that was not the current one. Nothing of it is left. */
export class OutdatedState extends Error {
  override readonly name = "OutdatedState";
}

/** A run on a known state. */
interface OptimisticTurn {
  readonly lease: OptimisticLease;
  readonly run: RunInFlight;
  readonly state: SandboxState;
}

/** A run on a known state, with its context. */
interface OptimisticClaim extends OptimisticTurn {
  readonly found: FoundContext;
  readonly confirmation: Confirmation;
}

/**
 * A turn on the state that this process knows; undefined when that is unlikely to be the current
 * one, or others wait for the context.
 */
export function claimOptimistically(
  options: OperationOptions,
  address: SandboxAddress,
  wanted: WantedContext,
  caller: AbortSignal,
): OptimisticClaim | undefined {
  const { stored, changes, bindings, leases, runs, quotas } = options;
  const state = stored.cache.steady(address);
  const found = chosenIn(state?.record, wanted);
  if (state?.record === undefined || found === undefined) return undefined;
  const { lifetime, context } = found;
  const isReady = context.snapshotRef !== null && context.waiting === undefined &&
    context.queue === undefined && !changes.hasExpired(state) &&
    !changes.isUseWorthNoting(state.record) && isFarFromQuotas(state, quotas(address.tenant)) &&
    hasExpectedRuns(wanted.expectedRuns, context) && bindings.has(context.binding);
  const lease = isReady ? leases.assume(sandboxLeaseKeys(lifetime, context.id)) : undefined;
  if (lease === undefined) return undefined;
  const run = runs.enter(lifetime, context.id, caller);
  endWithLease(run, lease, context.id);
  const confirmation = new Confirmation(options, { lease, state, run });
  return { lease, run, found, state, confirmation };
}

/**
 * Acquires the lease of an optimistic run during the run, and finds out whether its state is
 * current.
 */
export class Confirmation {
  readonly #lease: OptimisticLease;
  readonly #state: SandboxState;
  readonly #stored: StoredSandboxes;
  readonly #cancelTimer: () => void;
  #confirming: Promise<boolean> | undefined;

  constructor(
    { stored, timers }: OperationOptions,
    { lease, state, run }: OptimisticTurn,
  ) {
    this.#lease = lease;
    this.#state = state;
    this.#stored = stored;
    this.#cancelTimer = timers.after(OPTIMISTIC_MS, () => {
      this.now().then((isCurrent) => {
        if (!isCurrent) run.abort(new OutdatedState());
      }, (thrown) => run.abort(thrown));
    });
  }

  /** It no longer begins by itself. */
  end(): void {
    this.#cancelTimer();
  }

  /** True if the state is current. The lease is then held. */
  now(): Promise<boolean> {
    this.end();
    return this.#confirming ??= this.#confirm();
  }

  /**
   * Ends the time in which it may begin by itself. Resolves once one that has begun is over: true
   * if the run now has its lease.
   */
  async over(): Promise<boolean> {
    this.end();
    return await this.#confirming ?? false;
  }

  /** The commit may be done, so any error of the run is its answer: it never begins again. */
  settle(): void {
    this.end();
    this.#confirming = Promise.resolve(true);
  }

  async #confirm(): Promise<boolean> {
    const { address, versionstamp } = this.#state;
    const entries = await this.#lease.hold(stateKeys(address));
    if (entries === undefined) return false;
    return this.#stored.readIn(address, entries).versionstamp === versionstamp;
  }
}
