/**
 * The account of one request: the fuel of its runs, for its tenant's usage and for the access log.
 * `AsyncLocalStorage` carries it, so that no part between a route and a run has to pass it on.
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
