/**
 * The cost of runs: the fuel of one request, for its tenant's usage and for the access log, and the
 * times of a run, for the `Server-Timing` header of its answer.
 *
 * `AsyncLocalStorage` carries the account of a request, so that no part between a route and a run
 * has to pass it on.
 *
 * @module
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** Adds the fuel of a run, in units, to the usage of a tenant. */
export type RecordUsage = (tenant: string, fuel: number) => void;

/** The use by the runs of one request. */
export class RunAccount {
  readonly #tenant: string;
  readonly #usage: RecordUsage;
  /** Units of all runs; undefined when there was none. */
  fuel: number | undefined;

  constructor(tenant: string, usage: RecordUsage) {
    this.#tenant = tenant;
    this.#usage = usage;
  }

  /** Adds the fuel of a run, in units. */
  record(fuel: number): void {
    this.fuel = (this.fuel ?? 0) + fuel;
    this.#usage(this.#tenant, fuel);
  }
}

const present = new AsyncLocalStorage<RunAccount>();

/** Does the work of a request whose runs are entered into an account. */
export function withRunAccount<T>(account: RunAccount, work: () => Promise<T>): Promise<T> {
  return present.run(account, work);
}

/** Does work that no request has asked for, for a tenant. Within a request, its account counts. */
export function withOwnAccount<T>(tenant: string, usage: RecordUsage, work: () => T): T {
  if (present.getStore() !== undefined) return work();
  return present.run(new RunAccount(tenant, usage), work);
}

/** Enters a run that has its answer; a run whose answer is repeated is not entered again. */
export function recordRun(fuel = 0): void {
  present.getStore()?.record(fuel);
}

/** Parts of a run's time, in milliseconds. */
export interface RunTiming {
  /** Waiting for an isolate. */
  readonly queueMs: number;
  /** Restoring the baseline, or the state of the context. */
  readonly resetMs: number;
  /** The run itself. */
  readonly runMs: number;
}

/** The value of the header. */
export function serverTiming({ queueMs, resetMs, runMs }: RunTiming): string {
  const parts = { queue: queueMs, reset: resetMs, run: runMs };
  return Object.entries(parts).map(([name, ms]) => `${name};dur=${ms.toFixed(3)}`).join(", ");
}
