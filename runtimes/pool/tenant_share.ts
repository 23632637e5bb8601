/**
 * How many of a pool's isolates one tenant may hold: all of them while it is alone, and all but one
 * while another tenant was active lately. So the long runs of one tenant never keep a short run of
 * another waiting for their end, from that one's second run on.
 *
 * A tenant is active while it waits for an isolate or holds one, and for some time after.
 *
 * @module
 */

/** A pool's bounds. */
export interface ShareLimits {
  /** Isolates alive at the same time. With one alone, there is none to leave to others. */
  readonly maxIsolates: number;
  /** For how long a tenant counts as active, in milliseconds. */
  readonly activeMs: number;
  /** Monotonic milliseconds. */
  readonly monotonic: () => number;
}

interface Activity {
  held: number;
  waiting: number;
  /** When it last waited or held. */
  last: number;
}

/** The isolates of one pool, as tenants hold them. */
export class TenantShares<I> {
  readonly #limits: ShareLimits;
  /** Tenants that are active, and some that were. */
  readonly #tenants = new Map<string, Activity>();
  /** What gives back each isolate that is held. */
  readonly #holds = new Map<I, () => void>();

  constructor(limits: ShareLimits) {
    this.#limits = limits;
  }

  /** Whether a tenant may have one more isolate. */
  mayTake(tenant: string): boolean {
    const { maxIsolates } = this.#limits;
    const held = this.#tenants.get(tenant)?.held ?? 0;
    return maxIsolates < 2 || held < maxIsolates - 1 || this.othersActiveMs(tenant) === 0;
  }

  /**
   * For how many milliseconds yet another tenant counts as active, should it do nothing more; 0
   * when none does.
   */
  othersActiveMs(tenant: string): number {
    const { activeMs, monotonic } = this.#limits;
    let longest = 0;
    for (const [name, { held, waiting, last }] of this.#tenants) {
      const left = held + waiting > 0 ? activeMs : last + activeMs - monotonic();
      if (left <= 0) this.#tenants.delete(name);
      else if (name !== tenant) longest = Math.max(longest, left);
    }
    return longest;
  }

  /** Notes that a tenant waits for an isolate; what it gives notes that it waits no more. */
  waits(tenant: string): () => void {
    return this.#count(tenant, "waiting");
  }

  /** Notes that a tenant holds an isolate. */
  hold(isolate: I, tenant: string): void {
    this.#holds.set(isolate, this.#count(tenant, "held"));
  }

  /** Notes that nobody holds an isolate any more. */
  letGo(isolate: I): void {
    this.#holds.get(isolate)?.();
    this.#holds.delete(isolate);
  }

  #count(tenant: string, what: "held" | "waiting"): () => void {
    const { monotonic } = this.#limits;
    const activity = this.#tenants.get(tenant) ?? { held: 0, waiting: 0, last: 0 };
    this.#tenants.set(tenant, activity);
    activity[what]++;
    return () => {
      activity[what]--;
      activity.last = monotonic();
    };
  }
}
