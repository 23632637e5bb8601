/**
 * The isolates of a pool whose programs wait for their callers. Each is a cache: it saves another
 * attempt the work up to the wait, and is taken back when somebody else needs it, the one that has
 * waited longest first, or when it has waited too long.
 *
 * An attempt costs what the program has computed, so an isolate is not taken back in the first moments
 * of a wait, in which most answers come, and not for a short sleep.
 *
 * @module
 */
import type { ProgramWait, RunCalls } from "../../shared/run_calls.ts";
import type { Timers } from "../../shared/timers.ts";
import { CallMonitor } from "./call_monitor.ts";
import type { IsolateRun } from "./isolate.ts";
import type { Watchdog } from "./watchdog.ts";

/** The times of {@link BlockedIsolates}, in milliseconds. */
export interface BlockedTimes {
  /** An isolate is taken back after so long. */
  readonly warmMs: number;
  /** An isolate is left alone for so long. */
  readonly graceMs: number;
  /** A sleep that is shorter counts as computing, */
  readonly shortSleepMs: number;
  /** unless the attempt has lasted that long. */
  readonly longAttemptMs: number;
}

/** The times of a service. */
const BLOCKED_TIMES: BlockedTimes = {
  warmMs: 30_000,
  graceMs: 100,
  shortSleepMs: 1_000,
  longAttemptMs: 10_000,
};

/** An attempt of a run with calls. */
export interface CallingAttempt {
  readonly calls: RunCalls;
  readonly guard: Pick<Watchdog, "pause" | "resume">;
  /** Fires when the caller disconnects. */
  readonly signal: AbortSignal | undefined;
  readonly tenant: string;
}

/** The parts of a pool that its blocked isolates concern. */
export interface BlockedOptions<I> {
  /** Those of a service when absent. */
  readonly times?: BlockedTimes | undefined;
  readonly timers: Timers;
  /** Monotonic milliseconds. */
  readonly monotonic: () => number;
  /** How many isolates others wait for. */
  readonly wanted: () => number;
  /** From now on the isolate counts as idle. */
  readonly blocked: (isolate: I) => void;
  /** It counts as used by the tenant again. */
  readonly resumed: (isolate: I, tenant: string) => void;
}

/** How an attempt ended that did not come to the end of its program. */
type AttemptEnd = "released" | "diverged";

interface Blocked {
  /** Monotonic milliseconds. */
  readonly since: number;
  readonly release: () => void;
  readonly cancelWarm: () => void;
}

/** The isolates of one pool. */
export class BlockedIsolates<I> {
  readonly #options: BlockedOptions<I>;
  readonly #times: BlockedTimes;
  /** In the order in which they began to wait. */
  readonly #blocked = new Map<I, Blocked>();
  /** Isolates that were asked back and are not back yet. */
  readonly #leaving = new Set<I>();
  #cancelLook: () => void = () => undefined;

  constructor(options: BlockedOptions<I>) {
    this.#options = options;
    this.#times = options.times ?? BLOCKED_TIMES;
  }

  /** The monitor of an attempt that begins in an isolate. */
  monitor(isolate: I, { calls, guard, signal, tenant }: CallingAttempt): CallMonitor {
    const { monotonic, blocked, resumed } = this.#options;
    const began = monotonic();
    const monitor = new CallMonitor(calls, {
      blocked: (wait) => {
        guard.pause();
        if (signal?.aborted) return monitor.release();
        if (!this.#counts(wait, began)) return;
        blocked(isolate);
        this.#add(isolate, () => monitor.release());
      },
      resumed: () => {
        if (this.#remove(isolate)) resumed(isolate, tenant);
        guard.resume();
      },
    });
    signal?.addEventListener("abort", () => monitor.release(), { once: true });
    return monitor;
  }

  /** The attempt in an isolate has ended. Returns how, unless its program came to its end. */
  ended(isolate: I, monitor: CallMonitor, run: IsolateRun): AttemptEnd | undefined {
    const { isWaiting, isReleased, hasDiverged, isPastRecorded } = monitor;
    this.#remove(isolate);
    this.#leaving.delete(isolate);
    monitor.close();
    // a process that ends while its program waits has lost nothing that was not recorded
    if (isReleased || (isWaiting && run.answer === undefined)) return "released";
    return hasDiverged || (run.answer !== undefined && !isPastRecorded) ? "diverged" : undefined;
  }

  /** Takes back as many isolates as others wait for, now or when they have waited long enough. */
  look(): void {
    this.#cancelLook();
    const { wanted, timers, monotonic } = this.#options;
    for (const [isolate, { since }] of this.#blocked) {
      if (this.#leaving.size >= wanted()) return;
      const left = since + this.#times.graceMs - monotonic();
      if (left > 0) {
        this.#cancelLook = timers.after(left, () => this.look(), true);
        return;
      }
      this.#takeBack(isolate);
    }
  }

  /** Ends all timers. */
  close(): void {
    this.#cancelLook();
    for (const { cancelWarm } of this.#blocked.values()) cancelWarm();
  }

  /** Whether a wait is one for the caller. */
  #counts({ calls, prompt, maxMs }: ProgramWait, began: number): boolean {
    const { shortSleepMs, longAttemptMs } = this.#times;
    const isSleep = calls.length === 0 && prompt === undefined;
    if (!isSleep || (maxMs ?? 0) >= shortSleepMs) return true;
    return this.#options.monotonic() - began >= longAttemptMs;
  }

  #add(isolate: I, release: () => void): void {
    const { timers, monotonic } = this.#options;
    const cancelWarm = timers.after(this.#times.warmMs, () => this.#takeBack(isolate), true);
    this.#blocked.set(isolate, { since: monotonic(), release, cancelWarm });
    this.look();
  }

  #remove(isolate: I): boolean {
    this.#blocked.get(isolate)?.cancelWarm();
    return this.#blocked.delete(isolate);
  }

  #takeBack(isolate: I): void {
    const blocked = this.#blocked.get(isolate);
    if (blocked === undefined) return;
    this.#leaving.add(isolate);
    blocked.release(); // which removes it
  }
}
