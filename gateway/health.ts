/**
 * How a service is, as `GET /healthz` tells it.
 *
 * @module
 */
import type { LanguageHealth, LanguageRuntime } from "../wire/binding.ts";
import type { Language } from "../wire/types.ts";

/** Body of `GET /healthz`. */
export interface Health {
  /** `degraded` when the last start of an isolate failed in some language. */
  readonly status: "ok" | "degraded";
  readonly languages: readonly ({ readonly id: Language } & LanguageHealth)[];
}

/** The health of the languages that are served. */
export function healthOf(
  runtimes: Iterable<readonly [Language, Pick<LanguageRuntime, "health">]>,
): Health {
  const languages = [...runtimes].map(([id, runtime]) => ({ id, ...runtime.health() }));
  const failing = languages.some(({ state }) => state === "failing");
  return { status: failing ? "degraded" : "ok", languages };
}
