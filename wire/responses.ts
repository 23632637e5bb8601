/**
 * The one way a JSON answer is made: the media type, and `cache-control: no-store` on each. Large
 * answers take memory until they are read, and say how much.
 *
 * @module
 */
import { jsonPieces } from "./json_pieces.ts";
import { THREAD } from "./slices.ts";

/** Answers from this length on are handed over in pieces, as they are asked for. */
export const LARGE_ANSWER_BYTES: number = 128 * 1024;

const PIECE_BYTES = 64 * 1024;
const ENCODER = new TextEncoder();

/** What a large answer keeps in memory until it is read. */
export interface Held {
  /** Its own bytes. */
  readonly bytes: number;
  /** What several answers are made from at the same time, and the bytes of it. */
  readonly shared?: { readonly source: object; readonly bytes: number };
}

const HELD = new WeakMap<Response, Held>();

/** Headers of every JSON answer. */
const JSON_HEADERS = {
  "content-type": "application/json",
  "cache-control": "no-store",
} as const;

/** Status (200 when absent) and further headers of an answer. */
export interface AnswerInit {
  /** 200 when absent. */
  readonly status?: number;
  /** Those of JSON answers are added. */
  readonly headers?: { readonly [name: string]: string };
}

/** Status of an answer that nobody is there to read any more. */
const CLIENT_CLOSED_REQUEST = 499;

/** For a caller who has gone away. */
export function clientGone(): Response {
  return new Response(null, { status: CLIENT_CLOSED_REQUEST });
}

/** Answers with a value as JSON. */
export function jsonResponse(value: unknown, init: AnswerInit = {}): Response {
  return jsonTextResponse(JSON.stringify(value), init);
}

/** Answers with text that already is JSON, such as numbers with digits kept as written. */
export function jsonTextResponse(
  json: string,
  init: AnswerInit = {},
): Response {
  const status = init.status ?? 200;
  const headers = { ...init.headers, ...JSON_HEADERS };
  return json.length < LARGE_ANSWER_BYTES
    ? new Response(json, { status, headers })
    : largeResponse(ENCODER.encode(json), { status, headers });
}

/** Answers with many bytes that are there already; `content-length` tells how many. */
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
  HELD.set(answer, { bytes: bytes.length });
  return answer;
}

/** For whom a streamed answer is made, and what it is made from. */
export interface StreamedInit {
  /** Takes turns with others who need the thread. */
  readonly tenant: string;
  /** What the value keeps in memory until the answer is read. */
  readonly held: Held;
}

/**
 * Answers with plain data as JSON, which is made piece by piece as it is read: the same text as
 * that of {@link jsonResponse}. A large one has no `content-length`.
 */
export function streamedJsonResponse(
  value: unknown,
  { tenant, held }: StreamedInit,
): Response {
  const pieces = jsonPieces(value);
  let text = gathered(pieces, LARGE_ANSWER_BYTES);
  if (text.length < LARGE_ANSWER_BYTES) return jsonTextResponse(text);
  let isRead = true;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      if (text === "") {
        await THREAD.next(tenant);
        text = gathered(pieces, PIECE_BYTES);
      }
      if (!isRead) return;
      if (text === "") return controller.close();
      controller.enqueue(ENCODER.encode(text));
      text = "";
    },
    cancel() {
      isRead = false;
      pieces.return(undefined);
    },
  }, { highWaterMark: 0 });
  const answer = new Response(body, { headers: JSON_HEADERS });
  HELD.set(answer, { ...held, bytes: held.bytes + 2 * PIECE_BYTES });
  return answer;
}

/** So many code units of a text, or somewhat more; fewer when it ends before. */
function gathered(pieces: Iterator<string>, length: number): string {
  let text = "";
  while (text.length < length) {
    const { done, value } = pieces.next();
    if (done) break;
    text += value;
  }
  return text;
}

/**
 * What an answer keeps in memory until it is read; undefined for a small one, whose body is not
 * looked at: as text it is sent in one piece, as a stream it is not.
 */
export function heldBy(answer: Response): Held | undefined {
  return HELD.get(answer);
}
