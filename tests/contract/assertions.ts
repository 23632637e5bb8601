/**
 * The form of every answer of the service.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { ErrorResponse } from "../../client/protocol/types.ts";

const ISO_TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Headers of an answer with JSON in it. */
export function assertJsonHeaders(response: Response): void {
  assertMatch(response.headers.get("content-type") ?? "", /^application\/json(;|$)/);
  assertEquals(response.headers.get("cache-control"), "no-store");
}

/** An ErrorResponse of the contract, complete and with nothing else in it. Gives its body. */
export async function assertError(
  response: Response,
  status: number,
  code: string,
): Promise<ErrorResponse> {
  const text = await response.text();
  assertEquals(response.status, status, text);
  assertJsonHeaders(response);
  const body: ErrorResponse = JSON.parse(text);
  assertEquals(Object.keys(body).sort(), ["code", "context", "httpStatus", "message", "timestamp"]);
  assertEquals(body.code, code, body.message);
  assertEquals(body.httpStatus, status);
  assert(body.message.length > 0 && body.message.length < 400, body.message);
  assertMatch(body.timestamp, ISO_TIMESTAMP);
  return body;
}
