/**
 * The services of the process for its engine: clocks, randomness, the garbage collector.
 *
 * @module
 */
import type { TimeSource } from "./clock.ts";

/** Real time. */
export const PROCESS_TIME: TimeSource = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/** Web Crypto's maximum per call. */
const MAX_RANDOM_BYTES = 65_536;

/** Fills with secure random bytes. */
export function fillRandom(target: Uint8Array): void {
  for (let at = 0; at < target.length; at += MAX_RANDOM_BYTES) {
    const part = new Uint8Array(Math.min(MAX_RANDOM_BYTES, target.length - at));
    target.set(crypto.getRandomValues(part), at);
  }
}

/** V8's garbage collector, if the process was started with `--expose-gc`. */
export function garbageCollector(): (() => void) | undefined {
  const collect: unknown = Reflect.get(globalThis, "gc");
  return typeof collect === "function" ? () => void collect() : undefined;
}
