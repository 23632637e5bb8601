/**
 * The one way a JSON answer is made: the media type, and `cache-control: no-store` on each.
 *
 * @module
 */

/** Answers from this length on tell it in `content-length`. */
export const LARGE_ANSWER_BYTES: number = 128 * 1024;

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
  if (json.length < LARGE_ANSWER_BYTES) return new Response(json, { status, headers });
  const bytes = new TextEncoder().encode(json);
  return new Response(bytes, {
    status,
    headers: { ...headers, "content-length": String(bytes.length) },
  });
}
