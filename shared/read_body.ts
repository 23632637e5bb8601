/**
 * The only reader of request bodies: a JSON object, or plain bytes, of bounded size in bounded
 * time.
 *
 * The checks come in a fixed order: 415 (media type), 413 (declared length, then the bytes as
 * they arrive), 400 (deadline, UTF-8, structure, JSON, object). Lengths are bytes. Reading pauses, so
 * that a body in very small chunks delays neither other callers nor its own deadline.
 *
 * @module
 */
import { type ChunkPause, chunkPauses } from "./chunk_pauses.ts";
import { type ServiceError, validationFailed } from "./errors.ts";
import { isDeep, parseExactJson } from "./exact_json.ts";
import { BODY_DEADLINE_MS } from "./limits.ts";
import { isJsonMediaType } from "./media_type.ts";
import { hasMoreStructure } from "./json_structure.ts";
import { joinBytes } from "./join_bytes.ts";
import { slicesOf } from "./slices.ts";

/** How much of a refused body is still taken, and for how long. */
const DISCARD_BYTES = 16 * 1024 * 1024;
const DISCARD_MS = 500;
/**
 * Longest announced length that is read as a whole, in bytes: that takes a tenth less of the time of a
 * small request than a stream.
 */
const SMALL_BYTES = 16 * 1024;
/** Number of chunks that are joined while a body arrives: a chunk of one byte takes 200 bytes itself. */
const JOINED_CHUNKS = 1_024;

/** For whom a body is read. */
export interface BodyOwner {
  /** Meters all bytes that are held. */
  readonly meter?: BodyMeter;
  /** Ends the reading, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** How much of a body is read, and for how long. */
export interface BodyRules extends BodyOwner {
  /** Maximum accepted length. */
  readonly maxBytes: number;
  /**
   * Maximum number of commas, colons and opening brackets outside of strings. Unlimited when
   * absent: in a short body (96 KiB), valid variables are as much work as anything else, a few ms.
   */
  readonly maxStructure?: number;
  /** Milliseconds from now to the last byte; {@link BODY_DEADLINE_MS} when absent. */
  readonly deadlineMs?: number;
  /**
   * The error for a longer body, of which that many bytes were announced or have arrived;
   * `VALIDATION_FAILED` with 413 when absent.
   */
  readonly tooLong?: (bytes: number) => Error;
}

/** Accounts for the memory of bodies. */
export interface BodyMeter {
  /** Who sends the body: reading takes the turns of this tenant. */
  readonly tenant: string;
  /**
   * Reserves room for bytes that have arrived.
   *
   * @throws {ServiceError} `RATE_LIMITED` or `OVERLOADED` when there is no room.
   */
  take(bytes: number): void;
  /** Gives room back for bytes that are not in memory any more. */
  give?(bytes: number): void;
}

/** A JSON object from a caller. It has no prototype, so it only has keys that the caller sent. */
export type JsonObject = { readonly [key: string]: unknown };

/**
 * Reads the body of a request as a JSON object. Of two equal keys the last one counts.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` with 415, 413 or 400.
 */
export async function readJsonObject(
  request: Request,
  rules: BodyRules,
): Promise<JsonObject> {
  return parseJsonObject(await readJsonBytes(request, rules), rules.maxStructure);
}

/**
 * Parses a body that was read by {@link readJsonBytes}. Of two equal keys the last one counts.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` with 400.
 */
export function parseJsonObject(bytes: Uint8Array, maxStructure?: number): JsonObject {
  return toObject(parseJson(bytes, maxStructure));
}

/**
 * Parses a body that was read by {@link readJsonBytes}, to a JSON value of any type.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` with 400.
 */
export function parseJson(bytes: Uint8Array, maxStructure?: number): unknown {
  const text = decodeUtf8(bytes);
  if (maxStructure !== undefined) checkStructure(bytes, maxStructure);
  try {
    return JSON.parse(text);
  } catch {
    throw validationFailed("The request body is not valid JSON");
  }
}

/**
 * Parses a body that was read by {@link readJsonBytes}, so that it can be written again: integers keep
 * their digits. Pauses between the passes over a long body, each of which takes tens of milliseconds.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` with 400.
 */
export async function parseExactObject(
  bytes: Uint8Array,
  { tenant, maxStructure }: { readonly tenant: string; readonly maxStructure: number },
): Promise<JsonObject> {
  const { pause } = slicesOf(tenant);
  const text = decodeUtf8(bytes);
  await pause();
  checkStructure(bytes, maxStructure);
  await pause();
  if (isDeep(text)) throw validationFailed("The request body is nested too deeply");
  await pause();
  try {
    return toObject(parseExactJson(text));
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    throw validationFailed("The request body is not valid JSON");
  }
}

/**
 * Reads the body of a request that is declared as JSON without parsing it, for forwarding.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` with 415, 413 or 400.
 */
export async function readJsonBytes(
  request: Request,
  rules: BodyRules,
): Promise<Uint8Array<ArrayBuffer>> {
  return await readChecked(request, rules, (headers) => {
    checkMediaType(headers);
    checkCoding(headers);
  });
}

/**
 * Reads the body of a request of any media type.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` with 415, 413 or 400.
 */
export async function readPlainBytes(
  request: Request,
  rules: BodyRules,
): Promise<Uint8Array<ArrayBuffer>> {
  return await readChecked(request, rules, checkCoding);
}

async function readChecked(
  request: Request,
  rules: BodyRules,
  check: (headers: Headers) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    check(request.headers);
    checkDeclaredLength(request.headers, rules);
  } catch (refusal) {
    await discardBody(request, rules.meter);
    throw refusal;
  }
  return await readBytes(request, rules);
}

