/**
 * Runs that have ended before the page was loaded: those of a context, which the service keeps, and
 * those without a context, which the browser keeps.
 *
 * @module
 */
import type { Language } from "@belljar/client";
import type { ContextHistory, ExecutionResult } from "../client/protocol/types.ts";
import type { Service } from "./service.ts";
import { keepForAll, newestText } from "./tab_store.ts";

/** A run that has ended. */
export type PastRun = ContextHistory["runs"][number];

const STATELESS = "runs:stateless";
/** Stateless runs that the browser keeps. */
const MAX_RUNS = 10;
/** Characters of one of them as JSON, and of all. Browsers have about 5 MB for a site. */
const MAX_RUN_CHARS = 100_000;
const MAX_CHARS = 500_000;

/** A context of a sandbox. */
export interface ContextPlace {
  readonly language: Language;
  readonly sandbox: string;
  readonly contextId: string;
}

/** The latest runs of a context, newest first; none when the service does not tell them. */
export async function contextRuns(
  service: Service,
  { language, sandbox, contextId }: ContextPlace,
): Promise<readonly PastRun[]> {
  const path = `languages/${language}/sandboxes/${encodeURIComponent(sandbox)}/contexts/` +
    `${encodeURIComponent(contextId)}/history`;
  const answer = await service.send(path);
  if (!answer.ok) {
    await answer.body?.cancel();
    return [];
  }
  const { runs }: ContextHistory = await answer.json();
  return runs;
}

/** The latest stateless runs of this tab, or else of the browser, newest first. */
export function statelessRuns(): readonly PastRun[] {
  try {
    const runs: unknown = JSON.parse(newestText(STATELESS) ?? "[]");
    return Array.isArray(runs) ? runs.filter(isPastRun) : [];
  } catch {
    return []; // of another version of the page
  }
}

/** Keeps a stateless run, unless it is large. */
export function keepStatelessRun(execution: ExecutionResult): void {
  const run: PastRun = { endedAt: new Date().toISOString(), execution };
  if (JSON.stringify(run).length > MAX_RUN_CHARS) return;
  const runs = [run, ...statelessRuns()].slice(0, MAX_RUNS);
  while (JSON.stringify(runs).length > MAX_CHARS) runs.pop();
  keepForAll(STATELESS, JSON.stringify(runs));
}

/** Removes all stateless runs from the browser. */
export function forgetStatelessRuns(): void {
  keepForAll(STATELESS, undefined);
}

/** Whether a stored value has the parts of a run. */
function isPastRun(value: unknown): value is PastRun {
  if (typeof value !== "object" || value === null || !("execution" in value)) return false;
  const { execution } = value;
  return typeof execution === "object" && execution !== null && "logs" in execution &&
    "results" in execution;
}
