/**
 * The queries of listings and streams of runs.
 *
 * @module
 */
import { RUN_STATES, type RunState } from "../client/protocol/calls.ts";
import type { Decider } from "../client/protocol/journal.ts";
import { validationFailed } from "../shared/errors.ts";
import { LISTING_LIMITS } from "../shared/limits.ts";
import { queryOf } from "../shared/query.ts";

/** Whether a text has the form of the id of a run. */
export function isRunId(text: string): boolean {
  return /^r[0-9a-z]{29}$/.test(text);
}

/** The query of a listing, as it was sent. */
export interface RunQuery {
  readonly limit: readonly string[];
  readonly cursor: readonly string[];
  /** The state of the runs; all when empty. */
  readonly state: readonly string[];
  /** The sandbox whose runs are listed; absent: all of the tenant. */
  readonly sandbox?: string | undefined;
}

/** The query of a URL. An approving token sees the runs that wait, if it asks for no other ones. */
export function runQuery(url: string, by: Decider, sandbox?: string): RunQuery {
  const query = queryOf(url);
  const asked = query.getAll("state");
  return {
    limit: query.getAll("limit"),
    cursor: query.getAll("cursor"),
    state: asked.length === 0 && by === "approver" ? ["waiting"] : asked,
    sandbox,
  };
}

/**
 * The position from which a stream of a run goes on: of the last event that its reader has.
 *
 * @throws {ServiceError} `VALIDATION_FAILED`
 */
export function positionOf({ url, headers }: Request): number {
  const asked = queryOf(url).getAll("after");
  const position = asked.length > 0 ? asked.join() : headers.get("last-event-id") ?? "0";
  if (!/^(?:0|[1-9][0-9]{0,8})$/.test(position)) {
    throw validationFailed("after and Last-Event-ID must be the position of an event");
  }
  return Number(position);
}

/**
 * Reads a query.
 *
 * @throws {ServiceError} `VALIDATION_FAILED`
 */
export function pageOf(
  { limit: limits, cursor: cursors, state: states }: RunQuery,
): {
  readonly limit: number;
  readonly after: string | undefined;
  readonly state: RunState | undefined;
} {
  const { pageSize, maxPageSize } = LISTING_LIMITS;
  const [limit = String(pageSize), ...others] = limits;
  const [after, ...further] = cursors;
  const count = /^[1-9][0-9]{0,3}$/.test(limit) ? Number(limit) : 0;
  if (others.length > 0 || count < 1 || count > maxPageSize) {
    throw validationFailed(`limit must be an integer from 1 to ${maxPageSize}`);
  }
  if (further.length > 0 || (after !== undefined && !isRunId(after))) {
    throw validationFailed("cursor must be that of an earlier page");
  }
  const [asked, ...more] = states;
  const state = RUN_STATES.find((name) => name === asked);
  if (more.length > 0 || state !== asked) {
    throw validationFailed(`state must be one of ${RUN_STATES.join(", ")}`);
  }
  return { limit: count, after, state };
}
