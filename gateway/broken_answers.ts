/**
 * The log of answers that are broken off, for example because nobody reads them. Callers cause them as
 * often as they like, so a line stands for many.
 *
 * @module
 */
import type { Clock } from "../shared/clock.ts";
import type { Log } from "../shared/log.ts";

/** Minimum time between two lines, in milliseconds. */
const LINE_MS = 60_000;

/** Logs the first broken answer, and then the number of others at most once a minute. */
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
