/**
 * Telemetry for operators, through the OpenTelemetry API. Deno itself implements it: it registers
 * with `OTEL_DENO=true` and exports to the endpoint of the `OTEL_*` variables. Without that, all of
 * this does nothing.
 *
 * `telemetry/` owns the connection to it: instruments, and the spans of a request's steps. Other
 * folders decide what to measure. It may import `shared/`.
 *
 * @module
 */
import { type Meter, metrics, ProxyTracerProvider, trace } from "@opentelemetry/api";

/** Name of the instrumentation scope. */
export const SCOPE = "belljar";

/** Whether telemetry is on. */
export function isTelemetryOn(): boolean {
  return !(trace.getTracerProvider() instanceof ProxyTracerProvider);
}

/** Creates instruments. */
export function meter(): Meter {
  return metrics.getMeter(SCOPE);
}
