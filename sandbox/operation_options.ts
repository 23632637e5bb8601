/**
 * Dependencies of every operation on sandboxes, and the names of the steps of a run.
 *
 * @module
 */
import type { OnNotice } from "../runs/run_notices.ts";
import type { RunTable } from "../runs/run_table.ts";
import type { KvStore } from "../store/kv.ts";
import type { LeaseTable } from "../store/lease.ts";
import type { Clock } from "../shared/clock.ts";
import type {
  AdmissionLimits,
  SandboxLimits,
  SandboxQuotas,
  SharedLimits,
} from "../shared/limits.ts";
import type { Log } from "../shared/log.ts";
import type { Timers } from "../shared/timers.ts";
import type { QueueChanges } from "./context_queue.ts";
import type { RunsInFlight } from "./runs_in_flight.ts";
import type { RuntimeBindings } from "./runtime_bindings.ts";
import type { RuntimeWipes } from "./runtime_wipes.ts";
import type { SandboxChanges } from "./sandbox_changes.ts";
import type { SharedBlobs } from "./shared_blobs.ts";
import type { StoredSandboxes } from "./stored_sandbox.ts";

/** Gives a place back. Must be called once. */
export type Release = () => void;

/** Takes a place for a call that runs no code, and waits for it if necessary. */
export type TakePlace = (signal: AbortSignal) => Promise<Release>;

/** Admission of runs. */
export interface RunAdmission {
  /**
   * Counts a run among its tenant's waiting runs. Throws `RATE_LIMITED` when there are too many.
   */
  wait(tenant: string): Release;
  /**
   * Takes one of the tenant's places for runs and waits for it if necessary, for at most that many
   * milliseconds.
   */
  enter(tenant: string, signal: AbortSignal, maxWaitMs: number): Promise<Release>;
}

/** The steps of a run in a context, in order. */
export type RunStep =
  | "admitted"
  | "leased"
  | "read"
  | "ran"
  | "blobs written"
  | "committed"
  | "answered";

/** Limits that the routes of a sandbox enforce. */
export type RouteLimits =
  & SandboxLimits
  & Pick<SharedLimits, "codeBytes" | "requestBytes" | "stdinBytes">
  & Pick<AdmissionLimits, "maxWaitMs">;

/** Dependencies of every operation on sandboxes. */
export interface OperationOptions {
  readonly kv: KvStore;
  readonly stored: StoredSandboxes;
  readonly changes: SandboxChanges;
  /** Blobs that several sandboxes share. */
  readonly shared: SharedBlobs;
  readonly bindings: RuntimeBindings;
  readonly wipes: RuntimeWipes;
  readonly leases: LeaseTable;
  readonly runs: RunsInFlight;
  /** The queues of contexts. */
  readonly queues: QueueChanges;
  readonly admission: RunAdmission;
  /** The runs whose programs can wait. */
  readonly waiting: RunTable;
  /** Called with the tenant when a notification of a run is stored. */
  readonly onNotice: OnNotice;
  readonly limits: RouteLimits;
  readonly quotas: (tenant: string) => SandboxQuotas;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Returns a unique id with each call. */
  readonly ids: () => string;
  readonly log: Log;
  /**
   * Called with each step of a run before the next one starts; for tests. "blobs written" is
   * reported just before the deciding operation, which does not wait.
   */
  readonly onStep: (step: RunStep) => void | Promise<void>;
}
