/**
 * Log lines about what callers do. Callers cause them as often as they like, so their number is
 * bounded.
 *
 * @module
 */
import type { Clock } from "../shared/clock.ts";
import type { Log } from "../shared/log.ts";

/** Origins that are logged; a caller can make up any number. */
export const MAX_LOGGED_ORIGINS = 32;
/** The form of an origin: a scheme, a host, and often a port. */
const ORIGIN = /^https?:\/\/[\w.:[\]-]{1,255}$/;

/**
 * Creates the function to call with each refused origin. It logs one line for each, which says how
 * to allow it. Pages of `localhost` where `127.0.0.1` is allowed are the usual case, and no program
 * of a page can read the refusal.
 */
export function refusedOriginLog(log: Log): (origin: string) => void {
  const logged = new Set<string>();
  return (origin) => {
    if (logged.has(origin) || logged.size >= MAX_LOGGED_ORIGINS || !ORIGIN.test(origin)) return;
    logged.add(origin);
    const advice = "if it is yours, add it to ALLOWED_ORIGINS";
    log("warn", "origin refused", { origin, advice });
  };
}

/** Minimum time between two lines, in milliseconds. */
const LINE_MS = 60_000;

/**
 * Creates the function to call with each answer that is broken off, for example because nobody reads
 * it. It logs the first one, and then the number of others at most once a minute.
 */
export function brokenAnswers(log: Log, clock: Clock): () => void {
  let answers = 0;
  let next = -Infinity;
  return () => {
    answers++;
    const now = clock();
    if (now < next) return;
    log("warn", "answers were broken off", { answers });
    answers = 0;
    next = now + LINE_MS;
  };
}
