/**
 * The account of one request: the fuel of its runs, for its tenant's usage and for the access log.
 *
 * @module
 */
import type { RunAccount } from "../shared/run_account.ts";

/** Adds a run to the usage of a tenant. */
export type RecordUsage = (tenant: string, fuel: number) => void;

/** The use by the runs of one request. */
export class RequestAccount implements RunAccount {
  readonly #tenant: string;
  readonly #usage: RecordUsage;
  /** Units of all runs; undefined when there was none. */
  fuel: number | undefined;

  constructor(tenant: string, usage: RecordUsage) {
    this.#tenant = tenant;
    this.#usage = usage;
  }

  record(fuel: number): void {
    this.fuel = (this.fuel ?? 0) + fuel;
    this.#usage(this.#tenant, fuel);
  }
}
