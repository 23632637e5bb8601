/**
 * Runs that begin on the state that this process knows, without a lease and without a read. Their
 * commit requires that state, so it is refused when another process has changed it. Then nothing of
 * the run is left, and the run begins again like any other.
 *
 * A run that takes longer, or ends in any other way than with a commit, first takes the lease and
 * reads the state: it is confirmed, or begins again.
 *
 * @module
 */
import { sandboxLeaseKeys } from "../store/keys.ts";
import type { OptimisticLease } from "../store/optimistic_lease.ts";
import { chosenIn, type FoundContext, type WantedContext } from "./contexts.ts";
import { isFarFromQuotas } from "./draft.ts";
import { endWithLease, type RunInFlight } from "./runs_in_flight.ts";
import type { OperationOptions } from "./operation_options.ts";
import { type SandboxAddress, type SandboxState, stateKeys } from "./root_record.ts";
import { hasExpectedRuns } from "./run_conditions.ts";
import type { StoredSandboxes } from "./stored_sandbox.ts";

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
export interface OptimisticClaim extends OptimisticTurn {
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
    !changes.hasExpired(state) &&
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
