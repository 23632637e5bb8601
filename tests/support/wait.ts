/**
 * Waiting: for a time, for a condition, or for a server.
 *
 * @module
 */

/** Longer than any awaited condition takes on a busy machine. */
const PATIENCE_MS = 60_000;
const POLL_MS = 5;

/** Waits so many milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Waits until a condition holds. Rejects when it throws, or does not hold in time. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!await holds()) {
    if (performance.now() > end) {
      throw new Error(`In ${patienceMs} ms it did not come to hold: ${holds}`);
    }
    await pause(POLL_MS);
  }
}

/** Whether a URL answers with 2xx; false while nothing listens there. */
export async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.body?.cancel();
    return response.ok;
  } catch (thrown) {
    if (thrown instanceof TypeError) return false;
    throw thrown;
  }
}
