/**
 * Reading answers: the body of an expected one as a checked shape, any other as an error.
 *
 * The other side is not trusted: an endless body, one that is not JSON or has another shape, and
 * even a value that is not a `Response` become a {@link SandboxError}.
 *
 * @module
 */
import { ByteReader } from "./byte_reader.ts";
import { bindingFailure, ConnectionError, type SandboxError, sandboxError } from "./errors.ts";
import { isJsonObject, JsonShape, ShapeError } from "./json_shape.ts";

/** Maximum answer that is read, in bytes. Those of the service are a few MiB at most. */
export const MAX_ANSWER_BYTES: number = 64 * 1024 * 1024;

/** An expected answer, and how to read it. */
export interface ExpectedAnswer<T> {
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
export async function readAnswer<T>(
  response: Response,
  expected: ExpectedAnswer<T>,
  signal: AbortSignal,
): Promise<T> {
  const bytes = await readBody(response, signal);
  const text = new TextDecoder().decode(bytes);
  if (response.status !== expected.status) throw errorOf(response, text);
  return expectShape(response.status, () => expected.read(JsonShape.parse(text)));
}

/** Reads the whole body of an answer, of at most so many bytes. */
export async function readBody(
  response: Response,
  signal: AbortSignal,
  maxBytes = MAX_ANSWER_BYTES,
): Promise<Uint8Array<ArrayBuffer>> {
  const body = await ByteReader.ofBody(response, maxBytes);
  return await body.during(signal, () => body.readAll());
}

/** Reads a successful answer; another shape than the expected one is a {@link SandboxError}. */
export function expectShape<T>(status: number, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof ShapeError)) throw cause;
    throw bindingFailure(`The service answered with something unexpected: ${cause.message}`, {
      context: { status },
      cause,
    });
  }
}

/** Reads an answer that is not a success, and throws the error that it contains. */
export async function throwAnswer(response: Response, signal: AbortSignal): Promise<never> {
  throw errorOf(response, new TextDecoder().decode(await readBody(response, signal)));
}

/** The error in an answer with another status (docs/contract.md#errorresponse). */
function errorOf(response: Response, text: string): SandboxError {
  const shape = parseError(text);
  const retryAfterMs = retryAfter(response, shape);
  if (shape === undefined) return foreignError(response.status, retryAfterMs);
  return serviceError(shape, response.status, retryAfterMs);
}

/** The error of an ErrorResponse. */
export function serviceError(
  shape: JsonShape,
  httpStatus: number,
  retryAfterMs: number | undefined = exactWait(shape),
): SandboxError {
  const context = shape.value("context");
  const timestamp = shape.value("timestamp");
  const operation = shape.value("operation");
  return sandboxError(shape.string("message"), {
    code: shape.string("code"),
    httpStatus,
    ...(isJsonObject(context) ? { context } : {}),
    ...(typeof timestamp === "string" ? { timestamp } : {}),
    ...(typeof operation === "string" ? { operation } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** Statuses with which a proxy says that it got no answer from the service. */
const NO_ANSWER: readonly number[] = [502, 503, 504];

/** An error that is not from the service: from a proxy, or something else at that address. */
function foreignError(httpStatus: number, retryAfterMs: number | undefined): SandboxError {
  const message = `The service answered with status ${httpStatus}`;
  const waiting = retryAfterMs === undefined ? {} : { retryAfterMs };
  if (NO_ANSWER.includes(httpStatus)) {
    return new ConnectionError(message, { httpStatus, ...waiting });
  }
  const code = httpStatus === 401
    ? "UNAUTHORIZED"
    : httpStatus === 429
    ? "RATE_LIMITED"
    : "INTERNAL_ERROR";
  return sandboxError(message, { code, httpStatus, ...waiting });
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
  const exact = shape === undefined ? undefined : exactWait(shape);
  if (exact !== undefined) return exact;
  const header = response.headers?.get("retry-after") ?? "";
  return /^\d{1,9}$/.test(header) ? Number(header) * 1000 : undefined;
}

/** The milliseconds to wait in an ErrorResponse. */
function exactWait(shape: JsonShape): number | undefined {
  const context = shape.value("context");
  const exact = isJsonObject(context) ? context["retryAfterMs"] : undefined;
  return typeof exact === "number" && exact >= 0 ? exact : undefined;
}
