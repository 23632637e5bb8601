/**
 * The only constructor of JSON answers, each of which has the media type and `cache-control:
 * no-store`, and of answers with the bytes of a file.
 *
 * Large answers record how much memory they hold until they are read.
 *
 * @module
 */
import { jsonPieces } from "./json_pieces.ts";
import { THREAD } from "./slices.ts";

/** Answers of at least this length are sent in pieces, on demand. */
export const LARGE_ANSWER_BYTES: number = 128 * 1024;

const PIECE_BYTES = 64 * 1024;
const ENCODER = new TextEncoder();

/** The memory of a large answer until it is read. */
export interface AnswerMemory {
  /** Its own bytes. */
  readonly bytes: number;
  /** An object that several answers share, and its bytes. */
  readonly shared?: { readonly source: object; readonly bytes: number };
}

const MEMORY = new WeakMap<Response, AnswerMemory>();
/** Answers whose whole body is there; they have the security headers. */
const WHOLE = new WeakSet<Response>();

/** Headers of every JSON answer. */
const JSON_HEADERS = {
  "content-type": "application/json",
  "cache-control": "no-store",
} as const;

/**
 * Headers of every answer: they keep a browser from interpreting it as another type of content.
 * Small JSON answers are made with them, which costs less than adding them later.
 */
export const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
} as const;

/** Status (200 when absent) and further headers of an answer. */
export interface AnswerInit {
  /** 200 when absent. */
  readonly status?: number;
  /** Headers, in addition to those of JSON answers. */
  readonly headers?: { readonly [name: string]: string };
}

/** Status of an answer after its caller has left. */
const CLIENT_CLOSED_REQUEST = 499;

/** The answer to a caller that has disconnected. */
export function clientGone(): Response {
  return new Response(null, { status: CLIENT_CLOSED_REQUEST });
}

/** Answers with plain text. */
export function textResponse(text: string): Response {
  const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };
  return new Response(text, { headers: { ...SECURITY_HEADERS, ...headers } });
}

/** Answers with a value as JSON. */
export function jsonResponse(value: unknown, init: AnswerInit = {}): Response {
  return jsonTextResponse(JSON.stringify(value), init);
}

/**
 * Answers with text that already is JSON, for example with numbers whose digits are kept as
 * written.
 */
export function jsonTextResponse(
  json: string,
  init: AnswerInit = {},
): Response {
  const status = init.status ?? 200;
  const headers = { ...init.headers, ...JSON_HEADERS };
  if (json.length >= LARGE_ANSWER_BYTES) {
    return largeResponse(ENCODER.encode(json), { status, headers });
  }
  const answer = new Response(json, { status, headers: { ...SECURITY_HEADERS, ...headers } });
  WHOLE.add(answer);
  return answer;
}

/** Answers with bytes that are already in memory. The headers include their type and length. */
export function bytesResponse(bytes: Uint8Array<ArrayBuffer>, init: AnswerInit): Response {
  return bytes.length < LARGE_ANSWER_BYTES
    ? new Response(bytes, { status: init.status ?? 200, headers: { ...init.headers } })
    : largeResponse(bytes, init);
}

/** Answers with many bytes that are already in memory, with their `content-length`. */
function largeResponse(bytes: Uint8Array<ArrayBuffer>, init: AnswerInit): Response {
  const { status = 200, headers } = init;
  let at = 0;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.subarray(at, at += PIECE_BYTES));
      else controller.close();
    },
  }, { highWaterMark: 0 });
  const length = { "content-length": String(bytes.length) };
  const answer = new Response(body, { status, headers: { ...headers, ...length } });
  MEMORY.set(answer, { bytes: bytes.length });
  return answer;
}

/**
 * Answers with bytes that are read as the caller takes them; `memoryBytes` of them are in memory. The
 * headers include their type and length.
 */
export function steppedResponse(
  steps: AsyncGenerator<Uint8Array<ArrayBuffer>, void>,
  memoryBytes: number,
  { status = 200, headers }: AnswerInit,
): Response {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await steps.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await steps.return();
    },
  }, { highWaterMark: 0 });
  const answer = new Response(body, { status, headers: { ...headers } });
  MEMORY.set(answer, { bytes: memoryBytes });
  return answer;
}