/** Takes some of the body of a request that is refused, so that its sender sees the answer. */
export async function discardBody(
  { body }: Request,
  meter: BodyMeter | undefined,
): Promise<void> {
  if (body !== null) await discard(body.getReader(), pausesOf(meter));
}

/** Pauses of reading: all senders without a meter take turns as one tenant. */
function pausesOf(meter: BodyMeter | undefined): ChunkPause {
  return chunkPauses(meter?.tenant ?? "");
}

function checkMediaType(headers: Headers): void {
  if (!isJsonMediaType(headers.get("content-type"))) {
    throw validationFailed(
      "Content-Type must be application/json, in utf-8",
      415,
    );
  }
}

/** Refuses a coded body: 415. */
export function checkCoding(headers: Headers): void {
  const coding = headers.get("content-encoding");
  if (coding !== null && coding.trim().toLowerCase() !== "identity") {
    throw validationFailed("Content-Encoding is not supported", 415);
  }
}

function checkDeclaredLength(headers: Headers, rules: BodyRules): void {
  const declared = Number(headers.get("content-length") ?? 0);
  if (declared > rules.maxBytes) throw tooLong(rules, declared);
}

function tooLong({ maxBytes, tooLong }: BodyRules, bytes: number): Error {
  return tooLong?.(bytes) ?? tooLarge(maxBytes);
}

/** The body is longer than the route takes: 413. */
export function tooLarge(maxBytes: number): ServiceError {
  return validationFailed(`The request is larger than ${maxBytes} bytes`, 413);
}

/** Reads to the end. Throws at the first excess byte or when the deadline has passed. */
async function readBytes(
  request: Request,
  rules: BodyRules,
): Promise<Uint8Array<ArrayBuffer>> {
  const { deadlineMs = BODY_DEADLINE_MS, signal } = rules;
  const small = smallLength(request.headers);
  const { read, stop } = small === undefined ? chunksOf(request) : wholeOf(request, small);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    stop();
  }, deadlineMs);
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const bytes = await read(rules);
    signal?.throwIfAborted();
    if (late) throw validationFailed(`The request body took longer than ${deadlineMs} ms`);
    return bytes;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

/** The announced length of a body that is read as a whole; undefined for any other body. */
function smallLength(headers: Headers): number | undefined {
  const declared = headers.get("content-length");
  const length = declared === null ? NaN : Number(declared);
  return length <= SMALL_BYTES ? length : undefined;
}

