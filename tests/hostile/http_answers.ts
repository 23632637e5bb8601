/**
 * The form of every answer, whatever the request.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { EVENT_STREAM, NDJSON } from "../../client/protocol/run_events.ts";
import { ERROR_STATUSES } from "../../client/protocol/error_codes.ts";
import { heard } from "../support/run_stream.ts";

const STATUSES: ReadonlySet<number> = new Set(Object.values(ERROR_STATUSES).flat());
const ERROR_KEYS = ["code", "context", "httpStatus", "message", "timestamp"];

/** A received answer, with its body read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Success, or an ErrorResponse of the contract: never 500, never another body. An answer to
 * `HEAD`, a 204 and a 304 have none. A file is an attachment. A stream ends with a result, or with
 * an ErrorResponse that is not 500.
 */
export async function assertAnswer(
  method: string,
  { status, headers, text }: Answer,
): Promise<void> {
  assertEquals(headers.get("x-content-type-options"), "nosniff");
  assertEquals(headers.get("referrer-policy"), "no-referrer");
  const isFile = headers.get("content-disposition")?.startsWith("attachment; ") ?? false;
  const policy = headers.get("content-security-policy");
  assert(isFile ? policy === "sandbox" : policy?.includes("default-src 'none'"));
  assert(headers.has("cross-origin-resource-policy"));
  const type = headers.get("content-type");
  const isJson = !isFile && (type?.startsWith("application/json") ?? false);
  if (isJson) assertEquals(headers.get("cache-control"), "no-store");
  if (method === "HEAD" || status === 204 || status === 304) {
    assertEquals(text, "");
    assert(status !== 500);
    return;
  }
  if (status === 200 || status === 201 || (status === 206 && isFile)) {
    if (isJson) JSON.parse(text);
    if (isStream(headers)) await assertStream(text, headers);
    return;
  }
  assert(status !== 500 && STATUSES.has(status), `status ${status}`);
  assert(isJson, `a body that is no JSON: ${text.slice(0, 200)}`);
  const body: unknown = JSON.parse(text);
  assert(typeof body === "object" && body !== null);
  const keys = Object.keys(body).filter((key) => key !== "operation");
  assertEquals(keys.sort(), ERROR_KEYS);
  assertEquals(Reflect.get(body, "httpStatus"), status);
  const message: unknown = Reflect.get(body, "message");
  assert(typeof message === "string" && message.length > 0 && message.length < 1_500);
}

/** Whether an answer is the stream of a run. */
export function isStream(headers: Headers): boolean {
  return [NDJSON, EVENT_STREAM].includes(headers.get("content-type") ?? "");
}

async function assertStream(text: string, headers: Headers): Promise<void> {
  const { last } = await heard(new Response(text, { headers }));
  assert(!("httpStatus" in last) || last.httpStatus !== 500);
}
