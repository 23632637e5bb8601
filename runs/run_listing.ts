/**
 * Runs as callers see them: one, and a page of them.
 *
 * @module
 */
import type { RunInfo, RunList, RunSummary } from "../client/protocol/calls.ts";
import { isoTimestamp } from "../shared/clock.ts";
import type { ProgramRun } from "./program_run.ts";
import { pageOf, type RunQuery } from "./run_page.ts";
import type { RunLoader } from "./run_loader.ts";

/** Where the runs of a listing come from. */
export interface ListedRuns {
  /** Those of the tenant in this process. */
  readonly own: readonly ProgramRun[];
  readonly loader: RunLoader | undefined;
  /** Rejects with `RUN_NOT_FOUND`. */
  readonly find: (tenant: string, id: string) => Promise<ProgramRun>;
}

/** A page of the runs of a tenant, the newest first. Rejects with `VALIDATION_FAILED`. */
export async function listRuns(
  { own: all, loader, find }: ListedRuns,
  tenant: string,
  query: RunQuery,
): Promise<RunList> {
  const { limit, after, state } = pageOf(query);
  const { sandbox } = query;
  const listed = all.filter(({ terms: { id, context } }) =>
    (after === undefined || id > after) && (sandbox === undefined || context?.sandbox === sandbox)
  );
  // another process may have gone on with a stored run that waits here, or ended it
  const current = listed.filter((run) => run.state !== "waiting" || !isStored(run));
  const known = new Set(current.map(({ terms: { id } }) => id));
  const order = { after, limit: limit + listed.length + 1, sandbox, state };
  const stored = await loader?.list(tenant, order) ?? [];
  const own = current.filter((run) => state === undefined || run.state === state).map(runSummary);
  const runs = [...own, ...stored.filter(({ id }) => !known.has(id))]
    .toSorted((a, b) => a.id < b.id ? -1 : 1);
  const page = runs.slice(0, limit);
  const shown = state === "waiting" ? await withCalls(page, (id) => find(tenant, id)) : page;
  const cursor = page.at(-1)?.id;
  return runs.length > limit && cursor !== undefined ? { runs: shown, cursor } : { runs: shown };
}

function isStored({ storage }: ProgramRun): boolean {
  return storage !== undefined && storage.parts > 0;
}

/** The runs of a page that wait, with their calls. */
async function withCalls(
  page: readonly RunSummary[],
  find: (id: string) => Promise<ProgramRun>,
): Promise<readonly RunSummary[]> {
  const runs: RunSummary[] = [];
  for (const summary of page) {
    const run = await find(summary.id).catch(() => undefined); // it has ended meanwhile
    if (run?.state === "waiting") runs.push({ ...summary, waiting: run.waiting() });
  }
  return runs;
}

/** A run as a listing shows it. */
function runSummary(run: ProgramRun): RunSummary {
  const { id, language, context, createdAt } = run.terms;
  const { startedAt, endedAt } = run;
  return {
    id,
    state: run.state,
    language,
    ...(context === undefined ? {} : { contextId: context.contextId }),
    createdAt: isoTimestamp(() => createdAt),
    ...(startedAt === undefined ? {} : { startedAt: isoTimestamp(() => startedAt) }),
    ...(endedAt === undefined ? {} : { endedAt: isoTimestamp(() => endedAt) }),
  };
}

/** A run as JSON of `RunInfo`. The execution keeps its digits. */
export function runInfoJson(run: ProgramRun): string {
  const info: RunInfo = {
    ...runSummary(run),
    ...(run.state === "waiting" ? { waiting: run.waiting() } : {}),
  };
  const json = JSON.stringify(info);
  const { end } = run;
  if (end === undefined || !("body" in end) || end.status !== undefined) return json;
  return `${json.slice(0, -1)},"execution":${end.body}}`;
}
