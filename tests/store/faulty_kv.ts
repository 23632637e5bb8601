/**
 * A store that fails on purpose: slow answers, refused commits, locks, and a crash after which
 * nothing answers any more. Each call that reaches KV is a step, counted from 1.
 *
 * @module
 */
import type { KvAtomic, KvStore } from "../../store/kv.ts";
import {
  type CommitOutcome,
  type StoreOperation,
  WrappedAtomic,
  WrappedStore,
} from "../../store/wrapped_store.ts";

/** Thrown by a call when the process is dead. */
export class Crashed extends Error {
  override readonly name = "Crashed";
}

/** The fault of a step. `crash after`: KV performs the step, and nobody learns of it. */
export type Fault = "crash before" | "crash after" | "locked" | "refused" | "broken";

/** Which fault each step meets, if any; called once for each step. */
export interface FaultOptions {
  readonly faultAt?: (step: number, kind: "read" | "write") => Fault | undefined;
  /** Pause before each step, ms. */
  readonly latency?: () => number;
  /** Runs before each write reaches KV. */
  readonly beforeWrite?: (step: number) => Promise<void>;
}

/** The underlying store, with faults. Closing it closes nothing: its owner may continue. */
export class FaultyKv extends WrappedStore {
  readonly #options: FaultOptions;
  steps = 0;
  writes = 0;
  /** Number of calls that are not yet answered. */
  inFlight = 0;
  crashed = false;

  constructor(kv: KvStore, options: FaultOptions = {}) {
    super(kv);
    this.#options = options;
  }

  protected override around<T>(operation: StoreOperation, call: () => Promise<T>): Promise<T> {
    const isWrite = operation === "set" || operation === "delete";
    return this.#step(isWrite ? "write" : "read", call);
  }

  /** The one operation that can be refused. */
  override atomic(): KvAtomic {
    const refused = () => ({ ok: false } as const);
    return new WrappedAtomic(
      this.kv.atomic(),
      (commit) => this.#step<CommitOutcome>("write", commit, refused),
    );
  }

  override close(): void {}

  /** Takes one step, with its fault. */
  async #step<T>(kind: "read" | "write", call: () => Promise<T>, refused?: () => T): Promise<T> {
    this.inFlight++;
    try {
      return await this.#faultyStep(kind, call, refused);
    } finally {
      this.inFlight--;
    }
  }

  async #faultyStep<T>(
    kind: "read" | "write",
    call: () => Promise<T>,
    refused?: () => T,
  ): Promise<T> {
    if (this.crashed) throw new Crashed("the process is dead");
    const step = ++this.steps;
    if (kind === "write") this.writes++;
    const fault = this.#options.faultAt?.(step, kind);
    const ms = this.#options.latency?.() ?? 0;
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
    if (this.crashed) throw new Crashed("the process is dead");
    if (kind === "write") await this.#options.beforeWrite?.(step);
    if (fault === "crash before") return this.#crash();
    if (fault === "locked") throw new TypeError("database is locked");
    if (fault === "broken") throw new TypeError("disk I/O error");
    if (fault === "refused" && refused !== undefined) return refused();
    const done = await call();
    return fault === "crash after" ? this.#crash() : done;
  }

  #crash(): never {
    this.crashed = true;
    throw new Crashed("the process dies");
  }
}
