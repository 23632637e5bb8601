/**
 * Reading answers: the body of an expected one as a checked shape, any other as an error.
 *
 * The other side is not trusted: an endless body, one that is not JSON or has another shape, and
 * even a value that is not a `Response` become a {@link SandboxError}.
 *
 * @module
 */
import { bindingFailure, type SandboxError, sandboxError } from "./errors.ts";
import { isJsonObject, JsonShape, ShapeError } from "./json_shape.ts";

/** Maximum answer that is read, in bytes. Those of the service are a few MiB at most. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** An expected answer, and how to read it. */
export interface Expected<T> {
  /** The status of success. */
  readonly status: 200 | 201;
  /** Extracts the caller's result from the body. */
  readonly read: (body: JsonShape) => T;
}

/** Checks that a binding returned a response. */
export function asResponse(value: unknown): Response {
  if (value instanceof Response || looksLikeResponse(value)) return value;
  throw bindingFailure("The binding did not answer with a Response");
}

/** A response of another realm or a `fetch` package. */
function looksLikeResponse(value: unknown): value is Response {
  return typeof value === "object" && value !== null &&
    typeof Reflect.get(value, "status") === "number" &&
    typeof Reflect.get(value, "text") === "function";
}

/** Reads an answer. Throws the error that it contains, or the error of reading it. */
export async function readAnswer<T>(response: Response, expected: Expected<T>): Promise<T> {
  const text = await readText(response);
  if (response.status !== expected.status) throw errorOf(response, text);
  try {
    return expected.read(JsonShape.parse(text));
  } catch (cause) {
    if (!(cause instanceof ShapeError)) throw cause;
    throw bindingFailure(`The service answered with something unexpected: ${cause.message}`, {
      context: { status: response.status },
      cause,
    });
  }
}

async function readText(response: Response): Promise<string> {
  const { body } = response;
  if (!(body instanceof ReadableStream)) return await response.text();
  const decoder = new TextDecoder();
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  let text = "";
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.byteLength;
    if (length > MAX_ANSWER_BYTES) {
      await reader.cancel();
      throw bindingFailure(`The answer is larger than ${MAX_ANSWER_BYTES} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** The error in an answer with another status (docs/contract.md#errorresponse). */
function errorOf(response: Response, text: string): SandboxError {
  const shape = parseError(text);
  const retryAfterMs = retryAfter(response, shape);
  const waiting = retryAfterMs === undefined ? {} : { retryAfterMs };
  if (shape === undefined) return foreignError(response.status, waiting);
  const context = shape.value("context");
  const timestamp = shape.value("timestamp");
  const operation = shape.value("operation");
  return sandboxError(shape.string("message"), {
    code: shape.string("code"),
    httpStatus: response.status,
    ...(isJsonObject(context) ? { context } : {}),
    ...(typeof timestamp === "string" ? { timestamp } : {}),
    ...(typeof operation === "string" ? { operation } : {}),
    ...waiting,
  });
}

/** An error that is not from the service: from a proxy, or something else at that address. */
function foreignError(status: number, waiting: { readonly retryAfterMs?: number }): SandboxError {
  const code = status === 401 ? "UNAUTHORIZED" : status === 429 ? "RATE_LIMITED" : "INTERNAL_ERROR";
  return sandboxError(`The service answered with status ${status}`, {
    code,
    httpStatus: status,
    ...waiting,
  });
}

/** The body of an error, if it has at least a code and a message. */
function parseError(text: string): JsonShape | undefined {
  try {
    const shape = JsonShape.parse(text);
    return shape.string("code") !== "" && shape.string("message") !== "" ? shape : undefined;
  } catch (error) {
    if (error instanceof ShapeError) return undefined;
    throw error;
  }
}

/**
 * Milliseconds that the service asks to wait: from the body, otherwise from `Retry-After` in
 * seconds.
 */
function retryAfter(response: Response, shape: JsonShape | undefined): number | undefined {
  const context = shape?.value("context");
  const exact = isJsonObject(context) ? context["retryAfterMs"] : undefined;
  if (typeof exact === "number" && exact >= 0) return exact;
  const header = response.headers?.get("retry-after") ?? "";
  return /^\d{1,9}$/.test(header) ? Number(header) * 1000 : undefined;
}
