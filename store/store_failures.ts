/**
 * What the failures of Deno KV mean, by their texts: it has no classes for them. Locks are in
 * {@link ./retry.ts}.
 *
 * @module
 */

/** SQLite undoes a transaction for which there is no room, or no right to write. */
const UNDONE = /\bdatabase or disk is full\b|\breadonly database\b|\bSQLITE_(?:FULL|READONLY)\b/i;
/** Of files and of servers. */
const UNREACHABLE = new RegExp(
  [
    "disk I/O error",
    "unable to open database",
    "SQLITE_(?:IOERR|CANTOPEN)",
    "KV Connect failed",
    "Failed to fetch metadata",
    "disabled for this database",
  ].join("|"),
  "i",
);

/** True for a failure of the place where data are kept, after which it is certain that it did nothing. */
export function isUndone(thrown: unknown): boolean {
  return thrown instanceof Error && UNDONE.test(thrown.message);
}

/** True for a failure of the place where data are kept; whether it did anything is not known. */
export function isUnreachable(thrown: unknown): boolean {
  return thrown instanceof Error && UNREACHABLE.test(thrown.message);
}
