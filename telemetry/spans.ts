/**
 * Spans of the steps of a request. Attributes are words of ours: names of languages, steps, limits
 * and classes of errors. Code, values of variables, tokens, output, and texts of errors are never
 * given to them. Deno's own spans hold the URLs of requests, queries included; no route of ours
 * takes anything from a query.
 *
 * @module
 */
import { type Attributes, type Context, context, SpanStatusCode, trace } from "@opentelemetry/api";
import { ServiceError } from "../wire/errors.ts";
import { SCOPE } from "./meter.ts";

/** Steps of a request that have a span. */
export type StepName =
  /** Waiting for a place among the tenant's runs. */
  | "admit"
  /** Waiting for the turn of a context. */
  | "turn"
  /** Waiting for an isolate. */
  | "lease"
  /** Putting the image of a pristine interpreter back. */
  | "reset"
  /** Putting the state of a context back. */
  | "restore"
  /** The program itself. */
  | "run"
  /** Taking the state that a run left. */
  | "capture"
  /** Making what a run left current. */
  | "commit";

/** What may be said of a step. */
export type StepAttributes = Attributes;

/** Whether the present request is one of those that are told of: see `OTEL_TRACES_SAMPLER`. */
function isTraced(): boolean {
  return trace.getActiveSpan()?.isRecording() === true;
}

/**
 * Does a step of a request under a span of its own, when that request is traced. The span is a
 * leaf: what goes on within the step belongs to the request.
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

/** The present time for spans: epoch milliseconds, with fractions. */
export function spanTime(): number {
  return performance.timeOrigin + performance.now();
}

/** A span for a step that is over: its start in epoch milliseconds, and how long it took. */
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
  /** What its span belongs to. */
  readonly request: Context;
  /** Epoch milliseconds. */
  readonly start: number;
  readonly end: number;
  readonly attributes: StepAttributes;
  /** Class of the error that it ended with. */
  readonly failure: string | undefined;
}

/** Time that steps wait to be told of, in milliseconds. */
const TELL_AFTER_MS = 50;
/** Most steps that wait. */
const MAX_WAITING = 1_000;

/**
 * Steps on their way to become spans. A span that ends wakes the thread that exports, which takes
 * more time than all else about it: so they are made for many requests together, behind answers.
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

  /** Makes spans of those that wait. */
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

/** Tells of the steps that are over: to be called at the end of a process. */
export function tellSteps(): void {
  steps.tell();
}
