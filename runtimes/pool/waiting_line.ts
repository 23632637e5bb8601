/**
 * The line of runs that wait for an isolate, bounded in length and time (docs/contract.md#limits).
 *
 * Tenants take turns, and the runs of one tenant are served in order of arrival. So a tenant waits
 * for at most one run of each other tenant, however many those have in the line. A full line makes
 * room for a tenant with few runs at the cost of the tenant with the most.
 *
 * Of a pool's isolates, one tenant may hold all while it is alone, and all but one while another
 * tenant was active recently. So, from its second run on, a tenant's short run never waits for the
 * end of another tenant's long runs. A tenant is active while it waits for an isolate or holds one,
 * and for some time afterwards.
 *
 * @module
 */
import { tooManyWaiting, waitedTooLong } from "../../shared/errors.ts";
import { systemTimers, type Timers } from "../../shared/timers.ts";

/** Limits of the line. */
export interface WaitingLimits {
  /** Maximum number of waiting runs. */
  readonly maxWaiting: number;
}

/** The caller that joins, how long it may wait, and the signal of its disconnect. */
export interface WaitingCaller {
  readonly tenant: string;
  /** Longest wait in milliseconds. */
  readonly maxWaitMs: number;
  readonly signal?: AbortSignal | undefined;
}

interface Waiter<T> {
  readonly tenant: string;
  readonly serve: (item: T) => void;
  readonly refuse: (error: unknown) => void;
}

/** Where to join: a caller that was served an unusable item goes ahead of all others. */
export type LinePosition = "last" | "first";

/** Who may have an item, and who is notified that it was given. */
export interface ServingRules {
  readonly may: (tenant: string) => boolean;
  /** Called before any other code runs. */
  readonly served: (tenant: string) => void;
}

const NO_RULES: ServingRules = { may: () => true, served: () => undefined };

/** A queue of callers that wait for items. */
export class WaitingLine<T> {
  readonly #limits: WaitingLimits;
  readonly #timers: Timers;
  /** Callers that go ahead of all others. */
  readonly #ahead: Waiter<T>[] = [];
  /** Waiting callers by tenant, in the order of the tenants' turns; no list is empty. */
  readonly #queues = new Map<string, Waiter<T>[]>();
  #length = 0;

  constructor(limits: WaitingLimits, timers: Timers = systemTimers) {
    this.#limits = limits;
    this.#timers = timers;
  }

  /** Number of callers in the line. */
  get length(): number {
    return this.#length;
  }

  /**
   * Waits for an item. Rejects with 503 when the line is full or the wait too long, and with the
   * signal's reason when the caller disconnects. The line is never full for callers that go ahead.
   */
  join({ tenant, maxWaitMs, signal }: WaitingCaller, place: LinePosition = "last"): Promise<T> {
    if (place === "last" && this.#length >= this.#limits.maxWaiting && !this.#makeRoom(tenant)) {
      return Promise.reject(tooManyWaiting("OVERLOADED"));
    }
    const waiting = Promise.withResolvers<T>();
    const waiter: Waiter<T> = { tenant, serve: waiting.resolve, refuse: waiting.reject };
    const leave = (reason: unknown) => this.#leave(tenant, waiter, reason);
    const onAbort = () => leave(signal?.reason);
    const cancelWait = this.#timers.after(maxWaitMs, () => leave(waitedTooLong()));
    this.#length++;
    if (place === "first") this.#ahead.unshift(waiter);
    else this.#queueOf(tenant).push(waiter);
    signal?.addEventListener("abort", onAbort, { once: true });
    return waiting.promise.finally(() => {
      cancelWait();
      signal?.removeEventListener("abort", onAbort);
    });
  }

  /** The tenants of waiting callers. */
  *tenants(): Generator<string> {
    for (const { tenant } of this.#ahead) yield tenant;
    yield* this.#queues.keys();
  }

  /**
   * Gives an item to the next among the tenants that may have it; the others keep their turns.
   * False when there is none.
   */
  serve(item: T, { may, served }: ServingRules = NO_RULES): boolean {
    const next = this.#nextAhead(may) ?? this.#nextInTurn(may);
    if (next === undefined) return false;
    this.#length--;
    served(next.tenant);
    next.serve(item);
    return true;
  }

  /** Rejects all callers with an error. */
  refuseAll(error: unknown): void {
    const all = [...this.#ahead.splice(0), ...[...this.#queues.values()].flat()];
    this.#queues.clear();
    this.#length = 0;
    for (const waiter of all) waiter.refuse(error);
  }

  #queueOf(tenant: string): Waiter<T>[] {
    const known = this.#queues.get(tenant);
    if (known !== undefined) return known;
    const queue: Waiter<T>[] = [];
    this.#queues.set(tenant, queue);
    return queue;
  }

  /** A tenant that is served moves behind the others. */
  #nextAhead(may: (tenant: string) => boolean): Waiter<T> | undefined {
    const place = this.#ahead.findIndex(({ tenant }) => may(tenant));
    return place < 0 ? undefined : this.#ahead.splice(place, 1)[0];
  }

