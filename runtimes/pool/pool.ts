/**
 * The pool of one language's isolates: starts them on demand up to a maximum, keeps a spare one
 * ready, ends idle ones, and runs the watchdog that ends a run by killing its process.
 *
 * `runtimes/pool/` owns child processes and knows nothing of HTTP routes or contexts.
 *
 * @module
 */
import type { RunCaller } from "../../shared/binding.ts";
import { runtimeUnavailable } from "../../shared/errors.ts";
import { TENANT_ACTIVE_MS } from "../../shared/limits.ts";
import { systemTimers, type Timers } from "../../shared/timers.ts";
import { WaitBudget } from "../../shared/wait_budget.ts";
import type { RunRequest } from "../engine/engine.ts";
import { BlockedIsolates } from "./blocked_isolates.ts";
import { CommandMonitor } from "./command_monitor.ts";
import { type ContextRun, hasBaseline, type Isolate, type IsolateWish } from "./isolate.ts";
import type { PoolOptions, PoolRun } from "./pool_options.ts";
import {
  type LinePosition,
  TenantShares,
  type WaitingCaller,
  WaitingLine,
} from "./waiting_line.ts";
import { watchOver } from "./watchdog.ts";

/** The state of the pool. */
export type PoolState = "starting" | "ready" | "failing";

/** An isolate held for exclusive use, from `hold` to `release`. */
export interface IsolateHold {
  readonly isolate: Isolate;
  /** Time spent waiting for the isolate. */
  readonly queueMs: number;
  /** Runs a program, watched over by the pool. Never rejects. */
  run(request: RunRequest, context?: ContextRun): Promise<PoolRun>;
  /** Gives the isolate back. Must be called after the last use. */
  release(): void;
}

interface Idle {
  readonly isolate: Isolate;
  readonly since: number;
}

const WARM_ISOLATES = 1;
/** Number of consecutive failed starts after which waiting callers are rejected. */
const START_ATTEMPTS = 3;

