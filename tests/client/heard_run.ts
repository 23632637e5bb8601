/** Runs whose answer is a stream that a test writes, and what their callbacks are told. */
import { type RunCallbacks, runCode, type StatelessRunCodeOptions } from "../../client/mod.ts";
import type { OutputEvent, RunEvent } from "../../client/protocol/run_events.ts";
import type { ExecutionResult } from "../../client/protocol/types.ts";
import type { LiveStream } from "./live_stream.ts";
import { recorder, RESULT } from "./recording.ts";

/** The first event. */
export const START: RunEvent = { type: "start" };

/** A line of standard output. */
export function out(text: string): OutputEvent {
  return { type: "stdout", text };
}

/** The last event. */
export function end(more: Partial<ExecutionResult> = {}): RunEvent {
  return { type: "end", execution: { ...RESULT, ...more } };
}

/** All that a run's callbacks are told. */
export function telling(): [RunCallbacks, string[]] {
  const told: string[] = [];
  return [{
    onStdout: ({ text }) => void told.push(`out ${text}`),
    onStderr: ({ text }) => void told.push(`err ${text}`),
    onResult: ({ text }) => void told.push(`result ${text}`),
    onError: ({ name }) => void told.push(`error ${name}`),
  }, told];
}

/** A run that hears a stream, and what its callbacks were told. */
export function hearing(stream: LiveStream, options: StatelessRunCodeOptions = {}) {
  const [callbacks, told] = telling();
  const binding = recorder(() => stream.response);
  return { run: runCode(binding, "1", { ...callbacks, ...options }), told, binding };
}

/** The reason of a rejected promise. */
export async function outcome(run: Promise<unknown>): Promise<unknown> {
  return await run.then(() => "resolved", (thrown: unknown) => thrown);
}
