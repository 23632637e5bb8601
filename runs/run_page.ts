/**
 * A page of a listing of runs.
 *
 * @module
 */
import { validationFailed } from "../shared/errors.ts";
import { LISTING_LIMITS } from "../shared/limits.ts";

/** The query of a listing, as it was sent. */
export interface RunQuery {
  readonly limit: readonly string[];
  readonly cursor: readonly string[];
  /** The sandbox whose runs are listed; absent: all of the tenant. */
  readonly sandbox?: string | undefined;
}

/** The query of a URL. */
export function runQuery(url: string, sandbox?: string): RunQuery {
  const { searchParams } = new URL(url);
  return { limit: searchParams.getAll("limit"), cursor: searchParams.getAll("cursor"), sandbox };
}

const ID = /^r[0-9a-z]{29}$/;

/**
 * Reads a query.
 *
 * @throws {ServiceError} `VALIDATION_FAILED`
 */
export function pageOf(
  { limit: limits, cursor: cursors }: RunQuery,
): { readonly limit: number; readonly after: string | undefined } {
  const { pageSize, maxPageSize } = LISTING_LIMITS;
  const [limit = String(pageSize), ...others] = limits;
  const [after, ...further] = cursors;
  const count = /^[1-9][0-9]{0,3}$/.test(limit) ? Number(limit) : 0;
  if (others.length > 0 || count < 1 || count > maxPageSize) {
    throw validationFailed(`limit must be an integer from 1 to ${maxPageSize}`);
  }
  if (further.length > 0 || (after !== undefined && !ID.test(after))) {
    throw validationFailed("cursor must be that of an earlier page");
  }
  return { limit: count, after };
}
