/**
 * The options of the runtimes of a process.
 *
 * @module
 */
import type { Language } from "../client/protocol/types.ts";
import type { KvStore } from "../store/kv.ts";
import type { BuildOrder, LanguageRuntime } from "../shared/binding.ts";
import type { Clock } from "../shared/clock.ts";
import type { AdmissionLimits, LimitsByLanguage } from "../shared/limits.ts";
import type { Log } from "../shared/log.ts";

/** The part of the configuration that the runtimes own. */
export interface RuntimeSettings extends BuildOrder {
  /** The configured limits of all languages. */
  readonly limits: LimitsByLanguage;
  /** How many runs of one language may wait for an isolate, and how long. */
  readonly admission: AdmissionLimits;
  /** Whether to go without contexts, even for languages that have them. */
  readonly stateless: boolean;
  /** Maximum number of isolates of one language. */
  readonly isolates: number;
  /** Whether to restart an isolate before another tenant uses it. */
  readonly isolatePerTenant: boolean;
  /**
   * Whether isolates that have a second baseline run programs on it before the first guest's.
   * @default {false}
   */
  readonly warmPreloads?: boolean;
  /**
   * Whether first isolates start in the background. Then runtimes take runs at once, and a start
   * that fails is reported by log and health. @default {false}
   */
  readonly background?: boolean;
}

/** Dependencies of the runtimes of a process. */
export interface RuntimesOptions extends RuntimeSettings {
  /** Store of contexts. */
  readonly store: KvStore;
  /** The clock for timestamps of errors. */
  readonly clock: Clock;
  /** Receives messages for the operator. */
  readonly log: Log;
  /** Called when a tenant's run cost a process, with the milliseconds that it ran. */
  readonly onKill: (tenant: string, runMs: number) => void;
}

/**
 * Builds what is needed and starts the runtimes. Unless they start in the background, rejects when
 * one cannot start; with a `RuntimesRefused` when the operator can fix the cause.
 */
export type CreateRuntimes = (
  options: RuntimesOptions,
) => Promise<ReadonlyMap<Language, LanguageRuntime>>;
