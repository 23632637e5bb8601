/**
 * Reading answers: the body of an expected one as a checked shape, any other as an error.
 *
 * What answers is not trusted: a body without end, one that is not JSON or of another shape,
 * and even a value that is no `Response` become a {@link SandboxError}.
 *
 * @module
 */
import { bindingFailure, type SandboxError, sandboxError } from "./errors.ts";
import { isJsonObject, JsonShape, ShapeError } from "./json_shape.ts";

/** Longest answer that is read, in bytes; the service's own are a few MiB at most. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** An answer that is expected, and how it is read. */
export interface Expected<T> {
  /** The status of success. */
  readonly status: 200 | 201;
  /** Takes from the body what the caller gets. */
  readonly read: (body: JsonShape) => T;
}

/** What a binding gave, if it is an answer at all. */
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

/** Reads an answer; throws the error that it is, or that reading it was. */
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

/** The error that an answer of another status is (docs/contract.md#errorresponse). */
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

/** An error that is not the service's: of a proxy, or of something else at that address. */
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
 * Milliseconds that the service asks to wait: from the body, else from `Retry-After` in seconds.
 */
function retryAfter(response: Response, shape: JsonShape | undefined): number | undefined {
  const context = shape?.value("context");
  const exact = isJsonObject(context) ? context["retryAfterMs"] : undefined;
  if (typeof exact === "number" && exact >= 0) return exact;
  const header = response.headers?.get("retry-after") ?? "";
  return /^\d{1,9}$/.test(header) ? Number(header) * 1000 : undefined;
}
