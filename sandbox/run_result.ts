/**
 * The result of a run in a context, as its caller gets it.
 *
 * @module
 */
import type { ExecutionResult } from "../client/protocol/types.ts";
import type { InterpreterExecuteResponse } from "../shared/run_in_context.ts";
import type { ContextRecord } from "./root_record.ts";

/** The result of a commit. */
export interface CommittedRun {
  readonly context: ContextRecord;
  /** Of the sandbox. Epoch milliseconds; null: never. */
  readonly expiresAt: number | null;
  /** Globals and files are as they were before the run. */
  readonly rolledBack: boolean;
  /** The limit of the workspace that the run's files would have exceeded. */
  readonly limitReached: string | undefined;
}

/** The result for the caller: with the registry's view of the context, without the workspace. */
export function executionResult(
  ran: InterpreterExecuteResponse,
  { context, expiresAt, rolledBack, limitReached }: CommittedRun,
): ExecutionResult {
  const { snapshotMs } = ran.context;
  const error = limitReached === undefined
    ? ran.error
    : { name: "ExecutionLimitError", message: limitReached, traceback: [] };
  return {
    code: ran.code,
    language: ran.language,
    engine: ran.engine,
    durationMs: ran.durationMs,
    logs: ran.logs,
    results: error === undefined ? ran.results : [],
    ...(ran.displays === undefined ? {} : { displays: ran.displays }),
    ...(error === undefined ? {} : { error }),
    executionCount: context.executions,
    ...(ran.usage === undefined ? {} : { usage: ran.usage }),
    context: {
      id: context.id,
      cwd: context.cwd,
      executions: context.executions,
      ...(snapshotMs === undefined || rolledBack ? {} : { snapshotMs }),
      ...(expiresAt === null ? {} : { expiresAt }),
      ...(rolledBack ? { rolledBack: true } : {}),
    },
  };
}
