/**
 * Failures of stores: one class, whatever the store. Deno KV has no classes for them, so its
 * failures are recognised by their messages; PostgreSQL's by their codes
 * ({@link ./postgres/failures.ts}).
 *
 * @module
 */

/**
 * The effect of an operation that failed. `locked`: none, and a retry may succeed; `undone`: none,
 * because of the storage itself; `unknown`: everything or nothing, now or later.
 */
export type Fate = "locked" | "undone" | "unknown";

/** An operation that a store could not do. */
export class StoreFailure extends Error {
  override readonly name = "StoreFailure";
  readonly fate: Fate;
  /** Whether the disk of the store is full, as far as the store says so. */
  readonly isFull: boolean;

  constructor(fate: Fate, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fate = fate;
    this.isFull = FULL.test(message) || codeOf(options?.cause) === DISK_FULL;
  }
}

/** PostgreSQL's code (SQLSTATE), whatever the language of its messages. */
const DISK_FULL = "53100";
const FULL = /\bdatabase or disk is full\b|\bSQLITE_FULL\b|\bNo space left on device\b/i;

function codeOf(cause: unknown): unknown {
  return cause instanceof Error ? Reflect.get(cause, "code") : undefined;
}

const LOCKED = /\b(?:database|table)(?: \S+)? is (?:locked|busy)\b|\bSQLITE_(?:BUSY|LOCKED)\b/i;
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

/** Deno KV's messages by their fates, in the order in which they are tried. */
const MESSAGES: readonly (readonly [Fate, RegExp])[] = [
  ["locked", LOCKED],
  ["undone", UNDONE],
  ["unknown", UNREACHABLE],
];

/** The failure of a store; undefined for any other error, such as a mistake of the caller. */
export function storeFailureOf(thrown: unknown): StoreFailure | undefined {
  if (thrown instanceof StoreFailure) return thrown;
  if (!(thrown instanceof Error)) return undefined;
  const [fate] = MESSAGES.find(([, pattern]) => pattern.test(thrown.message)) ?? [];
  return fate && new StoreFailure(fate, thrown.message, { cause: thrown });
}
