/**
 * The runs of this process whose programs can wait, by tenant.
 *
 * @module
 */
import type { RunInfo, RunList, RunSummary } from "../client/protocol/calls.ts";
import { CALL_LIMITS } from "../shared/call_limits.ts";
import { type Clock, isoTimestamp } from "../shared/clock.ts";
import { overload, runNotFound, serviceStopping } from "../shared/errors.ts";
import { withOwnPatience } from "../store/patience.ts";
import { systemTimers, type Timers } from "../shared/timers.ts";
import { ProgramRun } from "./program_run.ts";
import { type EnterPlace, RunPlace } from "./run_place.ts";
import {
  type Attempt,
  RunCancelled,
  type RunEnd,
  type RunStorage,
  type RunTerms,
} from "./run_terms.ts";

/** Dependencies of the table. */
export interface RunTableOptions {
  readonly clock: Clock;
  /** The system clock when absent. */
  readonly timers?: Timers;
  /** Milliseconds that a call or question waits for its answer. */
  readonly waitMs: number;
  /** Takes a place for a run. */
  readonly enter: EnterPlace;
}

/** A run to begin. */
export interface RunOrder {
  readonly terms: Omit<RunTerms, "id" | "seed" | "createdAt" | "waitMs">;
  /** Gives back the place that the run has already. */
  readonly leave?: (() => void) | undefined;
  readonly storage?: RunStorage | undefined;
  readonly attempt: Attempt;
  /** The end of a run whose attempts failed; rejects with what they threw where that is the end. */
  readonly failed: (run: ProgramRun, thrown: unknown) => Promise<RunEnd>;
  /** Called when the run is over. */
  readonly ended?: () => Promise<void>;
}

/** Milliseconds for which the end of a run can be asked for. */
const ENDED_MS = 600_000;
/** Ended runs of a tenant that are there at one time. */
const ENDED_RUNS = 200;
/** Ids begin with the time, so that newer ones come first. */
const LAST_TIME = 36 ** 9 - 1;

/** The runs of a process. */
export class RunTable {
  readonly #options: RunTableOptions;
  readonly #tenants = new Map<string, Map<string, ProgramRun>>();
  readonly #performing = new Set<Promise<void>>();
  #closed = false;
  #lastTime = 0;

  constructor(options: RunTableOptions) {
    this.#options = options;
  }

  /**
   * Begins a run, which goes on by itself.
   *
   * @throws {ServiceError} `RATE_LIMITED` when too many runs of the tenant wait.
   */
  begin({ terms, leave, storage, attempt, failed, ended }: RunOrder): ProgramRun {
    const { clock, timers = systemTimers, waitMs, enter } = this.#options;
    if (this.#closed) throw serviceStopping();
    const runs = this.#current(terms.tenant);
    const going = [...runs.values()].filter(({ end }) => end === undefined).length;
    if (going >= CALL_LIMITS.waitingRuns) {
      throw overload("RATE_LIMITED", "Too many runs wait for answers", "waiting runs");
    }
    const now = clock();
    const run = new ProgramRun({
      ...terms,
      id: this.#newId(now),
      seed: crypto.getRandomValues(new Uint8Array(32)),
      createdAt: now,
      waitMs,
    }, { clock, timers, place: new RunPlace(terms.tenant, { enter, timers, leave }), storage });
    runs.set(run.terms.id, run);
    // the patience of the caller who began it is not that of the run
    const performing = withOwnPatience(() => run.perform(attempt, (thrown) => failed(run, thrown)))
      .then(ended)
      .finally(() => this.#performing.delete(performing));
    this.#performing.add(performing);
    return run;
  }

  /**
   * A run of a tenant, in any sandbox or in the given one.
   *
   * @throws {ServiceError} `RUN_NOT_FOUND`
   */
  find(tenant: string, id: string, sandbox?: string): ProgramRun {
    const run = this.#current(tenant).get(id);
    const isThere = run !== undefined &&
      (sandbox === undefined || run.terms.context?.sandbox === sandbox);
    if (!isThere) throw runNotFound(id);
    return run;
  }

  /** The runs of a tenant, the newest first. */
  list(tenant: string, sandbox?: string): RunList {
    const runs = [...this.#current(tenant).values()].filter(({ terms }) =>
      sandbox === undefined || terms.context?.sandbox === sandbox
    );
    const summaries = runs.map(runSummary);
    return { runs: summaries.toSorted((a, b) => a.id < b.id ? -1 : 1) };
  }

  /** Ends a run; what it computed is void. Resolves once it has ended. */
  async cancel(run: ProgramRun): Promise<void> {
    run.cancel(new RunCancelled("the run was cancelled"));
    while (run.end === undefined) await new Promise<void>((resolve) => run.onChange(resolve));
  }

  /** Ends all runs. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const runs of this.#tenants.values()) {
      for (const run of runs.values()) if (run.end === undefined) run.cancel(serviceStopping());
    }
    await Promise.all(this.#performing);
  }

  /** Ids of one process have different times. */
  #newId(now: number): string {
    this.#lastTime = Math.max(now, this.#lastTime + 1);
    return runId(this.#lastTime);
  }

  /** The runs of a tenant, without those that ended long ago. */
  #current(tenant: string): Map<string, ProgramRun> {
    const runs = this.#tenants.get(tenant) ?? new Map<string, ProgramRun>();
    this.#tenants.set(tenant, runs);
    const since = this.#options.clock() - ENDED_MS;
    const ended = [...runs.values()].filter(({ endedAt }) => endedAt !== undefined);
    for (const [index, { terms: { id }, endedAt = 0 }] of ended.entries()) {
      if (endedAt < since || index < ended.length - ENDED_RUNS) runs.delete(id);
    }
    return runs;
  }
}

/** An id; of a later time it comes first in order. */
function runId(at: number): string {
  const time = (LAST_TIME - at).toString(36).padStart(9, "0");
  return `r${time}${crypto.randomUUID().replaceAll("-", "").slice(0, 20)}`;
}

/** A run as a listing shows it. */
function runSummary(run: ProgramRun): RunSummary {
  const { id, language, context, createdAt } = run.terms;
  const { startedAt, endedAt } = run;
  return {
    id,
    state: run.state,
    language,
    ...(context === undefined ? {} : { contextId: context.contextId }),
    createdAt: isoTimestamp(() => createdAt),
    ...(startedAt === undefined ? {} : { startedAt: isoTimestamp(() => startedAt) }),
    ...(endedAt === undefined ? {} : { endedAt: isoTimestamp(() => endedAt) }),
  };
}

/** A run as JSON of `RunInfo`. The execution keeps its digits. */
export function runInfoJson(run: ProgramRun): string {
  const info: RunInfo = {
    ...runSummary(run),
    ...(run.state === "waiting" ? { waiting: run.waiting() } : {}),
  };
  const json = JSON.stringify(info);
  const { end } = run;
  if (end === undefined || !("body" in end) || end.status !== undefined) return json;
  return `${json.slice(0, -1)},"execution":${end.body}}`;
}
