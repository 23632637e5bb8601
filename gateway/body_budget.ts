/**
 * How many bytes of requests, and of answers that are not read yet, the process holds at one time,
 * in all and for each tenant.
 *
 * Bytes count as they arrive, not as they are announced: whoever announces much and sends little
 * takes nothing away from anybody. They count until the request is answered, because a run keeps
 * its body while it waits for its turn.
 *
 * | event | room for the tenant and in all | tenant's share used up | all used up |
 * |---|---|---|---|
 * | bytes arrive | kept | 429 `RATE_LIMITED` | 503 `OVERLOADED` |
 *
 * @module
 */
import { overload } from "../wire/errors.ts";
import type { BodyBudgetLimits } from "../wire/limits.ts";
import type { BodyMeter } from "../wire/read_body.ts";

/** Bytes held for one request. Disposing gives them back. */
export interface BodyAccount extends BodyMeter, Disposable {
  /** Counts bytes that are there already, of an answer; what comes later may find no room. */
  hold(bytes: number): void;
}

const LIMIT = "request bytes";

/** The bytes of all requests of a process. */
export class BodyBudget {
  readonly #limits: BodyBudgetLimits;
  /** Bytes held for each tenant; tenants that hold none are absent. */
  readonly #held = new Map<string, number>();
  #total = 0;

  constructor(limits: BodyBudgetLimits) {
    this.#limits = limits;
  }

  /** Bytes held now, of all tenants. */
  get heldBytes(): number {
    return this.#total;
  }

  /**
   * Lets a run begin, whose answer will take room too.
   *
   * @throws {ServiceError} `RATE_LIMITED` or `OVERLOADED` when there is none.
   */
  check(tenant: string): void {
    this.#checkRoom(tenant, 1);
  }

  /** An account for one request of a tenant. */
  open(tenant: string): BodyAccount {
    let held = 0;
    let closed = false;
    return {
      take: (bytes) => {
        if (closed) return;
        this.#take(tenant, bytes);
        held += bytes;
      },
      hold: (bytes) => {
        if (closed) return;
        this.#add(tenant, bytes);
        held += bytes;
      },
      [Symbol.dispose]: () => {
        closed = true;
        this.#giveBack(tenant, held);
        held = 0;
      },
    };
  }

  #take(tenant: string, bytes: number): void {
    this.#checkRoom(tenant, bytes);
    this.#add(tenant, bytes);
  }

  #checkRoom(tenant: string, bytes: number): void {
    const held = this.#held.get(tenant) ?? 0;
    if (held + bytes > this.#limits.bodyBytesPerTenant) {
      const message = "Too many bytes of your requests and answers are on their way";
      throw overload("RATE_LIMITED", message, LIMIT);
    }
    if (this.#total + bytes > this.#limits.bodyBytes) {
      const message = "Too many bytes of requests and answers are on their way";
      throw overload("OVERLOADED", message, LIMIT);
    }
  }

  #add(tenant: string, bytes: number): void {
    this.#held.set(tenant, (this.#held.get(tenant) ?? 0) + bytes);
    this.#total += bytes;
  }

  #giveBack(tenant: string, bytes: number): void {
    const left = (this.#held.get(tenant) ?? 0) - bytes;
    if (left > 0) this.#held.set(tenant, left);
    else this.#held.delete(tenant);
    this.#total -= bytes;
  }
}
