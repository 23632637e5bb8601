/**
 * Entries that the time adds to the journal of a run that waits: the end of calls and questions that nobody
 * answered, and the end of a timed wait.
 *
 * @module
 */
import type { ProgramWait } from "../shared/run_calls.ts";
import type { Additions } from "./additions.ts";
import type { CallTable } from "./call_table.ts";
import { type Entry, isSleep, type RunJournal } from "./run_journal.ts";

/** In place of the digest of an answer that came from nobody. */
const EXPIRED = "expired";

/** The entries that are due at a time, with digests by key. `atMs`: epoch milliseconds. */
export function dueEntries(
  table: CallTable,
  journal: RunJournal,
  wait: ProgramWait,
  atMs: number,
): Additions {
  if (journal.fits(wait, atMs)) return { entries: [], digests: [] };
  const calls = table.open().filter(({ expiresAt }) => expiresAt <= atMs);
  const question = table.openQuestion(journal.question);
  const entries: Entry[] = calls.map(({ number, name }) => {
    const message = `Nobody answered the call of ${name} in time`;
    return { atMs, call: number, error: { kind: "expired", message } };
  });
  const digests = calls.map(({ key }) => [key, EXPIRED] as const);
  if (question !== undefined && question.expiresAt <= atMs) {
    entries.push({ atMs, question: question.number, input: null });
    digests.push([question.key, EXPIRED]);
  }
  const isDue = entries.length === 0 && !isSleep(wait) && journal.dueMs(wait) <= atMs;
  return { entries: isDue ? [{ atMs, elapsed: true }] : entries, digests };
}