/** Isolates of one language. */
export class IsolatePool {
  readonly #options: PoolOptions;
  readonly #line: WaitingLine<Isolate>;
  readonly #alive = new Set<Isolate>();
  readonly #shares: TenantShares<Isolate>;
  readonly #blocked: BlockedIsolates<Isolate>;
  /** The tenant of each isolate's last run. */
  readonly #owners = new WeakMap<Isolate, string>();
  #idle: Idle[] = [];
  readonly #starts = new Set<Promise<void>>();
  /** Failed starts since the last successful one. */
  #failedStarts = 0;
  #lastStart: PoolState = "starting";
  #closed = false;
  /** Aborts the starts in progress. */
  readonly #closing = new AbortController();
  readonly #timers: Timers;
  #cancelSweep: () => void = () => undefined;
  #cancelServing: () => void = () => undefined;
  #cancelAhead: () => void = () => undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#timers = options.timers ?? systemTimers;
    this.#line = new WaitingLine(options, this.#timers);
    this.#shares = new TenantShares({ activeMs: TENANT_ACTIVE_MS, ...options });
    this.#blocked = new BlockedIsolates({
      times: options.blockedTimes,
      timers: this.#timers,
      monotonic: options.monotonic,
      wanted: () => this.#wanted(),
      blocked: (isolate) => {
        this.#shares.letGo(isolate);
        this.#serveIdle();
      },
      resumed: (isolate, tenant) => this.#shares.hold(isolate, tenant),
    });
    this.#sweepSoon();
  }

  /** The state of the last start, and the number of live isolates. */
  health(): { readonly state: PoolState; readonly isolates: number } {
    return { state: this.#lastStart, isolates: this.#alive.size };
  }

  /** Whether there are isolates, starts in progress, or waiting callers. */
  isInUse(): boolean {
    return this.#alive.size + this.#starts.size + this.#line.length > 0;
  }

  /**
   * Starts one isolate later, unless there is one by then. A failure is reported like that of any
   * start.
   */
  startAhead(afterMs: number): void {
    this.#cancelAhead = this.#timers.after(afterMs, () => {
      if (!this.isInUse()) this.#startSoon(1);
    }, true);
  }

  /** Starts one isolate, so that the first run finds a warm one. Rejects when that fails. */
  async warm(): Promise<void> {
    await this.#startOne();
  }

  /**
   * Runs a program in an isolate that it holds alone. Rejects with a ServiceError when no isolate
   * is available, and with the signal's reason when the caller left the line.
   */
  async run(request: RunRequest, caller: RunCaller): Promise<PoolRun> {
    const { preloaded } = request;
    const hold = await this.hold(
      caller,
      preloaded === undefined ? {} : { prefers: [hasBaseline(preloaded)] },
    );
    try {
      return await hold.run(request);
    } finally {
      hold.release();
    }
  }

  /** Holds an isolate for as long as the caller needs it. Rejects like {@link run}. */
  async hold(caller: RunCaller, wish: IsolateWish = {}): Promise<IsolateHold> {
    const asked = this.#options.monotonic();
    const { observer } = this.#options;
    const longest = Math.min(caller.maxWaitMs ?? Infinity, this.#options.maxWaitMs);
    const wait = new WaitBudget(longest, this.#options.monotonic);
    const take = () => this.#take(caller, wait, wish);
    const stopWaiting = this.#shares.waits(caller.tenant);
    const isolate = await (observer === undefined ? take() : observer.holding(take))
      .finally(stopWaiting);
    this.#owners.set(isolate, caller.tenant);
    const queueMs = this.#options.monotonic() - asked;
    let released = false;
    return {
      isolate,
      queueMs,
      run: async (request, context) => {
        const run = await this.#runOn(isolate, request, { caller, queueMs, context });
        observer?.ran(run);
        return run;
      },
      release: () => {
        if (!released) this.#giveUp(isolate);
        released = true;
      },
    };
  }

  async #runOn(
    isolate: Isolate,
    request: RunRequest,
    { caller, queueMs, context }: {
      readonly caller: RunCaller;
      readonly queueMs: number;
      readonly context: ContextRun | undefined;
    },
  ): Promise<PoolRun> {
    const { signal, listener, calls } = caller;
    if (signal?.aborted) return { queueMs, runMs: 0, killed: false, end: "cancelled" };
    const { monotonic, cancelGraceMs, commands: starts } = this.#options;
    const began = monotonic();
    const { wallMs } = request.limits;
    const guard = watchOver(isolate, this.#timers, { wallMs, cancelGraceMs, signal, monotonic });
    const monitor = calls &&
      this.#blocked.monitor(isolate, { calls, guard, signal, tenant: caller.tenant });
    const { tenant } = caller;
    // waits for the caller take no time of a run with calls
    const elapsed = calls === undefined ? monotonic : () => 0;
    const commands = starts &&
      new CommandMonitor({ ...starts, runner: starts.run, tenant, request, monotonic: elapsed });
    const run = await isolate.run(request, context, { listener, monitor, commands });
    guard.release();
    commands?.close();
    const runMs = monotonic() - began;
    const attempt = monitor && this.#blocked.ended(isolate, monitor, run);
    const times = { queueMs, runMs, killed: guard.killed() && attempt !== "released" };
    if (signal?.aborted) return { ...times, end: "cancelled" };
    if (attempt !== undefined) return { ...times, end: attempt };
    if (run.answer !== undefined || run.unreadable) return { ...times, end: "answered", run };
    if (guard.timedOut()) return { ...times, end: "wall clock", run };
    return { ...times, killed: true, end: "died" };
  }

  /** Ends all isolates. Runs in flight get no answer. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#closing.abort();
    this.#cancelSweep();
    this.#cancelServing();
    this.#cancelAhead();
    this.#blocked.close();
    this.#line.refuseAll(runtimeUnavailable());
    for (const isolate of this.#alive) isolate.kill();
    await Promise.allSettled(this.#starts); // each ends the isolate that it has started
    await Promise.all([...this.#alive].map((isolate) => isolate.ended));
  }

  async #take(caller: RunCaller, wait: WaitBudget, wish: IsolateWish): Promise<Isolate> {
    for (let place: LinePosition = "last";; place = "first") {
      caller.signal?.throwIfAborted();
      if (this.#closed) throw runtimeUnavailable();
      const isolate = this.#takeIdle(caller.tenant, wish.prefers) ??
        await this.#wait({ ...caller, maxWaitMs: wait.left() }, place);
      if (this.#mayServe(isolate, caller.tenant)) {
        this.#keepSpare();
        return await this.#prepared(isolate, wish, wait);
      }
      this.#retire(isolate);
    }
  }

  async #prepared(isolate: Isolate, wish: IsolateWish, wait: WaitBudget): Promise<Isolate> {
    try {
      await wish.prepare?.(isolate, wait.left());
      return isolate;
    } catch (cause) {
      this.#giveUp(isolate);
      throw cause;
    }
  }

  #wait(caller: WaitingCaller, place: LinePosition): Promise<Isolate> {
    this.#startSoon(this.#line.length + 1);
    const served = this.#line.join(caller, place);
    this.#options.turns?.recheck();
    this.#serveIdle();
    this.#blocked.look();
    return served;
  }

  /** Number of callers in the line, if any of them may have an isolate. */
  #wanted(): number {
    const { length } = this.#line;
    if (length === 0 || this.#idle.length > 0) return 0;
    return [...this.#line.tenants()].some((tenant) => this.#shares.mayTake(tenant)) ? length : 0;
  }

  /**
   * Takes an idle isolate for a tenant that may have one: a preferred one, else one that holds no
   * context, else the one that was idle longest. An isolate that may not serve the tenant is taken
   * only when no other is left.
   */
  #takeIdle(tenant: string, prefers: IsolateWish["prefers"] = []): Isolate | undefined {
    if (!this.#shares.mayTake(tenant)) return undefined;
    const idle = this.#idle;
    const last = (fits: (isolate: Isolate) => boolean) =>
      idle.findLastIndex(({ isolate }) => this.#mayServe(isolate, tenant) && fits(isolate));
    const choices = [
      ...prefers.map(last),
      last((isolate) => !isolate.holdsContext),
      idle.findIndex(({ isolate }) => this.#mayServe(isolate, tenant)),
    ];
    const chosen = choices.find((index) => index >= 0) ?? -1;
    const [taken] = idle.splice(chosen, 1); // -1 when none fits: takes the last one
    if (taken !== undefined) this.#shares.hold(taken.isolate, tenant);
    return taken?.isolate;
  }

  #mayServe(isolate: Isolate, tenant: string): boolean {
    if (!isolate.usable) return false;
    const owner = this.#owners.get(isolate);
    return !this.#options.isolatePerTenant || owner === undefined || owner === tenant;
  }

  #retire(isolate: Isolate): void {
    this.#shares.letGo(isolate);
    this.#alive.delete(isolate);
    isolate.kill();
  }

  /** Takes an isolate back, or records that it is gone. */
  #giveUp(isolate: Isolate): void {
    this.#shares.letGo(isolate);
    if (!isolate.usable) {
      this.#alive.delete(isolate);
      this.#startSoon(Math.max(1, this.#line.length));
    } else if (!this.#serve(isolate)) {
      this.#idle.push({ isolate, since: this.#options.monotonic() });
    }
    this.#serveIdle();
  }

  /** False when no waiting caller may have an isolate. */
  #serve(isolate: Isolate): boolean {
    return this.#line.serve(isolate, {
      may: (tenant) => this.#shares.mayTake(tenant),
      served: (tenant) => this.#shares.hold(isolate, tenant),
    });
  }

  /** Gives idle isolates to waiting callers that may have them, and again when more callers may. */
  #serveIdle(): void {
    this.#cancelServing();
    for (let last = this.#idle.at(-1); last !== undefined; last = this.#idle.at(-1)) {
      if (this.#line.length === 0) return;
      if (!this.#serve(last.isolate)) break;
      this.#idle.pop();
    }
    if (this.#idle.length === 0 || this.#line.length === 0) return;
    const waits = [...this.#line.tenants()].map((tenant) => this.#shares.othersActiveMs(tenant));
    this.#cancelServing = this.#timers.after(Math.min(...waits), () => this.#serveIdle(), true);
  }

  #keepSpare(): void {
    const { isSpare = () => true } = this.#options;
    if (!this.#idle.some(({ isolate }) => isSpare(isolate))) this.#startSoon(1);
  }

  /** Starts isolates until `wanted` starts are in progress, as far as the maximum allows. */
  #startSoon(wanted: number): void {
    while (
      !this.#closed && this.#starts.size < wanted &&
      this.#alive.size + this.#starts.size < this.#options.maxIsolates
    ) {
      this.#startOne().catch((cause) => {
        if (this.#closed) return; // the start was aborted
        this.#options.onStartFailure(cause);
        this.#afterFailedStart();
      });
    }
  }

  /** Retries for waiting callers; rejects them when retries keep failing and no isolate is left. */
  #afterFailedStart(): void {
    if (this.#alive.size > 0 || this.#starts.size > 0) return;
    if (this.#failedStarts < START_ATTEMPTS) this.#startSoon(Math.min(1, this.#line.length));
    else this.#line.refuseAll(runtimeUnavailable());
  }

  #startOne(): Promise<void> {
    const start = this.#start().finally(() => this.#starts.delete(start));
    this.#starts.add(start);
    return start;
  }

  async #start(): Promise<void> {
    try {
      const isolate = await this.#turn();
      this.#lastStart = "ready";
      this.#failedStarts = 0;
      this.#alive.add(isolate);
      isolate.ended.then(() => this.#forget(isolate));
      if (this.#closed) isolate.kill();
      else this.#giveUp(isolate);
    } catch (cause) {
      this.#lastStart = "failing";
      this.#failedStarts++;
      throw cause;
    }
  }

  #turn(): Promise<Isolate> {
    const { start, turns } = this.#options;
    const { signal } = this.#closing;
    const begin = () => start(signal);
    return turns?.run(() => this.#line.length > 0, signal, begin) ?? begin();
  }

  /** Called when an isolate ended while it was idle. */
  #forget(isolate: Isolate): void {
    this.#alive.delete(isolate);
    this.#idle = this.#idle.filter((idle) => idle.isolate !== isolate);
  }

  #sweepSoon(): void {
    this.#cancelSweep = this.#timers.after(Math.max(1, this.#options.idleMs / 2), () => {
      this.#giveBack();
      this.#sweepSoon();
    }, true);
  }

  #giveBack(): void {
    const { idleMs, lastIdleMs = Infinity, warmIsolates = WARM_ISOLATES } = this.#options;
    for (;;) {
      const [oldest] = this.#idle;
      const after = this.#alive.size > warmIsolates ? idleMs : lastIdleMs;
      if (oldest === undefined || this.#options.monotonic() - oldest.since < after) return;
      this.#idle.shift();
      this.#retire(oldest.isolate);
    }
  }
}
