/**
 * The health of a service, as `GET /healthz` reports it. The status is 200 even when the service is
 * degraded: a load balancer must not remove or restart what still works.
 *
 * @module
 */
import type { Language } from "../client/protocol/types.ts";
import type { LanguageHealth, LanguageRuntime } from "../shared/binding.ts";

/** A part of a service that can fail while others work. */
export type ServicePart = Language | "store";

/** Body of `GET /healthz`. */
export interface Health {
  /**
   * `degraded` when the last start of an isolate failed in some language, or the store does not
   * answer.
   */
  readonly status: "ok" | "degraded";
  readonly languages: readonly ({ readonly id: Language } & LanguageHealth)[];
  /** The failing parts; absent when there are none. */
  readonly failing?: readonly ServicePart[];
}

/** The last known state of the store. */
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
