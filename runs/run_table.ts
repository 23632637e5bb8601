/**
 * The runs of this process whose programs can wait, by tenant.
 *
 * @module
 */
import type { NumberedEvent } from "../client/protocol/run_events.ts";
import type { RunList } from "../client/protocol/calls.ts";
import type { CallFields } from "../client/protocol/types.ts";
import { CALL_LIMITS } from "../shared/call_limits.ts";
import type { Clock } from "../shared/clock.ts";
import {
  overload,
  runNotFound,
  serviceStopping,
  validationFailed,
  waitedTooLong,
} from "../shared/errors.ts";
import { StoreUnavailable } from "../shared/store_errors.ts";
import { withOwnPatience } from "../store/patience.ts";
import { NO_TOOLS, type OperatorTools } from "../shared/operator_tools.ts";
import { type RecordUsage, withOwnAccount } from "../shared/run_account.ts";
import { systemTimers, type Timers } from "../shared/timers.ts";
import { ProgramRun, type RunWork } from "./program_run.ts";
import { listRuns } from "./run_listing.ts";
import type { RunLoader } from "./run_loader.ts";
import { isRunId, type RunQuery } from "./run_page.ts";
import { type MemoryAccount, memoryUsedUp, RunMemory } from "./run_memory.ts";
import { type EnterPlace, RunPlace } from "./run_place.ts";
import type { RunStore } from "./stateless_storage.ts";
import {
  RunCancelled,
  RunOutdated,
  type RunParts,
  type RunTerms,
  type StoredHistory,
} from "./run_terms.ts";
import { type Following, followRun, isOutdated } from "./run_answer.ts";

/** Whether the operator allows a URL for notifications. Absent: the operator allows none. */
export type MayNotify = ((url: URL) => boolean) | undefined;

/** Dependencies of the table. */
export interface RunTableOptions {
  readonly clock: Clock;
  /** The system clock when absent. */
  readonly timers?: Timers;
  /** Milliseconds that a call or question waits for its answer. */
  readonly waitMs: number;
  /** Takes a place for a run. */
  readonly enter: EnterPlace;
  /** Stores durable runs without a context. Absent: there are none. */
  readonly store?: RunStore;
  readonly mayNotify?: MayNotify;
  /** Bytes of memory of the runs of a tenant. @default {64 MiB} */
  readonly memoryBytes?: number;
  /** The operator's tools. None when absent. */
  readonly tools?: OperatorTools | undefined;
  /** Counts the fuel of a run that goes on without a request. */
  readonly recordUsage?: RecordUsage | undefined;
  /** Called when the end of a run could not be recorded; the janitor repeats it. */
  readonly onFault: (thrown: unknown) => void;
}

/** A run to begin. */
export interface RunOrder extends RunWork {
  readonly terms: Omit<RunTerms, "id" | "seed" | "createdAt" | "waitMs">;
  /** Gives back the place that the run has already. */
  readonly leave?: (() => void) | undefined;
  /** Makes the storage of a run; absent: it is lost with the process. */
  readonly storage?: RunParts["storage"];
  /** Of a run that another process began. */
  readonly history?: StoredHistory | undefined;
  /** Called when the run begins. */
  readonly began?: (run: ProgramRun) => void;
}

