/**
 * How many of a pool's isolates one tenant may hold: all of them while it is alone, and all but one
 * while another tenant was active recently. So, from its second run on, a tenant's short run never
 * waits for the end of another tenant's long runs.
 *
 * A tenant is active while it waits for an isolate or holds one, and for some time afterwards.
 *
 * @module
 */

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

  /** Records that nobody holds an isolate any more. */
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
