/**
 * Limits the bytes that the process holds at one time: per tenant those of requests and of unread
 * answers, and in total those of requests. In the total, each tenant has a small part of its own, so
 * that tenants whose bodies never end cannot lock the others out, however many they are.
 *
 * Bytes of a request count as they arrive, not as they are announced: a sender that announces much
 * and sends little takes no bytes from others. Only a small request (`../shared/read_body.ts`) counts
 * with its announced length. They count until the request is answered, because a
 * run keeps its body while it waits for its turn.
 *
 * Bytes of an answer count until they are read, only against the share of their own tenant: a
 * caller that does not read takes no bytes from others. The answer of a run is delivered even when
 * there is no room for it, because the run has happened; then no other run of the tenant starts. So
 * a tenant holds at most its share plus the answers of runs that had started.
 *
 * | event | there is room | tenant's share used up | requests of all used up |
 * |---|---|---|---|
 * | bytes of a request arrive | kept | 429 `RATE_LIMITED` | 503 `OVERLOADED` |
 * | a run is about to start | starts | 429 `RATE_LIMITED` | starts |
 * | a run's answer is made | kept | kept | kept |
 * | another answer is made | kept | 429 `RATE_LIMITED` | kept |
 * | an event of a stream waits | kept | the stream is broken off | kept |
 *
 * @module
 */
import { overload } from "../shared/errors.ts";
import type { BodyBudgetLimits } from "../shared/limits.ts";
import type { BodyMeter } from "../shared/read_body.ts";
import type { AnswerMemory } from "../shared/responses.ts";
import type { WaitingBytes } from "../shared/streamed_run.ts";

/** The bytes held for one request. Disposing of it releases them. */
export interface BodyAccount extends BodyMeter, Disposable {
  /**
   * Counts what an answer holds. Bytes that several answers share count once.
   *
   * @throws {ServiceError} `RATE_LIMITED` when the tenant's share has no room for it.
   */
  hold(memory: AnswerMemory): void;
  /** Counts an answer that is delivered in any case; later ones are refused. */
  owe(memory: AnswerMemory): void;
}

const LIMIT = "request bytes";

/** The bytes of all requests and answers of a process. */
export class BodyBudget {
  readonly #limits: BodyBudgetLimits;
  /** Bytes held for each tenant; tenants that hold none are absent. */
  readonly #held = new Map<string, number>();
  /** Bytes of requests by tenant; tenants that hold none are absent. */
  readonly #requests = new Map<string, number>();
  /** Bytes of requests beyond the parts that belong to one tenant each. */
  #common = 0;
  /** Bytes of all requests and answers. */
  #total = 0;
  /** How many answers use each shared object. An object belongs to one tenant. */
  readonly #sharing = new Map<object, number>();

  constructor(limits: BodyBudgetLimits) {
    this.#limits = limits;
  }

  /** Bytes held now by all tenants. */
  get bytesInUse(): number {
    return this.#total;
  }

  /**
   * Checks that there is room before work whose answer will need it.
   *
   * @throws {ServiceError} `RATE_LIMITED` when the tenant has no room.
   */
  check(tenant: string): void {
    this.#checkShare(tenant, 1);
  }

  /** An account for the bytes of a stream that wait to be read. */
  openWaiting(tenant: string): WaitingBytes {
    let total = 0;
    return (bytes) => {
      const more = bytes - total;
      if (more > 0 && !this.#hasRoom(tenant, more)) return false;
      total = bytes;
      this.#move(tenant, more);
      return true;
    };
  }

  /** An account for one request of a tenant, or for its answer. */
  open(tenant: string): BodyAccount {
    let [requests, answers] = [0, 0];
    let closed = false;
    const shared: NonNullable<AnswerMemory["shared"]>[] = [];
    const owe = (memory: AnswerMemory) => {
      if (closed) return;
      const bytes = this.#bytesOf(memory);
      answers += memory.bytes;
      if (memory.shared !== undefined) {
        shared.push(memory.shared);
        this.#share(memory.shared.source, 1);
      }
      this.#move(tenant, bytes);
    };
    return {
      tenant,
      take: (bytes) => {
        if (closed) return;
        this.#checkShare(tenant, bytes);
        this.#moveRequests(tenant, bytes);
        requests += bytes;
        this.#move(tenant, bytes);
      },
      give: (bytes) => {
        const given = closed ? 0 : Math.min(bytes, requests);
        requests -= given;
        this.#moveRequests(tenant, -given);
        this.#move(tenant, -given);
      },
      hold: (memory) => {
        if (!closed) this.#checkShare(tenant, this.#bytesOf(memory));
        owe(memory);
      },
      owe,
      [Symbol.dispose]: () => {
        closed = true;
        for (const { source, bytes } of shared.splice(0)) {
          if (this.#share(source, -1) === 0) answers += bytes;
        }
        this.#moveRequests(tenant, -requests);
        this.#move(tenant, -requests - answers);
        [requests, answers] = [0, 0];
      },
    };
  }

  /** Bytes that an answer adds to those in use. */
  #bytesOf({ bytes, shared }: AnswerMemory): number {
    return bytes + (shared === undefined || this.#sharing.has(shared.source) ? 0 : shared.bytes);
  }

  /** Returns how many answers share the object afterwards. */
  #share(source: object, more: 1 | -1): number {
    const count = (this.#sharing.get(source) ?? 0) + more;
    if (count === 0) this.#sharing.delete(source);
    else this.#sharing.set(source, count);
    return count;
  }

  #checkShare(tenant: string, bytes: number): void {
    if (this.#hasRoom(tenant, bytes)) return;
    const message = "Too many bytes of your requests and answers are on their way";
    throw overload("RATE_LIMITED", message, LIMIT);
  }

  #hasRoom(tenant: string, bytes: number): boolean {
    return (this.#held.get(tenant) ?? 0) + bytes <= this.#limits.bodyBytesPerTenant;
  }

  /** Throws if there are more bytes and no room for them. */
  #moveRequests(tenant: string, bytes: number): void {
    const before = this.#requests.get(tenant) ?? 0;
    const after = before + bytes;
    const { ownBodyBytes: own = 0, bodyBytes } = this.#limits;
    const common = this.#common + Math.max(0, after - own) - Math.max(0, before - own);
    if (common > this.#common && common > bodyBytes) {
      throw overload("OVERLOADED", "Too many bytes of requests are in transit", LIMIT);
    }
    this.#common = common;
    if (after > 0) this.#requests.set(tenant, after);
    else this.#requests.delete(tenant);
  }

  #move(tenant: string, bytes: number): void {
    this.#total += bytes;
    const total = (this.#held.get(tenant) ?? 0) + bytes;
    if (total > 0) this.#held.set(tenant, total);
    else this.#held.delete(tenant);
  }
}
