/**
 * One call: builds a request from JSON, sends it to a binding, retries where that is safe, ends on
 * signal or timeout, and reads the answer.
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
  /** The prefix of the path; the host is a placeholder unless requests go to a URL. */
  readonly origin: string;
  /** Headers of each request. */
  readonly headers: { readonly [name: string]: string };
  /** Defaults for calls without their own options. */
  readonly defaults: Pick<RequestOptions, "retry" | "timeout">;
  /** Ends all calls. */
  readonly closed?: AbortSignal;
}

/** A call and its expected answer. */
export interface Call<T> extends Expected<T> {
  /** The HTTP method. */
  readonly method: "GET" | "POST" | "DELETE";
  /** The path, which begins with a slash. */
  readonly path: string;
  /** The JSON body, if any. */
  readonly body?: object;
}

/**
 * Performs a call.
 *
 * Rejects with a {@link SandboxError}; with the signal's reason when a signal ends it; with a
 * `DOMException` named `TimeoutError` on timeout.
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
