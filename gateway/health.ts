/**
 * How a service is, as `GET /healthz` tells it. The status of the answer is 200 also where it is
 * degraded: what still works must not be taken out of service or started again for it.
 *
 * @module
 */
import type { Language } from "../client/protocol/types.ts";
import type { LanguageHealth, LanguageRuntime } from "../wire/binding.ts";

/** A part of a service that may fail while others work. */
export type ServicePart = Language | "store";

/** Body of `GET /healthz`. */
export interface Health {
  /**
   * `degraded` when the last start of an isolate failed in some language, or the store does not
   * answer.
   */
  readonly status: "ok" | "degraded";
  readonly languages: readonly ({ readonly id: Language } & LanguageHealth)[];
  /** The parts that fail; absent when all is well. */
  readonly failing?: readonly ServicePart[];
}

/** How the store is, as far as is known. */
export interface StoreHealth {
  readonly state: "ready" | "failing";
}

/** The health of the languages that are served, and of the store. */
export function healthOf(
  runtimes: Iterable<readonly [Language, Pick<LanguageRuntime, "health">]>,
  store?: StoreHealth,
): Health {
  const languages = [...runtimes].map(([id, runtime]) => ({ id, ...runtime.health() }));
  const failing: ServicePart[] = languages.filter(({ state }) => state === "failing")
    .map(({ id }) => id);
  if (store?.state === "failing") failing.push("store");
  return failing.length === 0
    ? { status: "ok", languages }
    : { status: "degraded", languages, failing };
}
