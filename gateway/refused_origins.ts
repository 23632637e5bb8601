/**
 * The log of refused origins: one line for each, which says how to allow it. Pages of `localhost`
 * where `127.0.0.1` is allowed are the usual case, and no program of a page can read the refusal.
 *
 * @module
 */
import type { Log } from "../shared/log.ts";

/** Origins that are logged; a caller can make up any number. */
export const MAX_LOGGED_ORIGINS = 32;
/** The form of an origin: a scheme, a host, and often a port. */
const ORIGIN = /^https?:\/\/[\w.:[\]-]{1,255}$/;

/** Creates the function to call with each refused origin. */
export function refusedOriginLog(log: Log): (origin: string) => void {
  const logged = new Set<string>();
  return (origin) => {
    if (logged.has(origin) || logged.size >= MAX_LOGGED_ORIGINS || !ORIGIN.test(origin)) return;
    logged.add(origin);
    const advice = "if it is yours, add it to ALLOWED_ORIGINS";
    log("warn", "origin refused", { origin, advice });
  };
}
