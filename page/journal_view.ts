/**
 * The journal of a run: its calls, who has decided about them, and how they ended.
 *
 * @module
 */
import type { JournalCall, RunJournal } from "../client/protocol/journal.ts";
import { el, fill } from "./dom.ts";
import { bytes, countText, duration, moment, plain } from "./format.ts";
import { tableView } from "./record_table.ts";
import type { Service } from "./service.ts";

/** The journal, which is empty until it is read. */
export interface JournalView {
  readonly element: HTMLElement;
  /** Reads it again. A run without calls has none. */
  refresh(): Promise<void>;
}

const HEAD = ["Call", "Began", "Arguments", "Decision", "Outcome", "Result", "Time"] as const;

/** Creates the view for the run with an id. */
export function journalView(service: Service, run: string): JournalView {
  const element = el("section", {
    class: "journal",
    "aria-label": "Calls of the run",
    hidden: true,
  });
  return {
    element,
    refresh: async () => {
      const answer = await service.send(`journal/${encodeURIComponent(run)}`);
      if (!answer.ok) return void await answer.body?.cancel();
      const { calls }: RunJournal = await answer.json();
      element.hidden = calls.length === 0;
      fill(
        element,
        el("h3", {}, countText(calls.length, "call")),
        tableView([HEAD, ...calls.map(rowOf)], "Journal"),
      );
    },
  };
}

function rowOf(
  { name, startedAt, arguments: given, decision, outcome, bytes: size, ms }: JournalCall,
) {
  return [
    plain(name),
    moment(new Date(startedAt)),
    bytes(given.bytes),
    decision === undefined ? "" : decisionText(decision),
    outcome ?? "pending",
    size === undefined ? "" : bytes(size),
    ms === undefined ? "" : duration(ms),
  ];
}

function decisionText({ by, approve, deny = "" }: NonNullable<JournalCall["decision"]>): string {
  const decider = {
    run: "a caller",
    page: "a reader of the page",
    mcp: "an MCP client",
    approver: "an approver",
  };
  return approve === true
    ? `approved by ${decider[by]}`
    : `denied by ${decider[by]}: ${plain(deny)}`;
}
