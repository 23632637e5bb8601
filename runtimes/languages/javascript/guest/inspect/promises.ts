/**
 * States of promises. Only the engine knows them; without its help every promise appears pending.
 *
 * @module
 */

export type PromiseState =
  | { readonly state: "pending" }
  | { readonly state: "fulfilled" | "rejected"; readonly result: unknown };

export type PromiseReader = (promise: object) => PromiseState;

const PENDING: PromiseState = { state: "pending" };
let reader: PromiseReader = () => PENDING;

/** Sets the function that reads the state of a promise. */
export function usePromiseReader(read: PromiseReader): void {
  reader = read;
}

/** The state of a promise, if it is known. */
export function promiseState(promise: object): PromiseState {
  return reader(promise);
}
