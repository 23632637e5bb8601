/**
 * Classifies the failures of Deno KV by their messages, because it has no classes for them. {@link
 * ./retry.ts} handles locks.
 *
 * @module
 */

/** SQLite rolls a transaction back when there is no room or no permission to write. */
const UNDONE = /\bdatabase or disk is full\b|\breadonly database\b|\bSQLITE_(?:FULL|READONLY)\b/i;
/** Messages of files and of servers. */
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

/** Whether the storage itself failed and the operation certainly did nothing. */
export function isUndone(thrown: unknown): boolean {
  return thrown instanceof Error && UNDONE.test(thrown.message);
}

/** Whether the storage itself failed. Whether the operation did anything is not known. */
export function isUnreachable(thrown: unknown): boolean {
  return thrown instanceof Error && UNREACHABLE.test(thrown.message);
}
