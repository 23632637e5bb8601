/**
 * The answers to those who follow a run: its waiting state, its end, or its events.
 *
 * @module
 */
import { runNotFound, ServiceError, toServiceError } from "../shared/errors.ts";
import { clientGone, jsonResponse, jsonTextResponse } from "../shared/responses.ts";
import type { RunAudience } from "../shared/run_listener.ts";
import type { ExecutionContext } from "../client/protocol/types.ts";
import type { ProgramRun } from "./program_run.ts";
import { RunCancelled, type RunEnd, RunOutdated } from "./run_terms.ts";

/** Where and for how long somebody follows a run. */
export interface Following extends RunAudience {
  /** Number of the last event that is known already; all events are sent when absent. */
  readonly after?: number;
  /** The context of the run, for its waiting state. */
  readonly context?: ExecutionContext | undefined;
}

/**
 * Follows a run: until it waits, or with a listener that takes events until it ends, unless the
 * listener says `untilWaiting`. When the audience disconnects, the answer has no body.
 *
 * @throws {ServiceError} the error of a run that has no result.
 */
export async function followRun(
  run: ProgramRun,
  { signal, listener, after = 0, context }: Following,
): Promise<Response> {
  const onEvent = listener?.event?.bind(listener);
  if (onEvent === undefined) {
    await until(run, signal, () => run.isStopped);
    return signal.aborted && !run.isStopped ? clientGone() : present(run, context);
  }
  if (after > 0) listener?.opened?.();
  const isOver = () => listener?.untilWaiting === true ? run.isStopped : run.end !== undefined;
  const stop = run.events.read(after, onEvent);
  try {
    await until(run, signal, isOver);
  } finally {
    stop();
  }
  return isOver() ? present(run, context) : clientGone();
}

/** The present state of a run that waits or has ended. */
function present(run: ProgramRun, context: ExecutionContext | undefined): Response {
  if (run.end !== undefined) return endAnswer(run, run.end);
  const { terms: { code, language, engine, fuel }, events } = run;
  const displays = events.displays();
  return jsonResponse({
    code,
    language,
    engine,
    durationMs: run.computedMs,
    logs: events.logs(),
    results: [],
    ...(displays.length === 0 ? {} : { displays }),
    usage: { fuelConsumed: run.use.fuel, fuelLimit: fuel, memoryBytes: run.use.memoryBytes },
    ...(context === undefined ? {} : { context }),
    waiting: run.waiting(),
  });
}

/** Whether another process, or another load in this one, has gone on with the run. */
export function isOutdated({ end, signal }: ProgramRun): boolean {
  const isCancelled = signal.aborted && signal.reason instanceof RunOutdated;
  return isCancelled || (end !== undefined && "error" in end && end.error instanceof RunOutdated);
}

function endAnswer(run: ProgramRun, end: RunEnd): Response {
  if ("body" in end) {
    const { body, status = 200, headers } = end;
    return jsonTextResponse(body, { status, headers });
  }
  if (end.error instanceof RunOutdated) throw end.error;
  if (end.error instanceof RunCancelled) throw runNotFound(run.terms.id);
  throw end.error instanceof ServiceError ? end.error : toServiceError(end.error);
}

/** Resolves when the state is reached, or the signal fires. */
async function until(
  run: ProgramRun,
  signal: AbortSignal,
  isReached: () => boolean,
): Promise<void> {
  const gone = Promise.withResolvers<void>();
  const onAbort = () => gone.resolve();
  signal.addEventListener("abort", onAbort, { once: true });
  while (!signal.aborted && !isReached()) {
    await Promise.race([gone.promise, new Promise<void>((resolve) => run.onChange(resolve))]);
  }
  signal.removeEventListener("abort", onAbort);
}
