/**
 * A run ends when its lease is lost.
 *
 * @module
 */
import { LeaseLost } from "../store/held_lease.ts";
import type { Lease } from "../store/lease.ts";
import { conflict } from "../shared/errors.ts";
import { StoreUnavailable } from "../shared/store_errors.ts";
import type { RunInFlight } from "./runs_in_flight.ts";

/** Ends a run when its lease is lost. */
export function endWithLease(run: RunInFlight, lease: Lease, contextId: string): void {
  const onLost = () => run.abort(whyLost(lease, contextId));
  lease.lost.addEventListener("abort", onLost, { once: true });
}

/**
 * Nothing of the run is committed. If possibly nobody else has the lease, the run may be retried.
 */
function whyLost({ lost }: Lease, contextId: string): Error {
  return lost.reason instanceof LeaseLost && lost.reason.unreachable
    ? new StoreUnavailable(false)
    : conflict("The lease of the context was lost", contextId);
}
