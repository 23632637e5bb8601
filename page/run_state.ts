/**
 * Runs that can wait, as the page lists them.
 *
 * @module
 */
import type { RunState } from "@belljar/client";

/** Whether a run has not ended. */
export function isOpen(state: RunState): boolean {
  return state === "queued" || state === "running" || state === "waiting";
}
