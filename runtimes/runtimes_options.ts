/**
 * What the runtimes of a process are given by whoever starts them.
 *
 * @module
 */
import type { Language } from "../client/protocol/types.ts";
import type { KvStore } from "../store/kv.ts";
import type { BuildOrder, LanguageRuntime } from "../wire/binding.ts";
import type { Clock } from "../wire/clock.ts";
import type { AdmissionLimits, LimitsByLanguage } from "../wire/limits.ts";
import type { Log } from "../wire/log.ts";

/** What the runtimes of a process are made from. */
export interface RuntimesOptions extends BuildOrder {
  /** The limits as configured, of all languages. */
  readonly limits: LimitsByLanguage;
  /** Waiting for an isolate: how many of one language, and how long. */
  readonly admission: AdmissionLimits;
  /** No contexts, whatever the language could do. */
  readonly stateless: boolean;
  /** Where contexts are kept. */
  readonly store: KvStore;
  /** Most isolates of one language. */
  readonly isolates: number;
  /** Start an isolate afresh before another tenant uses it. */
  readonly isolatePerTenant: boolean;
  /** Gives the time of errors. */
  readonly clock: Clock;
  /** For what an operator has to know. */
  readonly log: Log;
  /** To be told whenever a tenant's run made it necessary to kill an isolate. */
  readonly onKill: (tenant: string, runMs: number) => void;
}

/**
 * Builds what is needed and starts the runtimes. Rejects when one cannot be started, with a
 * `RuntimesRefused` when the operator can put it right.
 */
export type CreateRuntimes = (
  options: RuntimesOptions,
) => Promise<ReadonlyMap<Language, LanguageRuntime>>;
