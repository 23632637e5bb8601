/**
 * The span of a request over `node:http`. Deno (2.9) creates it as a child of the span in the
 * request's headers, but does not make it active while the request is answered, and does not end it
 * when the caller disconnects.
 *
 * @module
 */
import { context, type Span, trace } from "@opentelemetry/api";
import { isTelemetryOn } from "./meter.ts";

/** Answers a request with its span active, if it has one. `answer`: response of `node:http`. */
export async function inRequestSpan<T>(answer: object, work: () => Promise<T>): Promise<T> {
  const span = spanOf(answer);
  if (span === undefined) return await work();
  return await context.with(trace.setSpan(context.active(), span), work);
}

/** Ends the span of a request whose caller has disconnected. */
export function endRequestSpan(answer: object): void {
  spanOf(answer)?.end();
}

/** Deno keeps it under a symbol of its own. */
function spanOf(answer: object): Span | undefined {
  if (!isTelemetryOn()) return undefined;
  const values = Object.getOwnPropertySymbols(answer).map((name) => Reflect.get(answer, name));
  return values.find(isSpan);
}

function isSpan(value: unknown): value is Span {
  return typeof value === "object" && value !== null && "spanContext" in value &&
    typeof value.spanContext === "function";
}
