/**
 * What hostile runs inside a context are, and what must hold after them.
 *
 * @module
 */

/**
 * `kept`: the run succeeds and is committed. `failed`: an exception, what it did is kept.
 * `rolled back`: a limit or a crash, everything is as before. `any`: one of these.
 */
export type ContextOutcome = "kept" | "failed" | "rolled back" | "any";

/** A run, or several, that mean harm to the context they run in. */
export interface ContextCase {
  readonly name: string;
  /** The last of them has the outcome; those before it may end as they like. */
  readonly runs: readonly string[];
  readonly outcome: ContextOutcome;
  /** The limit's message must match. */
  readonly message?: RegExp;
  /** The guest may have thrown its own variable away. */
  readonly losesVariable?: boolean;
}

/** How a language keeps and shows its variable, and what it does to harm. */
export interface ContextWords {
  /** Makes a variable `canary` of 41 and a file `safe.txt`. */
  readonly make: string;
  /** `[41, "safe"]`, from the variable and the file. */
  readonly show: string;
  /** Only the file, where the variable is gone. */
  readonly alive: string;
  /** Adds to a counter and gives it. */
  readonly count: string;
  readonly cases: readonly ContextCase[];
}
