/**
 * States of promises, as the host reads them from the engine.
 *
 * @module
 */
import type { HostFunction } from "./host.ts";
import type { PromiseReader, PromiseState } from "./inspect/promises.ts";

const PENDING: PromiseState = { state: "pending" };

/** Reads promises through the host. If the host does not report a state, a promise is pending. */
export function createPromiseReader(host: HostFunction): PromiseReader {
  return (promise) => {
    const state = host("promise", "state", promise);
    if (state !== "1" && state !== "2") return PENDING;
    return {
      state: state === "1" ? "fulfilled" : "rejected",
      result: host("promise", "result", promise),
    };
  };
}
