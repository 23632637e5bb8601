/**
 * Failures of PostgreSQL and of connections to it, by their fate.
 *
 * @module
 */
// @ts-types="@types/pg"
import pg from "pg";
import { type Fate, StoreFailure } from "../store_failures.ts";

/**
 * The failure behind an error of the driver. `lost`: the fate when the connection ended, or did not
 * come about. A mistake in a statement is no failure of the store, and stays as it is.
 */
export function failureOf(thrown: unknown, lost: Fate): Error {
  if (thrown instanceof StoreFailure) return thrown;
  if (!(thrown instanceof Error)) return new StoreFailure(lost, "unknown reason");
  const fate = thrown instanceof pg.DatabaseError ? fateOf(thrown.code ?? "", lost) : lost;
  return fate === undefined ? thrown : new StoreFailure(fate, thrown.message, { cause: thrown });
}

/**
 * By codes of PostgreSQL (SQLSTATE). A server that shuts down ends a commit before or after it is
 * written; it answers a statement that was cancelled only when nothing was written.
 */
function fateOf(code: string, lost: Fate): Fate | undefined {
  if (/^(?:40001|40P01|55P03)$/.test(code)) return "locked"; // conflict, deadlock, lock timeout
  if (/^(?:53|28|3D|25|57014|57P03|42501)/.test(code)) return "undone"; // no room, no right
  return /^(?:08|57|58|XX)/.test(code) ? lost : undefined; // connection, shutdown, system
}
