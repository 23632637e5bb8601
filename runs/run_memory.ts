/**
 * The memory of the runs of a process, by tenant: their programs, output, calls, answers and results.
 * Runs that have ended make room for others.
 *
 * @module
 */
import { CALL_LIMITS } from "../shared/call_limits.ts";
import { overload, type ServiceError } from "../shared/errors.ts";

/** About the bytes of a run besides its program, output and answers. */
export const RUN_BYTES: number = 4 * 1024;

/** The memory of one run. */
export interface MemoryAccount {
  /** Whether so many more bytes fit. */
  hasRoom(more: number): boolean;
  /** The run takes so many bytes now. */
  set(bytes: number): void;
}

/** Forgets a run of a tenant that has ended, the oldest first. False when there is none. */
export type Evict = (tenant: string) => boolean;

/** The memory of all runs. */
export class RunMemory {
  readonly #evict: Evict;
  readonly #most: number;
  /** Bytes by tenant; tenants without any are absent. */
  readonly #bytes = new Map<string, number>();

  /** `most`: bytes of one tenant. */
  constructor(evict: Evict, most: number = CALL_LIMITS.memoryBytes) {
    this.#evict = evict;
    this.#most = most;
  }

  /** The bytes of a tenant. */
  bytesOf(tenant: string): number {
    return this.#bytes.get(tenant) ?? 0;
  }

  /** Whether so many more bytes of a tenant fit, once runs that have ended are forgotten. */
  hasRoom(tenant: string, more: number): boolean {
    while (this.bytesOf(tenant) + more > this.#most) if (!this.#evict(tenant)) return false;
    return true;
  }

  /** Opens the account of a run. */
  open(tenant: string): MemoryAccount {
    let own = 0;
    return {
      hasRoom: (more) => this.hasRoom(tenant, more),
      set: (bytes) => {
        const total = this.bytesOf(tenant) + bytes - own;
        own = bytes;
        if (total > 0) this.#bytes.set(tenant, total);
        else this.#bytes.delete(tenant);
      },
    };
  }
}

/** The runs of a tenant have no room for more. */
export function memoryUsedUp(): ServiceError {
  return overload("RATE_LIMITED", "Your runs that wait take too much memory", "waiting runs");
}
