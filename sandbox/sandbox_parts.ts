/**
 * What the operations of sandboxes are made of, and the names of the steps of a run.
 *
 * @module
 */
import type { KvStore } from "../store/kv.ts";
import type { LeaseTable } from "../store/lease.ts";
import type { Clock } from "../wire/clock.ts";
import type {
  AdmissionLimits,
  SandboxLimits,
  SandboxQuotas,
  SharedLimits,
} from "../wire/limits.ts";
import type { Log } from "../wire/log.ts";
import type { RunsInFlight } from "./runs_in_flight.ts";
import type { RuntimeBindings } from "./runtime_bindings.ts";
import type { RuntimeWipes } from "./runtime_wipes.ts";
import type { SandboxChanges } from "./sandbox_changes.ts";
import type { StoredSandboxes } from "./stored_sandbox.ts";

/** Gives a place back. To be called once. */
export type Release = () => void;

/** Takes the place of a call that runs no code, waiting for it if need be. */
export type TakePlace = (signal: AbortSignal) => Promise<Release>;

/** How runs are let in. */
export interface RunAdmission {
  /** Counts a run among the waiting of its tenant. Throws `RATE_LIMITED` when there are too many. */
  wait(tenant: string): Release;
  /**
   * Takes one of the tenant's places for runs that are going, waiting for it if need be, for so
   * many milliseconds at most.
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

/** Limits that the routes of a sandbox keep. */
export type RouteLimits =
  & SandboxLimits
  & Pick<SharedLimits, "codeBytes" | "requestBytes">
  & Pick<AdmissionLimits, "maxWaitMs">;

/** The parts. */
export interface SandboxParts {
  readonly kv: KvStore;
  readonly stored: StoredSandboxes;
  readonly changes: SandboxChanges;
  readonly bindings: RuntimeBindings;
  readonly wipes: RuntimeWipes;
  readonly leases: LeaseTable;
  readonly runs: RunsInFlight;
  readonly admission: RunAdmission;
  readonly limits: RouteLimits;
  readonly quotas: SandboxQuotas;
  readonly clock: Clock;
  /** Gives ids that are never given again. */
  readonly ids: () => string;
  readonly log: Log;
  /**
   * Told each step of a run before the next one begins; for tests. "blobs written" is told in
   * the moment before the deciding operation, which does not wait.
   */
  readonly onStep: (step: RunStep) => void | Promise<void>;
}
