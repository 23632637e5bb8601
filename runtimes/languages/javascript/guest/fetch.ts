/**
 * `fetch` where there is no network: it fails as it would on a machine without one.
 *
 * @module
 */
import { ObjectDefineProperty } from "./primordials.ts";

/** Defines the global `fetch`, which returns rejected promises. */
export function installFetch(): void {
  const fetch = (): Promise<never> => {
    const cause = Object.assign(new Error("The network is not available here"), {
      code: "ENETUNREACH",
      syscall: "connect",
    });
    return Promise.reject(new TypeError("fetch failed", { cause }));
  };
  ObjectDefineProperty(globalThis, "fetch", {
    value: fetch,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
