/**
 * Telemetry of the runs of one language: how long they waited and ran, how they ended, how much
 * memory they used.
 *
 * @module
 */
import type { Language } from "../../client/protocol/types.ts";
import { isTelemetryOn, meter } from "../../telemetry/meter.ts";
import { inSpan, noteStep, spanTime } from "../../telemetry/spans.ts";
import type { PoolObserver, PoolRun } from "./pool_options.ts";
import type { RunAnswer } from "./run_answer.ts";

const SECOND_MS = 1_000;

/** How a run ended, in one word, and at which limit. */
interface Ending {
  readonly end:
    | "value"
    | "error"
    | "limit"
    | "crash"
    | "unreadable"
    | Exclude<PoolRun["end"], "answered" | "wall clock">;
  readonly limit?: string;
}

/** The observer of a pool; undefined when telemetry is off. */
export function poolTelemetry(language: Language): PoolObserver | undefined {
  if (!isTelemetryOn()) return undefined;
  const runs = meter().createCounter("belljar.runs", { description: "Runs that ended" });
  const limits = meter().createCounter("belljar.limits", {
    description: "Runs that were ended by a limit",
  });
  let waiting = 0;
  meter().createObservableUpDownCounter("belljar.queue", {
    description: "Runs that wait for an isolate",
  }).addCallback((seen) => seen.observe(waiting, { language }));
  const waited = meter().createHistogram("belljar.queue.duration", { unit: "s" });
  const duration = meter().createHistogram("belljar.run.duration", { unit: "s" });
  const memory = meter().createHistogram("belljar.run.memory", {
    unit: "By",
    description: "Linear memory of the interpreter at the end of a run",
    advice: { explicitBucketBoundaries: [8, 16, 32, 64, 128, 256].map((mib) => mib * 2 ** 20) },
  });
  return {
    holding: async (wait) => {
      waiting++;
      try {
        return await inSpan("lease", wait);
      } finally {
        waiting--;
      }
    },
    ran: (run) => {
      const { end, limit } = endingOf(run);
      runs.add(1, { language, end });
      if (limit !== undefined) limits.add(1, { language, limit });
      waited.record(run.queueMs / SECOND_MS, { language });
      duration.record(run.runMs / SECOND_MS, { language });
      const answer = run.end === "answered" ? run.run.answer : undefined;
      if (answer !== undefined) memory.record(answer.head.memoryBytes, { language });
      noteSteps(run, answer, { language, end, ...(limit === undefined ? {} : { limit }) });
    },
  };
}

function endingOf(run: PoolRun): Ending {
  if (run.end === "wall clock") return { end: "limit", limit: "wall clock" };
  if (run.end !== "answered") return { end: run.end };
  const ending = run.run.answer?.head.ending;
  if (ending === undefined) return { end: "unreadable" };
  if (ending.kind === "limit") return { end: "limit", limit: ending.limit };
  return { end: ending.kind === "error" || ending.kind === "crash" ? ending.kind : "value" };
}

/** The isolate reports how long each step took, not when. The steps follow one another. */
function noteSteps(
  { runMs }: PoolRun,
  answer: RunAnswer | undefined,
  attributes: { readonly [name: string]: string },
): void {
  const start = spanTime() - runMs;
  if (answer === undefined) return noteStep("run", { start, ms: runMs }, attributes);
  const { resetMs, durationMs, context } = answer.head;
  noteStep(context === undefined ? "reset" : "restore", { start, ms: resetMs });
  noteStep("run", { start: start + resetMs, ms: durationMs }, attributes);
  if (context === undefined) return;
  noteStep("capture", { start: start + resetMs + durationMs, ms: context.captureMs });
}
