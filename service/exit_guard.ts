/**
 * A thread that ends the process when its own exit does not. With telemetry on, Deno (2.9) exports
 * the last measurements while it exits, and on a busy machine it may wait for them without end; it
 * does not react to signals then.
 *
 * @module
 */
import { isTelemetryOn } from "../telemetry/meter.ts";

/** Runs in a worker made from its source text, so it refers to nothing outside its body. */
const GUARD = `
self.onmessage = ({ data }) => setTimeout(() => Deno.kill(Deno.pid, "SIGKILL"), data);
`;

/**
 * Ends the process after so many milliseconds, whatever its main thread does, if telemetry is on.
 */
export function guardExit(ms: number): void {
  if (!isTelemetryOn()) return;
  const url = `data:text/javascript,${encodeURIComponent(GUARD)}`;
  new Worker(url, { type: "module" }).postMessage(ms);
}