/** A body that arrives. */
interface Arrival {
  /** Resolves when the body is complete, or soon after `stop()`. */
  read(rules: BodyRules): Promise<Uint8Array<ArrayBuffer>>;
  stop(): void;
}

/** It counts with its announced length from the beginning. */
function wholeOf(request: Request, declared: number): Arrival {
  const stopped = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  return {
    stop: () => stopped.resolve(new Uint8Array(0)),
    read: async (rules) => {
      const { maxBytes, meter } = rules;
      try {
        meter?.take(declared);
      } catch (refusal) {
        await discardBody(request, meter);
        throw refusal;
      }
      const bytes = await Promise.race([arrived(request.bytes()), stopped.promise]);
      if (bytes.length > maxBytes) throw tooLong(rules, bytes.length);
      meter?.take(Math.max(0, bytes.length - declared));
      return bytes;
    },
  };
}

function chunksOf({ body }: Request): Arrival {
  const reader = (body ?? new Blob([]).stream()).getReader();
  return { stop: () => abandon(reader), read: (rules) => collect(reader, rules) };
}

async function collect(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  rules: BodyRules,
): Promise<Uint8Array<ArrayBuffer>> {
  const joined: Uint8Array<ArrayBuffer>[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const pause = pausesOf(rules.meter);
  for (;;) {
    const { done, value } = await nextChunk(reader);
    if (done) return concatenate([...joined, ...chunks]);
    length += value.length;
    try {
      if (length > rules.maxBytes) throw tooLong(rules, length);
      rules.meter?.take(value.length);
    } catch (refusal) {
      await discard(reader, pausesOf(rules.meter));
      throw refusal;
    }
    chunks.push(value);
    if (chunks.length >= JOINED_CHUNKS) {
      joined.push(concatenate(chunks));
      chunks = [];
    }
    await pause(value.length);
  }
}

/** The next chunk of a body. Throws `VALIDATION_FAILED` when its sender disconnects. */
export async function nextChunk(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
): Promise<ReadableStreamReadResult<Uint8Array<ArrayBuffer>>> {
  return await arrived(reader.read());
}

/** A body is truncated when its sender disconnects, which is not a failure of the service. */
async function arrived<T>(part: Promise<T>): Promise<T> {
  try {
    return await part;
  } catch {
    throw validationFailed("The request body is incomplete");
  }
}

/**
 * Takes some more of a refused body, because a sender that is cut off in the middle may never see
 * the answer.
 */
export async function discard(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  pause: ChunkPause,
): Promise<void> {
  const timer = setTimeout(() => abandon(reader), DISCARD_MS);
  try {
    for (let left = DISCARD_BYTES; left > 0;) {
      const { done, value } = await reader.read();
      if (done) return;
      left -= value.length;
      await pause(value.length);
    }
    abandon(reader);
  } catch {
    return; // the sender has disconnected
  } finally {
    clearTimeout(timer);
  }
}

/** Tells the sender to stop. The answer does not depend on whether that arrives. */
export function abandon(reader: ReadableStreamDefaultReader<Uint8Array>): void {
  reader.cancel().then(undefined, () => undefined);
}

function concatenate(chunks: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const only = chunks.length === 1 ? chunks[0] : undefined;
  return only ?? joinBytes(chunks);
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw validationFailed("The request body is not valid UTF-8");
  }
}

function toObject(value: unknown): JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw validationFailed("The request body must be a JSON object");
  }
  return Object.assign(Object.create(null), value);
}

/**
 * Refuses a body that is more work to parse than any valid one. The cost of parsing depends on the
 * number of values, not on length: six megabytes of one string take a millisecond, six megabytes of
 * small objects block the process for a second. Invalid JSON is scanned up to the point at which a
 * parser would stop.
 *
 * @throws {ServiceError} `VALIDATION_FAILED`
 */
export function checkStructure(json: Uint8Array, max: number): void {
  if (!hasMoreStructure(json, max)) return;
  throw validationFailed(
    `The request body has more than ${max} brackets, commas and colons outside of strings`,
  );
}
