/**
 * The journal of a run as callers see it: each call with its size, times, decision and outcome, without
 * arguments and values (docs/tools.md#journal).
 *
 * @module
 */
import { utf8Length } from "../client/protocol/text.ts";
import type { CallOutcome, JournalCall, RunJournal } from "../client/protocol/journal.ts";
import { isoTimestamp } from "../shared/clock.ts";
import { contentHash } from "../shared/content_hash.ts";
import { isUnknownOutcome } from "../shared/operator_tools.ts";
import type { Decision } from "./additions.ts";
import type { ShownCall } from "./call_table.ts";
import type { ProgramRun } from "./program_run.ts";
import { type Entry, entryBytes } from "./run_journal.ts";

/** The journal of a run. */
export function journalOf(run: ProgramRun): RunJournal {
  const entries = new Map(
    run.entries.flatMap((entry) => "call" in entry ? [[entry.call, entry] as const] : []),
  );
  const calls = run.calls.shown().map((call) =>
    journalCall(call, entries.get(call.number), run.calls.decision(call.key), {
      isStarted: run.calls.isPerformed(call),
      hasEnded: run.end !== undefined,
    })
  );
  return { calls };
}

type CallEntry = Extract<Entry, { readonly call: number }>;

function journalCall(
  { key, name, arguments: text, shownAt }: ShownCall,
  entry: CallEntry | undefined,
  decision: Decision | undefined,
  { isStarted, hasEnded }: { readonly isStarted: boolean; readonly hasEnded: boolean },
): JournalCall {
  const bytes = new TextEncoder().encode(text);
  const call = {
    key,
    name,
    arguments: { bytes: bytes.length, sha256: contentHash(bytes) },
    startedAt: isoTimestamp(() => shownAt),
    ...(decision === undefined ? {} : { decision: decisionOf(decision) }),
  };
  if (entry !== undefined) {
    return { ...call, ms: entry.atMs - shownAt, bytes: sizeOf(entry), outcome: outcomeOf(entry) };
  }
  // its program ended without it
  return hasEnded && isStarted ? { ...call, outcome: "unknown" } : call;
}

function decisionOf({ by, at, deny }: Decision): NonNullable<JournalCall["decision"]> {
  const common = { by, at: isoTimestamp(() => at) };
  return deny === undefined ? { ...common, approve: true } : { ...common, deny };
}

function sizeOf(entry: CallEntry): number {
  return "value" in entry ? utf8Length(entry.value) : entryBytes(entry);
}

function outcomeOf(entry: CallEntry): CallOutcome {
  if ("value" in entry) return "value";
  const { kind } = entry.error;
  if (kind !== "tool") return kind;
  return isUnknownOutcome(entry.error) ? "unknown" : "error";
}