  #nextInTurn(may: (tenant: string) => boolean): Waiter<T> | undefined {
    for (const [tenant, queue] of this.#queues) {
      if (!may(tenant)) continue;
      const next = queue.shift();
      this.#queues.delete(tenant);
      if (queue.length > 0) this.#queues.set(tenant, queue);
      return next;
    }
    return undefined;
  }

  /**
   * Rejects the last run of the tenant with the most, unless that would leave it with fewer than
   * the other tenant.
   */
  #makeRoom(tenant: string): boolean {
    const most = [...this.#queues].reduce((a, b) => b[1].length > a[1].length ? b : a, ["", []]);
    const own = this.#queues.get(tenant)?.length ?? 0;
    const [last] = own + 1 < most[1].length ? most[1].slice(-1) : [];
    if (last === undefined) return false;
    this.#leave(most[0], last, tooManyWaiting("OVERLOADED"));
    return true;
  }

  /** Immediately: an item given to a caller that has left would be lost. */
  #leave(tenant: string, waiter: Waiter<T>, reason: unknown): void {
    const queue = this.#queues.get(tenant);
    const lists = queue === undefined ? [this.#ahead] : [this.#ahead, queue];
    for (const list of lists) {
      const place = list.indexOf(waiter);
      if (place < 0) continue;
      list.splice(place, 1);
      this.#length--;
      if (queue?.length === 0) this.#queues.delete(tenant);
      waiter.refuse(reason);
    }
  }
}

/** The limits of a pool. */
export interface ShareLimits {
  /** Maximum number of isolates alive at the same time. If it is 1, none can be left to others. */
  readonly maxIsolates: number;
  /** How long a tenant counts as active, in milliseconds. */
  readonly activeMs: number;
  /** Monotonic milliseconds. */
  readonly monotonic: () => number;
}

interface Activity {
  inUse: number;
  waiting: number;
  /** When the tenant last waited for or used an isolate. */
  last: number;
}

/** Which tenants hold the isolates of one pool. */
export class TenantShares<I> {
  readonly #limits: ShareLimits;
  /** Active tenants, and some that are no longer active. */
  readonly #tenants = new Map<string, Activity>();
  /** For each isolate in use, the function that gives it back. */
  readonly #holds = new Map<I, () => void>();

  constructor(limits: ShareLimits) {
    this.#limits = limits;
  }

  /** Whether a tenant may have one more isolate. */
  mayTake(tenant: string): boolean {
    const { maxIsolates } = this.#limits;
    const inUse = this.#tenants.get(tenant)?.inUse ?? 0;
    return maxIsolates < 2 || inUse < maxIsolates - 1 || this.othersActiveMs(tenant) === 0;
  }

  /**
   * How many more milliseconds another tenant counts as active if it does nothing more; 0 when none
   * is active.
   */
  othersActiveMs(tenant: string): number {
    const { activeMs, monotonic } = this.#limits;
    let longest = 0;
    for (const [name, { inUse, waiting, last }] of this.#tenants) {
      const left = inUse + waiting > 0 ? activeMs : last + activeMs - monotonic();
      if (left <= 0) this.#tenants.delete(name);
      else if (name !== tenant) longest = Math.max(longest, left);
    }
    return longest;
  }

  /** Records that a tenant waits for an isolate; the returned function ends that. */
  waits(tenant: string): () => void {
    return this.#count(tenant, "waiting");
  }

  /** Records that a tenant holds an isolate. */
  hold(isolate: I, tenant: string): void {
    this.#holds.set(isolate, this.#count(tenant, "inUse"));
  }

  /** Records that an isolate is free. */
  letGo(isolate: I): void {
    this.#holds.get(isolate)?.();
    this.#holds.delete(isolate);
  }

  #count(tenant: string, what: "inUse" | "waiting"): () => void {
    const { monotonic } = this.#limits;
    const activity = this.#tenants.get(tenant) ?? { inUse: 0, waiting: 0, last: 0 };
    this.#tenants.set(tenant, activity);
    activity[what]++;
    return () => {
      activity[what]--;
      activity.last = monotonic();
    };
  }
}
