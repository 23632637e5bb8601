/**
 * Messages between the program of the task, its workers and the guest.
 *
 * @module
 */

/** Where tests run: in Belljar's Python, or in the published engine. */
export type Side = "here" | "stock";

/** How a test ended. `stopped`: a limit or a crash ended the interpreter. */
export type Outcome = "passed" | "failed" | "skipped" | "error" | "stopped";

/** The order of a worker. */
export interface Order {
  /** Paths of files of tests, in the guest. */
  readonly files: readonly string[];
  /** Ids of tests to leave out. */
  readonly done?: readonly string[];
  /** Ids of the only tests to run. */
  readonly only?: readonly string[];
  /** Further options of pytest. */
  readonly options: readonly string[];
  /** Folder of this machine whose content is in `/workspace`; none: `/workspace` is empty. */
  readonly workspace?: string | undefined;
  /** A package that has further modules in the folder of its name in `/workspace`. */
  readonly extended?: string | undefined;
  /** Fuel that the order may take here. */
  readonly fuel: number;
}

/** A line of a worker's answer. */
export interface Line {
  /** Id of a test that begins. */
  readonly started?: string;
  /** Id of a test that has ended, with its outcome and the reason for it. */
  readonly test?: string;
  readonly outcome?: Outcome;
  readonly reason?: string;
  /** Exit code of pytest. */
  readonly finished?: number;
  /** The last line of an order: how the guest's program ended. */
  readonly ended?: string;
}
