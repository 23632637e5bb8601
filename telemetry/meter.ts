/**
 * What is told to an operator's telemetry, by the API of OpenTelemetry. Deno itself is its
 * implementation: it registers with `OTEL_DENO=true`, and exports to whatever the `OTEL_*`
 * variables name. Where it did not register, all of this does nothing.
 *
 * `telemetry/` owns the way there, which is the process's own: instruments, and the spans of a
 * request's steps. What is measured is the business of who measures it. It may know of `wire/`.
 *
 * @module
 */
import { type Meter, metrics, ProxyTracerProvider, trace } from "@opentelemetry/api";

/** Name under which all of it is told. */
export const SCOPE = "belljar";

/** Whether there is anybody to tell. */
export function isTelemetryOn(): boolean {
  return !(trace.getTracerProvider() instanceof ProxyTracerProvider);
}

/** Where instruments are made. */
export function meter(): Meter {
  return metrics.getMeter(SCOPE);
}
