/**
 * One call: builds a request, sends it to a binding, retries where that is safe, ends on signal or
 * timeout, and has the answer read.
 *
 * @module
 */
import { asResponse, type ExpectedAnswer, readAnswer } from "./answer.ts";
import { throwIfAborted, withCancellation } from "./cancellation.ts";
import { brokenAnswer } from "./connection_failure.ts";
import { BrokenAnswer, ConnectionError, SandboxError } from "./errors.ts";
import { FinalFailure } from "./final_failure.ts";
import { EXECUTE_PATH } from "./protocol/paths.ts";
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

/** The body of a call. */
export interface CallHead {
  /** The HTTP method. */
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** The path, which begins with a slash. */
  readonly path: string;
  /** Headers of this call. */
  readonly headers?: { readonly [name: string]: string };
  /** Whether it has the same effect once and several times, so that it may be sent again. */
  readonly isRepeatable?: boolean;
}

/** A call with JSON, and its expected answer. */
export interface Call<T> extends CallHead, ExpectedAnswer<T> {
  /** The JSON body, if any. */
  readonly body?: object;
}

/** Reads an answer of any status. Called for each attempt. */
export type Receive<T> = (response: Response, signal: AbortSignal) => Promise<T>;

/** Gives the body of a call, which each attempt sends. */
export type Body = (signal: AbortSignal) => Promise<string | Uint8Array<ArrayBuffer>>;

/**
 * Performs a call with JSON.
 *
 * Rejects with a {@link SandboxError}; with the signal's reason when a signal ends it; with a
 * `DOMException` named `TimeoutError` on timeout.
 */
export async function makeCall<T>(
  endpoint: Endpoint,
  call: Call<T>,
  options: RequestOptions = {},
): Promise<T> {
  const receive: Receive<T> = (response, signal) => readAnswer(response, call, signal);
  return await exchange(endpoint, withJson(call), options, receive);
}

/** A call, and its body. */
export interface Message extends CallHead {
  readonly body?: Body;
}

/** A call whose body, if there is one, is sent as JSON. */
export function withJson({ body, ...call }: CallHead & { readonly body?: object }): Message {
  const headers = { accept: "application/json", ...call.headers };
  if (body === undefined) return { ...call, headers };
  const json = JSON.stringify(body);
  return {
    ...call,
    headers: { ...headers, "content-type": "application/json" },
    body: () => Promise.resolve(json),
  };
}

/**
 * Sends a message and has its answer read, again while that is safe. Rejects like {@link makeCall};
 * with what a {@link FinalFailure} carries.
 */
export async function exchange<T>(
  endpoint: Endpoint,
  message: Message,
  options: RequestOptions,
  receive: Receive<T>,
): Promise<T> {
  const signals = [endpoint.closed, options.signal].filter((signal) => signal !== undefined);
  const timeout = options.timeout ?? endpoint.defaults.timeout;
  const retry = options.retry ?? endpoint.defaults.retry ?? {};
  try {
    return await withCancellation({ signals, timeout }, async (signal) => {
      const body = await message.body?.(signal);
      throwIfAborted(signal);
      const work = () => attempt(endpoint, message, { body, signal, receive });
      return await withRetry({ retry, signal, isRepeatable: message.isRepeatable }, work);
    });
  } catch (error) {
    throw error instanceof FinalFailure ? error.thrown : error;
  }
}

interface AttemptOptions<T> {
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
  readonly signal: AbortSignal;
  readonly receive: Receive<T>;
}

async function attempt<T>(
  endpoint: Endpoint,
  message: Message,
  { body, signal, receive }: AttemptOptions<T>,
): Promise<T> {
  let response: Response | undefined;
  try {
    const request = requestOf(endpoint, message, body, signal);
    response = asResponse(await endpoint.fetch(request));
    if (signal.aborted) await response.body?.cancel();
    throwIfAborted(signal);
    return await receive(response, signal);
  } catch (cause) {
    throwIfAborted(signal);
    throw failureOf(cause, message, response);
  }
}

/** The error that a caller gets. A connection that breaks off during the answer names its address. */
function failureOf(cause: unknown, message: Message, response: Response | undefined): unknown {
  if (cause instanceof FinalFailure) {
    const { thrown } = cause;
    return thrown instanceof ConnectionError
      ? new FinalFailure(failureOf(thrown, message, response))
      : cause;
  }
  const isBroken = cause instanceof BrokenAnswer;
  if (cause instanceof SandboxError && !isBroken) return cause;
  const isRun = message.path.endsWith(EXECUTE_PATH);
  const broken = response && brokenAnswer(response, isRun, isBroken ? cause.cause : cause);
  if (broken !== undefined) return broken;
  return isBroken ? cause : new ConnectionError("The binding could not be called", { cause });
}

function requestOf(
  endpoint: Endpoint,
  { method, path, headers }: Message,
  body: string | Uint8Array<ArrayBuffer> | undefined,
  signal: AbortSignal,
): Request {
  return new Request(endpoint.origin + path, {
    method,
    headers: { ...headers, ...endpoint.headers },
    signal,
    redirect: "manual",
    ...(body === undefined ? {} : { body }),
  });
}
