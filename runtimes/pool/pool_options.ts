/**
 * Dependencies of a pool of isolates, and its reports of a run.
 *
 * @module
 */
import type { Timers } from "../../shared/timers.ts";
import type { BlockedTimes } from "./blocked_isolates.ts";
import type { CommandMonitorOptions, CommandRunner } from "./command_monitor.ts";
import type { Isolate, IsolateRun, StartIsolate } from "./isolate.ts";
import type { StartTurns } from "./start_turns.ts";
import type { WaitingLimits } from "./waiting_line.ts";

/** Dependencies and limits of a pool. */
export interface PoolOptions extends WaitingLimits {
  readonly start: StartIsolate;
  /** The turns of all pools' starts. When absent, each start begins at once. */
  readonly turns?: StartTurns | undefined;
  /** Longest wait for an isolate, in milliseconds. */
  readonly maxWaitMs: number;
  /** Maximum number of isolates alive at the same time. */
  readonly maxIsolates: number;
  /**
   * Milliseconds of idleness after which an isolate ends, except for the {@link warmIsolates} ones.
   */
  readonly idleMs: number;
  /** Number of isolates that stay longer than that. @default {1} */
  readonly warmIsolates?: number;
  /** Milliseconds without a run after which these end too. @default {Infinity} */
  readonly lastIdleMs?: number;
  /** Whether an idle isolate is the one that is kept ready for another run. @default {each is} */
  readonly isSpare?: (isolate: Isolate) => boolean;
  /** Time for a run to end by itself after its caller has disconnected, in milliseconds. */
  readonly cancelGraceMs: number;
  /** The programs of other languages that programs can start. @default {they start none} */
  readonly commands?: PoolCommands | undefined;
  /** Whether each change of the tenant needs a fresh isolate. */
  readonly isolatePerTenant: boolean;
  /** When isolates whose programs wait are taken back. @default {those of a service} */
  readonly blockedTimes?: BlockedTimes;
  /** How long a tenant counts as active, in milliseconds. @default {60_000} */
  readonly activeMs?: number;
  /** Monotonic milliseconds. */
  readonly monotonic: () => number;
  /** The system's timers when absent. */
  readonly timers?: Timers;
  /** Called with failures of the service itself; `cause` is for the log only. */
  readonly onStartFailure: (cause: unknown) => void;
  /** Absent when telemetry is off. */
  readonly observer?: PoolObserver | undefined;
}

/** The programs of other languages that programs of a pool can start. */
export interface PoolCommands extends Pick<CommandMonitorOptions, "workspaceBytes" | "isPath"> {
  readonly run: CommandRunner;
}

/** Observes a pool. */
export interface PoolObserver {
  /** Called with each wait for an isolate. */
  holding(wait: () => Promise<Isolate>): Promise<Isolate>;
  /** Called when a run has ended. */
  ran(run: PoolRun): void;
}

/** How a run ended, as the pool saw it. */
export type PoolRun =
  & {
    readonly queueMs: number;
    readonly runMs: number;
    /** Whether the run cost the pool a process: it was killed, died, or gave an invalid answer. */
    readonly killed: boolean;
  }
  & (
    | { readonly end: "answered"; readonly run: IsolateRun }
    /** The watchdog killed the process at the wall-clock limit. */
    | { readonly end: "wall clock"; readonly run: IsolateRun }
    /** The process ended by itself or gave no valid answer. */
    | { readonly end: "died" }
    | { readonly end: "cancelled" }
    /** The isolate was taken back, or lost, while the program waited for its caller. */
    | { readonly end: "released" }
    /** The recorded deliveries do not fit the waits of the program. */
    | { readonly end: "diverged" }
  );
