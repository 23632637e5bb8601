/**
 * How runs are found that no process has in memory.
 *
 * @module
 */
import type { RunState, RunSummary } from "../client/protocol/calls.ts";
import type { ProgramRun } from "./program_run.ts";

/** Finds runs that are stored. */
export interface RunLoader {
  /** Undefined when there is none. */
  load(tenant: string, id: string): Promise<ProgramRun | undefined>;
  /** Up to `limit` runs, the newest first, that follow an id. */
  list(tenant: string, order: {
    readonly after: string | undefined;
    readonly limit: number;
    readonly sandbox: string | undefined;
    /** Only runs in this state; all when undefined. */
    readonly state: RunState | undefined;
  }): Promise<readonly RunSummary[]>;
}
