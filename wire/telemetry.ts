/**
 * What is told to an operator's telemetry: spans of the steps of a request, and measurements, by
 * the API of OpenTelemetry. Deno itself is its implementation: it registers with `OTEL_DENO=true`,
 * and exports to whatever the `OTEL_*` variables name. Where it did not register, all of this
 * does nothing.
 *
 * Attributes are words of ours: names of languages, steps, limits and classes of errors. Code,
 * values of variables, tokens, output, and texts of errors are never given to it. Deno's own spans
 * hold the URLs of requests, queries included; no route of ours takes anything from a query.
 *
 * @module
 */
import {
  type Attributes,
  type Meter,
  metrics,
  ProxyTracerProvider,
  type Span,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import { ServiceError } from "./errors.ts";

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

const SCOPE = "belljar";

/** Whether there is anybody to tell. */
export function isTelemetryOn(): boolean {
  return !(trace.getTracerProvider() instanceof ProxyTracerProvider);
}

/** Where instruments are made. */
export function meter(): Meter {
  return metrics.getMeter(SCOPE);
}

function tracer(): Tracer {
  return trace.getTracer(SCOPE);
}

/** Whether the present request is one of those that are told of: see `OTEL_TRACES_SAMPLER`. */
function isTraced(): boolean {
  return trace.getActiveSpan()?.isRecording() === true;
}

/**
 * Does a step of a request that is traced under a span of its own; any other step as it is. The
 * span is a leaf: what goes on within the step belongs to the request, which costs half as much
 * as making the span the current one.
 */
export async function inSpan<T>(name: StepName, work: () => Promise<T>): Promise<T> {
  if (!isTraced()) return await work();
  const span = tracer().startSpan(`belljar.${name}`);
  try {
    return await work();
  } catch (thrown) {
    noteFailure(span, thrown);
    throw thrown;
  } finally {
    span.end();
  }
}

/** The present time for spans: epoch milliseconds, with fractions. */
export function spanTime(): number {
  return performance.timeOrigin + performance.now();
}

/** A span for a step that is over: its start in epoch milliseconds, and how long it took. */
export function noteStep(
  name: StepName,
  time: { readonly start: number; readonly ms: number },
  attributes: StepAttributes = {},
): void {
  if (!isTraced()) return;
  const span = tracer().startSpan(`belljar.${name}`, { startTime: time.start, attributes });
  span.end(time.start + time.ms);
}

function noteFailure(span: Span, thrown: unknown): void {
  const type = thrown instanceof ServiceError
    ? thrown.code
    : thrown instanceof Error
    ? thrown.name
    : typeof thrown;
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute("error.type", type);
}
