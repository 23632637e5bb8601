/**
 * A call of the service that follows a run, and its outcome: a result, a refusal, or a run that waits.
 *
 * @module
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { RUNS_PATH } from "../../client/protocol/paths.ts";
import { parseExactJson } from "../../shared/exact_json.ts";
import { type LineListener, lineListener, type RunListener } from "../../shared/run_listener.ts";
import { segment, type ServiceCall } from "../../shared/service_calls.ts";
import { THREAD } from "../../shared/slices.ts";
import { LineProgress } from "./line_progress.ts";
import type { OutputRecorder } from "./output_file.ts";
import { elicitationsOf } from "./elicitations.ts";
import { refusal } from "./results.ts";
import { runResult } from "./run_result.ts";
import { type Run, runSchema } from "./run_schemas.ts";
import type { ToolCall, ToolResult } from "./tool.ts";

/** Statuses of answers to calls that somebody else has answered meanwhile. */
const OVERTAKEN: ReadonlySet<number> = new Set([404, 409]);
/** Characters of a result from which on its conversion takes turns with other work. */
const LONG_TEXT = 64 * 1024;

/** The options of {@link followRun}. */
export interface FollowOptions {
  /** Hears the output of a run that cannot wait. */
  readonly recorder?: OutputRecorder | undefined;
  /** The result of a run that has ended. @default {runResult} */
  readonly resultOf?: (run: Run) => CallToolResult | Promise<CallToolResult>;
}

/** The request that answers a run. */
export function answersRequest(run: string, answers: readonly unknown[]): ServiceCall {
  return { method: "POST", path: `${RUNS_PATH}/${segment(run)}/answers`, body: { answers } };
}

/**
 * Sends a request that runs a program or answers one, and reports its lines as progress. Replies to
 * elicitations go to the run that asked, in place of the request. Where others have answered meanwhile, the
 * run is followed without the replies.
 */
export async function followRun(
  request: ServiceCall,
  call: ToolCall,
  { recorder, resultOf = runResult }: FollowOptions = {},
): Promise<ToolResult> {
  const { asked, replies } = call.asking;
  const sent = asked === undefined ? request : answersRequest(asked.run, replies);
  const lines = progressOf(call);
  try {
    const listener = both(lines?.listener, recorder);
    let answer = await call.call({ ...sent, listener }, call.signal);
    if (asked !== undefined && OVERTAKEN.has(answer.status)) {
      await answer.body?.cancel();
      answer = await call.call({ ...answersRequest(asked.run, []), listener }, call.signal);
    }
    if (answer.status !== 200) return await refusal(answer);
    const text = await answer.text();
    const isLong = text.length > LONG_TEXT;
    // each of these steps takes long for a long result
    if (isLong) await THREAD.next(call.tenant);
    const execution = parseExactJson(text);
    if (isLong) await THREAD.next(call.tenant);
    const run = runSchema.parse(execution);
    if (run.waiting === undefined) {
      return asked === undefined ? await resultOf(run) : runResult(run);
    }
    return elicitationsOf(run, call.asking) ?? runResult(run);
  } finally {
    lines?.end();
  }
}

/** Reports the lines of a run to a caller that asks for progress. */
function progressOf({ progress: send }: ToolCall): LineListener | undefined {
  if (send === undefined) return undefined;
  const progress = new LineProgress(send);
  const report = (event: { readonly type: string; readonly text?: string }) => {
    if (event.type !== "stdout" && event.type !== "stderr") return;
    progress.line(event.text ?? "");
  };
  const lines = lineListener(report);
  return {
    ...lines,
    listener: { ...lines.listener, event: report, untilWaiting: true },
    end: () => {
      lines.end();
      progress.end();
    },
  };
}

/** A listener for two. */
function both(
  one: RunListener | undefined,
  other: RunListener | undefined,
): RunListener | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return {
    ...one,
    start: () => {
      one.start();
      other.start();
    },
    output: (stream, bytes) => {
      one.output(stream, bytes);
      other.output(stream, bytes);
    },
    display: (display) => {
      one.display(display);
      other.display(display);
    },
    mayRestart: one.mayRestart === true && other.mayRestart === true,
  };
}
