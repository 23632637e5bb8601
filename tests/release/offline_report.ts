/** What `offline_program.ts` reports. */

/** The line in which the service says where it listens. */
export const READY = /(http:\/\/\S+)[ \t]*\n/;

/** Outcomes of a release that ran without a network. */
export interface OfflineReport {
  readonly version: string;
  readonly commit?: string;
  /** Languages that the release serves. */
  readonly served: readonly string[];
  /** Results of stateless runs, by language. */
  readonly stateless: Readonly<Record<string, string>>;
  /** Status of files that the service serves, by path. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Results of runs after a restart in contexts from before it, by language. */
  readonly contexts: Readonly<Record<string, string>>;
  /** A file from before the restart. */
  readonly file: string;
  readonly codes: readonly number[];
  /** All that both services wrote. */
  readonly output: string;
}
