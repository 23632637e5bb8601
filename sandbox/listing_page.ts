/**
 * The part of a listing that a request asks for: `limit` and `cursor`
 * (docs/contract.md#listing-of-sandboxes).
 *
 * A cursor names the last sandbox of the page before. It contains a digest of that id and the
 * tenant, so that only a cursor that the service gave to the tenant is accepted. It is not a secret:
 * every cursor leads to sandboxes of the caller's own tenant only.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { sha256Hex } from "../store/blobs.ts";
import { type ServiceError, validationFailed } from "../shared/errors.ts";
import { LISTING_LIMITS } from "../shared/limits.ts";

/** The parameters as they were sent: all values of each name. */
export interface PageQuery {
  readonly limit: readonly string[];
  readonly cursor: readonly string[];
}

/** The part of a listing. */
export interface Page {
  /** Maximum number of sandboxes. */
  readonly limit: number;
  /** The sandboxes that follow this id; from the first one when absent. */
  readonly after?: string;
}

const DIGEST_BYTES = 12;
/** Length of the cursor of the longest id (63 characters), and more. */
const MAX_CURSOR = 128;

/** The cursor of the page that follows a sandbox. */
export function cursorAfter(tenant: string, id: string): string {
  const digest = sha256Hex(new TextEncoder().encode(JSON.stringify(["cursor", tenant, id])));
  const head = Buffer.from(digest, "hex").subarray(0, DIGEST_BYTES);
  return Buffer.concat([head, Buffer.from(id)]).toString("base64url");
}

/**
 * Reads the parameters of a tenant's request.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` that names the parameter.
 */
export function pageOf(tenant: string, query: PageQuery): Page {
  const limit = limitOf(query.limit);
  const [cursor, ...others] = query.cursor;
  if (cursor === undefined) return { limit };
  const after = cursor.length > MAX_CURSOR ? "" : idIn(cursor);
  if (others.length > 0 || cursorAfter(tenant, after) !== cursor) throw invalidCursor();
  return { limit, after };
}

function limitOf([text, ...others]: readonly string[]): number {
  const { pageSize, maxPageSize } = LISTING_LIMITS;
  if (text === undefined) return pageSize;
  const limit = /^[1-9]\d*$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > maxPageSize || others.length > 0) throw invalidLimit();
  return limit;
}

function idIn(cursor: string): string {
  return Buffer.from(cursor, "base64url").subarray(DIGEST_BYTES).toString();
}

/** The `limit` is not a number in the allowed range. */
export function invalidLimit(): ServiceError {
  return validationFailed(`limit must be a whole number from 1 to ${LISTING_LIMITS.maxPageSize}`);
}

function invalidCursor(): ServiceError {
  return validationFailed("cursor must come from an earlier page of this listing");
}