/** Options of a streamed answer. */
export interface StreamedInit {
  /** Takes turns with other users of the thread. */
  readonly tenant: string;
  /** The memory of the value until the answer is read. */
  readonly memory: AnswerMemory;
}

/**
 * Answers with plain data as JSON, which is created piece by piece as it is read. The text is that
 * of {@link jsonResponse}. A large one has no `content-length`.
 */
export function streamedJsonResponse(
  value: unknown,
  { tenant, memory }: StreamedInit,
): Response {
  const pieces = jsonPieces(value);
  const text = gathered(pieces, LARGE_ANSWER_BYTES);
  if (text.length < LARGE_ANSWER_BYTES) return jsonTextResponse(text);
  return pulledResponse(text, {
    memory,
    next: async () => {
      await THREAD.next(tenant);
      return gathered(pieces, PIECE_BYTES);
    },
    stop: () => void pieces.return(undefined),
  });
}

/**
 * The same for an object with one field, an array whose items are made while they are read. They
 * pause by themselves.
 */
export async function streamedListResponse(
  field: string,
  items: AsyncGenerator<object, void>,
  memory: AnswerMemory,
): Promise<Response> {
  const pieces = listPieces(field, items);
  const text = await gatheredLater(pieces, LARGE_ANSWER_BYTES);
  if (text.length < LARGE_ANSWER_BYTES) return jsonTextResponse(text);
  return pulledResponse(text, {
    memory,
    next: () => gatheredLater(pieces, PIECE_BYTES),
    stop: () => void pieces.return(undefined),
  });
}

async function* listPieces(
  field: string,
  items: AsyncGenerator<object, void>,
): AsyncGenerator<string, void> {
  let before = `{${JSON.stringify(field)}:[`;
  for await (const item of items) {
    yield before + JSON.stringify(item);
    before = ",";
  }
  yield before === "," ? "]}" : `${before}]}`;
}

interface PulledText {
  readonly memory: AnswerMemory;
  /** The text after the first; empty at the end. */
  readonly next: () => Promise<string>;
  /** Called when the reader disconnects. */
  readonly stop: () => void;
}

function pulledResponse(first: string, { memory, next, stop }: PulledText): Response {
  let text = first;
  let isRead = true;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      if (text === "") text = await next();
      if (!isRead) return;
      if (text === "") return controller.close();
      controller.enqueue(ENCODER.encode(text));
      text = "";
    },
    cancel() {
      isRead = false;
      stop();
    },
  }, { highWaterMark: 0 });
  const answer = new Response(body, { headers: JSON_HEADERS });
  MEMORY.set(answer, { ...memory, bytes: memory.bytes + 2 * PIECE_BYTES });
  return answer;
}

/** The body and status of another answer, with other headers. */
export function withBodyOf(
  answer: Response,
  headers: { readonly [name: string]: string },
): Response {
  const copy = new Response(answer.body, { status: answer.status, headers: { ...headers } });
  const memory = MEMORY.get(answer);
  if (memory !== undefined) MEMORY.set(copy, memory);
  return copy;
}

/** That many code units of a text or slightly more; fewer at its end. */
function gathered(pieces: Iterator<string>, length: number): string {
  let text = "";
  while (text.length < length) {
    const { done, value } = pieces.next();
    if (done) break;
    text += value;
  }
  return text;
}

/** The same for pieces that are made later. */
async function gatheredLater(pieces: AsyncIterator<string>, length: number): Promise<string> {
  let text = "";
  while (text.length < length) {
    const { done, value } = await pieces.next();
    if (done) break;
    text += value;
  }
  return text;
}

/** Whether the whole body of an answer is in memory, so that it can be read without waiting. */
export function isWhole(answer: Response): boolean {
  return WHOLE.has(answer);
}

/**
 * The memory of an answer until it is read; undefined for a small one. The body of a small answer
 * is not accessed, because that would turn text, which is sent in one piece, into a stream.
 */
export function memoryOf(answer: Response): AnswerMemory | undefined {
  return MEMORY.get(answer);
}
