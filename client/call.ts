/**
 * One call: a request made from JSON, sent to a binding, tried again where that is safe, ended
 * by signal or timeout, and its answer read.
 *
 * @module
 */
import { asResponse, type Expected, readAnswer } from "./answer.ts";
import { throwIfAborted, withCancellation } from "./cancellation.ts";
import { bindingFailure, SandboxError } from "./errors.ts";
import type { RequestOptions } from "./request_options.ts";
import { withRetry } from "./retry.ts";

/** Where calls go. */
export interface Endpoint {
  /** Sends a request. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** What stands before the path; the host is a placeholder unless requests go to a URL. */
  readonly origin: string;
  /** Headers of each request. */
  readonly headers: { readonly [name: string]: string };
  /** For calls whose own options do not say. */
  readonly defaults: Pick<RequestOptions, "retry" | "timeout">;
  /** Ends all calls. */
  readonly closed?: AbortSignal;
}

/** A call and the answer that it expects. */
export interface Call<T> extends Expected<T> {
  /** The HTTP method. */
  readonly method: "GET" | "POST" | "DELETE";
  /** Begins with a slash. */
  readonly path: string;
  /** What is sent as JSON, if anything. */
  readonly body?: object;
}

/**
 * Makes a call.
 *
 * Rejects with a {@link SandboxError}; with the signal's reason when a signal ended it; with a
 * `DOMException` named `TimeoutError` when its time was over.
 */
export async function makeCall<T>(
  endpoint: Endpoint,
  call: Call<T>,
  options: RequestOptions = {},
): Promise<T> {
  const body = call.body === undefined ? undefined : JSON.stringify(call.body);
  const signals = [endpoint.closed, options.signal].filter((signal) => signal !== undefined);
  const timeout = options.timeout ?? endpoint.defaults.timeout;
  const retry = options.retry ?? endpoint.defaults.retry ?? {};
  return await withCancellation(
    { signals, timeout },
    (signal) => withRetry(retry, signal, () => attempt(endpoint, call, body, signal)),
  );
}

async function attempt<T>(
  endpoint: Endpoint,
  call: Call<T>,
  body: string | undefined,
  signal: AbortSignal,
): Promise<T> {
  try {
    const response = asResponse(await endpoint.fetch(requestOf(endpoint, call, body, signal)));
    if (signal.aborted) await response.body?.cancel();
    throwIfAborted(signal);
    return await readAnswer(response, call);
  } catch (cause) {
    throwIfAborted(signal);
    if (cause instanceof SandboxError) throw cause;
    throw bindingFailure("The binding could not be called", { cause });
  }
}

function requestOf<T>(
  endpoint: Endpoint,
  call: Call<T>,
  body: string | undefined,
  signal: AbortSignal,
): Request {
  const headers = new Headers(endpoint.headers);
  headers.set("accept", "application/json");
  if (body !== undefined) headers.set("content-type", "application/json");
  return new Request(endpoint.origin + call.path, {
    method: call.method,
    headers,
    signal,
    redirect: "manual",
    ...(body === undefined ? {} : { body }),
  });
}
