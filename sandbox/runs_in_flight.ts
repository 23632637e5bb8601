/**
 * The runs of this process, in progress or waiting, by context, so that a deletion ends them at
 * once. Runs of other processes notice it by their lease, which the deletion takes away.
 *
 * @module
 */
import { LeaseLost } from "../store/active_lease.ts";
import type { Lease } from "../store/lease.ts";
import { conflict } from "../shared/errors.ts";
import { StoreUnavailable } from "../shared/store_errors.ts";

/** The caller of a run has disconnected. */
export class CallerGone extends Error {
  override readonly name = "CallerGone";
}

/** One run, from its arrival to its answer. */
export interface RunInFlight {
  /** Fires when the run must end; its reason is the answer to the run. */
  readonly signal: AbortSignal;
  /** Ends the run. */
  abort(reason: Error): void;
  /** Marks the run as over. */
  leave(): void;
}

/** All runs of this process. */
export class RunsInFlight {
  readonly #runs = new Map<string, Set<AbortController>>();

  /** Adds a run of a context, which also ends when its caller disconnects. */
  enter(lifetime: string, contextId: string, caller: AbortSignal): RunInFlight {
    const name = `${lifetime}/${contextId}`;
    const controller = new AbortController();
    const runs = this.#runs.get(name) ?? new Set();
    this.#runs.set(name, runs.add(controller));
    const onGone = () => controller.abort(new CallerGone("the caller has gone"));
    caller.addEventListener("abort", onGone, { once: true });
    if (caller.aborted) onGone();
    return {
      signal: controller.signal,
      abort: (reason) => controller.abort(reason),
      leave: () => {
        caller.removeEventListener("abort", onGone);
        runs.delete(controller);
        if (runs.size === 0 && this.#runs.get(name) === runs) this.#runs.delete(name);
      },
    };
  }

  /** Whether a context has a run, in progress or waiting. */
  has(lifetime: string, contextId: string): boolean {
    return this.#runs.has(`${lifetime}/${contextId}`);
  }

  /** Ends all runs of a context. */
  abort(lifetime: string, contextId: string, reason: Error): void {
    for (const run of this.#runs.get(`${lifetime}/${contextId}`) ?? []) run.abort(reason);
  }
}

/** Ends a run when its lease is lost. */
export function endWithLease(run: RunInFlight, lease: Lease, contextId: string): void {
  const onLost = () => run.abort(whyLost(lease, contextId));
  lease.lost.addEventListener("abort", onLost, { once: true });
}

/**
 * Nothing of the run is committed. If perhaps no other process has the lease, the run may be retried.
 */
function whyLost({ lost }: Lease, contextId: string): Error {
  return lost.reason instanceof LeaseLost && lost.reason.unreachable
    ? new StoreUnavailable(false)
    : conflict("The lease of the context was lost", contextId);
}