/** How often other processes may go on with a run while it is followed. */
const FOLLOW_ATTEMPTS = 20;
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
  readonly #memory: RunMemory;
  readonly #accounts = new WeakMap<ProgramRun, MemoryAccount>();
  readonly #performing = new Map<ProgramRun, Promise<void>>();
  /** What runs do that are not awake. */
  readonly #orders = new WeakMap<ProgramRun, RunOrder>();
  #loader: RunLoader | undefined;
  #closed = false;
  #lastTime = 0;

  constructor(options: RunTableOptions) {
    this.#options = options;
    this.#memory = new RunMemory((tenant) => this.#evict(tenant), options.memoryBytes);
  }

  /**
   * Checks the URL for the notifications of a run.
   *
   * @throws {ServiceError} `VALIDATION_FAILED` when the operator does not allow it
   */
  checkNotify({ notify }: CallFields = {}): void {
    if (notify === undefined) return;
    const { mayNotify } = this.#options;
    if (mayNotify === undefined) {
      throw validationFailed("notify is switched off: the operator has set no NOTIFY_HOSTS");
    }
    if (!mayNotify(new URL(notify.url))) {
      throw validationFailed("notify.url is not at a host that the operator allows");
    }
  }

  /** The operator's tools. */
  get tools(): OperatorTools {
    return this.#options.tools ?? NO_TOOLS;
  }

  /** Stores durable runs without a context. */
  get store(): RunStore | undefined {
    return this.#options.store;
  }

  /** How stored runs are found. */
  loadFrom(loader: RunLoader): void {
    this.#loader = loader;
  }

  /**
   * Begins a run, which goes on by itself. Takes over the place of the order, also when it throws.
   *
   * @throws {ServiceError} `RATE_LIMITED` when too many runs of the tenant wait, or take too much memory.
   */
  async begin(order: RunOrder): Promise<ProgramRun> {
    try {
      await this.#checkRoom(order);
      const run = this.create(order);
      this.wake(run);
      return run;
    } catch (thrown) {
      order.leave?.();
      throw thrown;
    }
  }

  /** The same for a run that is stored before it begins, so that it outlives its process from then on. */
  async beginStored(order: RunOrder): Promise<ProgramRun> {
    try {
      return this.wake(await this.keep(order));
    } catch (thrown) {
      order.leave?.();
      throw thrown;
    }
  }

  /** Stores a run that does not begin yet. Rejects like {@link begin}. */
  async keep(order: RunOrder): Promise<ProgramRun> {
    await this.#checkRoom(order);
    const run = this.create(order);
    await run.store();
    return run;
  }

  async #checkRoom({ terms: { tenant, code } }: RunOrder): Promise<void> {
    await this.checkCount(tenant);
    if (!this.#memory.hasRoom(tenant, code.length)) throw memoryUsedUp();
  }

  /**
   * Checks that another run of a tenant may wait: stored runs of all processes, and those that only this
   * one knows, count. Runs that begin at the same moment may exceed the limit together.
   *
   * @throws {ServiceError} `RATE_LIMITED`
   */
  async checkCount(tenant: string): Promise<void> {
    const stored = await this.store?.countRuns(tenant).catch(withoutStore) ?? 0;
    const own = this.#current(tenant).values()
      .filter(({ end, storage }) => end === undefined && (storage?.parts ?? 0) === 0);
    if (stored + own.toArray().length >= CALL_LIMITS.waitingRuns) {
      throw overload("RATE_LIMITED", "Too many runs wait for answers", "waiting runs");
    }
  }

  /** Makes a run that does not begin yet. */
  create(order: RunOrder): ProgramRun {
    const { clock, timers = systemTimers, waitMs, enter } = this.#options;
    if (this.#closed) throw serviceStopping();
    const { terms, leave, history, storage } = order;
    const now = clock();
    const own = history ?? {
      id: this.newId(),
      seed: crypto.getRandomValues(new Uint8Array(32)),
      createdAt: now,
      waitMs,
    };
    const place = new RunPlace(terms.tenant, { enter, timers, leave });
    const parts = { clock, timers, place, storage, tools: this.tools };
    const { id, seed, createdAt } = own;
    const all = { ...terms, id, seed, createdAt, waitMs: own.waitMs };
    const run = new ProgramRun(all, parts, history);
    this.#orders.set(run, order);
    return run;
  }

  /**
   * Lets a run go on by itself, unless it does or has ended. Returns the run that goes on: of two that
   * were loaded, the one that knows more of its history, and the other one ends.
   *
   * @throws {ServiceError} `OVERLOADED` when the service stops.
   */
  wake(run: ProgramRun): ProgramRun {
    const order = this.#orders.get(run);
    if (order === undefined || run.end !== undefined) return run;
    if (this.#closed) throw serviceStopping();
    const { tenant, id } = run.terms;
    const other = this.#current(tenant).get(id);
    if (other !== undefined && other.end === undefined && !isOutdated(other)) {
      if (partsOf(other) >= partsOf(run)) return other;
      other.cancel(new RunOutdated());
      this.#forget(other);
    }
    this.#orders.delete(run);
    this.#current(tenant).set(id, run);
    const account = this.#memory.open(tenant);
    this.#accounts.set(run, account);
    run.countMemory(account);
    order.began?.(run);
    // the patience of the caller who began it is not that of the run
    const perform = () => withOwnPatience(() => run.perform(order));
    const { recordUsage = () => undefined } = this.#options;
    const performing = withOwnAccount(tenant, recordUsage, perform)
      .catch((thrown) => this.#options.onFault(thrown)).finally(
        () => {
          this.#performing.delete(run);
          if (isOutdated(run)) this.#forget(run);
        },
      );
    this.#performing.set(run, performing);
    return run;
  }

  /**
   * A run of a tenant, in any sandbox or in the given one. One that no process has in memory is loaded
   * and does not go on before it is woken.
   *
   * @throws {ServiceError} `RUN_NOT_FOUND`
   */
  async find(tenant: string, id: string, sandbox?: string): Promise<ProgramRun> {
    const known = this.#current(tenant).get(id);
    const isCurrent = known !== undefined && !isOutdated(known) &&
      (known.end !== undefined || (await known.storage?.isCurrent() ?? true)) &&
      !isOutdated(known); // another caller may have seen it meanwhile
    if (known !== undefined && !isCurrent) {
      known.cancel(new RunOutdated());
      this.#forget(known);
    }
    const stored = isRunId(id) ? this.#loader : undefined; // a longer id is no key of a store
    const run = isCurrent ? known : await stored?.load(tenant, id);
    const isThere = run !== undefined &&
      (sandbox === undefined || run.terms.context?.sandbox === sandbox);
    if (run === undefined || !isThere) throw runNotFound(id);
    return run;
  }

  /** Follows a run, also where another process goes on with it. Rejects like {@link followRun}. */
  async follow(run: ProgramRun, following: Following): Promise<Response> {
    let { after = 0 } = following;
    let at = run;
    const { listener } = following;
    const event = listener?.event;
    const counted = listener === undefined || event === undefined ? listener : {
      ...listener,
      event: (told: NumberedEvent) => {
        after = told.id;
        event.call(listener, told);
      },
    };
    for (let attempt = 1;; attempt++) {
      try {
        return await followRun(at, { ...following, listener: counted, after });
      } catch (thrown) {
        if (!(thrown instanceof RunOutdated) || attempt >= FOLLOW_ATTEMPTS) throw thrown;
        const { tenant, id } = at.terms;
        at = this.wake(await this.find(tenant, id));
      }
    }
  }

  /**
   * Follows a run that begins. If the audience disconnects before the program first waits, the run ends.
   */
  async followFromStart(run: ProgramRun, following: Following): Promise<Response> {
    const { signal } = following;
    const onGone = () => {
      if (!run.hasWaited) run.cancel(new RunCancelled("the caller has gone"));
    };
    signal.addEventListener("abort", onGone, { once: true });
    if (signal.aborted) onGone();
    return await this.follow(run, following);
  }

  #forget(run: ProgramRun): void {
    const { tenant, id } = run.terms;
    const runs = this.#tenants.get(tenant);
    if (runs?.get(id) === run) runs.delete(id);
    this.#accounts.get(run)?.set(0);
  }

  /** Forgets the run of a tenant that ended first. False when none has ended. */
  #evict(tenant: string): boolean {
    const ended = this.#tenants.get(tenant)?.values().find(({ end }) => end !== undefined);
    if (ended !== undefined) this.#forget(ended);
    return ended !== undefined;
  }

  /** A page of the runs of a tenant, the newest first. Rejects with `VALIDATION_FAILED`. */
  async list(tenant: string, query: RunQuery): Promise<RunList> {
    const own = [...this.#current(tenant).values()];
    const find = (tenant: string, id: string) => this.find(tenant, id);
    return await listRuns({ own, loader: this.#loader, find }, tenant, query);
  }

  /**
   * Ends a run, also where another process goes on with it; what it computed is void. Resolves once it
   * has ended.
   *
   * @throws {ServiceError} `OVERLOADED` when other processes went on with it too often.
   */
  async cancel(run: ProgramRun): Promise<void> {
    const { tenant, id } = run.terms;
    let at = run;
    for (let attempt = 1; attempt <= FOLLOW_ATTEMPTS; attempt++) {
      at = this.wake(at);
      at.cancel(new RunCancelled("the run was cancelled"));
      await this.#performing.get(at);
      // one that another process went on with meanwhile is still stored
      const stored = await this.#loader?.load(tenant, id);
      if (stored === undefined) return;
      this.#forget(at);
      if (stored.end !== undefined) return;
      at = stored;
    }
    throw waitedTooLong();
  }

  /** Ends all runs. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const run of this.#performing.keys()) {
      if (run.end === undefined) run.cancel(serviceStopping());
    }
    await Promise.all(this.#performing.values());
  }

  /** An id for a run. Those of one process have different times. */
  newId(): string {
    this.#lastTime = Math.max(this.#options.clock(), this.#lastTime + 1);
    return runId(this.#lastTime);
  }

  /** The runs of a tenant, without those that ended long ago. */
  #current(tenant: string): Map<string, ProgramRun> {
    const runs = this.#tenants.get(tenant) ?? new Map<string, ProgramRun>();
    this.#tenants.set(tenant, runs);
    const since = this.#options.clock() - ENDED_MS;
    const ended = [...runs.values()].filter(({ endedAt }) => endedAt !== undefined);
    for (const [index, run] of ended.entries()) {
      const { endedAt = 0 } = run;
      if (endedAt < since || index < ended.length - ENDED_RUNS) this.#forget(run);
    }
    return runs;
  }
}

/** While the store does not answer, only the runs of this process count. */
function withoutStore(thrown: unknown): number {
  if (!(thrown instanceof StoreUnavailable)) throw thrown;
  return 0;
}

/** Parts of the history of a run that this process knows. */
function partsOf({ storage }: ProgramRun): number {
  return storage?.parts ?? 0;
}

/** An id; of a later time it comes first in order. */
function runId(at: number): string {
  const time = (LAST_TIME - at).toString(36).padStart(9, "0");
  return `r${time}${crypto.randomUUID().replaceAll("-", "").slice(0, 20)}`;
}
