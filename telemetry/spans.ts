/**
 * Spans of the steps of a request. Attributes are fixed words: names of languages, steps, limits
 * and classes of errors. They never contain code, values of variables, tokens, output or messages
 * of errors. Deno's own spans contain the URLs of requests with their queries, so the names of
 * sandboxes, and of files that are requested as bytes; no URL contains anything else of a caller.
 *
 * @module
 */
import { type Attributes, type Context, context, SpanStatusCode, trace } from "@opentelemetry/api";
import { ServiceError } from "../shared/errors.ts";
import { SCOPE } from "./meter.ts";

/** Steps of a request that have a span. */
export type StepName =
  /** Waiting for a place among the tenant's runs. */
  | "admit"
  /** Waiting for the turn of a context. */
  | "turn"
  /** Waiting for an isolate. */
  | "lease"
  /** Restoring the baseline. */
  | "reset"
  /** Restoring the state of a context. */
  | "restore"
  /** The program itself. */
  | "run"
  /** Capturing the state after a run. */
  | "capture"
  /** Committing the result of a run. */
  | "commit";

/** The allowed attributes of a step. */
export type StepAttributes = Attributes;

/** Whether the current request is sampled: see `OTEL_TRACES_SAMPLER`. */
function isTraced(): boolean {
  return trace.getActiveSpan()?.isRecording() === true;
}

/**
 * Runs a step of a request in its own span, if that request is traced. The span is a leaf: spans
 * inside the step belong to the request.
 */
export async function inSpan<T>(name: StepName, work: () => Promise<T>): Promise<T> {
  if (!isTraced()) return await work();
  const start = spanTime();
  let failure: string | undefined;
  try {
    return await work();
  } catch (thrown) {
    failure = failureOf(thrown);
    throw thrown;
  } finally {
    steps.add({ name, request: context.active(), start, end: spanTime(), attributes: {}, failure });
  }
}

/** The current time for spans: epoch milliseconds, with fractions. */
export function spanTime(): number {
  return performance.timeOrigin + performance.now();
}

/** Adds a span for a step that is over: its start in epoch milliseconds, and its duration. */
export function noteStep(
  name: StepName,
  { start, ms }: { readonly start: number; readonly ms: number },
  attributes: StepAttributes = {},
): void {
  if (!isTraced()) return;
  const request = context.active();
  steps.add({ name, request, start, end: start + ms, attributes, failure: undefined });
}

function failureOf(thrown: unknown): string {
  if (thrown instanceof ServiceError) return thrown.code;
  return thrown instanceof Error ? thrown.name : typeof thrown;
}

/** A step that is over. */
interface Step {
  readonly name: StepName;
  /** The parent context of the span. */
  readonly request: Context;
  /** Epoch milliseconds. */
  readonly start: number;
  readonly end: number;
  readonly attributes: StepAttributes;
  /** Class of the error that it ended with. */
  readonly failure: string | undefined;
}

/** Maximum delay of the export of a step, in milliseconds. */
const TELL_AFTER_MS = 50;
/** Maximum number of waiting steps. */
const MAX_WAITING = 1_000;

/**
 * Steps that will become spans. The end of a span wakes the exporting thread, which costs more than
 * everything else, so spans are created for many requests together, after their answers.
 */
class Steps {
  #waiting: Step[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  add(step: Step): void {
    this.#waiting.push(step);
    if (this.#waiting.length >= MAX_WAITING) return this.tell();
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.tell(), TELL_AFTER_MS);
    Deno.unrefTimer(this.#timer);
  }

  /** Creates the spans of all waiting steps. */
  tell(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const steps = this.#waiting;
    this.#waiting = [];
    const tracer = trace.getTracer(SCOPE);
    for (const { name, request, start, end, attributes, failure } of steps) {
      const span = tracer.startSpan(`belljar.${name}`, { startTime: start, attributes }, request);
      if (failure !== undefined) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.setAttribute("error.type", failure);
      }
      span.end(end);
    }
  }
}

const steps = new Steps();

/** Exports the remaining steps. Must be called at the end of a process. */
export function tellSteps(): void {
  steps.tell();
}
