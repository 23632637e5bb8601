/**
 * Hostile runs inside a context, and what must hold after them.
 *
 * @module
 */

/**
 * `kept`: the run succeeds and is committed. `failed`: an exception; its changes are kept. `rolled
 * back`: a limit or a crash, everything is as before. `any`: one of these.
 */
export type ContextOutcome = "kept" | "failed" | "rolled back" | "any";

/** One or several runs that are hostile to their context. */
export interface ContextCase {
  readonly name: string;
  /** The outcome is that of the last run; earlier ones may end in any way. */
  readonly runs: readonly string[];
  readonly outcome: ContextOutcome;
  /** The limit's message must match. */
  readonly message?: RegExp;
  /** The guest may have deleted its own variable. */
  readonly losesVariable?: boolean;
}

/** How a language keeps and shows its variable, and its hostile runs. */
export interface ContextWords {
  /** Makes a variable `canary` of 41 and a file `safe.txt`. */
  readonly make: string;
  /** `[41, "safe"]`, from the variable and the file. */
  readonly show: string;
  /** Only the file, for a guest without the variable. */
  readonly alive: string;
  /** Adds to a counter and returns it. */
  readonly count: string;
  readonly cases: readonly ContextCase[];
}
