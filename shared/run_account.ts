/**
 * The account of a request: it is told the fuel of each run that was answered. `AsyncLocalStorage`
 * carries it, so that no part between a route and a run has to pass it on.
 *
 * @module
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** Takes the fuel of a run, in units. */
export interface RunAccount {
  record(fuel: number): void;
}

const present = new AsyncLocalStorage<RunAccount>();

/** Does the work of a request whose runs are entered into an account. */
export function withRunAccount<T>(account: RunAccount, work: () => Promise<T>): Promise<T> {
  return present.run(account, work);
}

/** Enters a run that has its answer; a run whose answer is repeated is not entered again. */
export function recordRun(fuel = 0): void {
  present.getStore()?.record(fuel);
}
