/**
 * The health of a service, as `GET /healthz` reports it. The status is 200 even when the service is
 * degraded: a load balancer must not remove or restart what still works.
 *
 * @module
 */
import clientPackage from "../client/deno.json" with { type: "json" };
import type { Language } from "../client/protocol/types.ts";
import type { LanguageHealth, LanguageRuntime } from "../shared/binding.ts";

/** Version of the service, which is that of the client. */
export const SERVICE_VERSION: string = clientPackage.version;

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
  readonly version: string;
  /** The commit of the sources; absent when unknown. */
  readonly commit?: string;
}

/** Body of `GET /readyz`. */
export interface Readiness {
  readonly status: "ready";
}

/** The last known state of the store. */
export interface StoreHealth {
  readonly state: "ready" | "failing";
  /** Reads from the store. Rejects when it does not answer. */
  probe?(): Promise<void>;
}

/** The health of the languages that are served, and of the store. */
export function healthOf(
  runtimes: Iterable<readonly [Language, Pick<LanguageRuntime, "health">]>,
  store?: StoreHealth,
  commit?: string,
): Health {
  const languages = [...runtimes].map(([id, runtime]) => ({ id, ...runtime.health() }));
  const failing: ServicePart[] = languages.filter(({ state }) => state === "failing")
    .map(({ id }) => id);
  if (store?.state === "failing") failing.push("store");
  const build = { version: SERVICE_VERSION, ...(commit === undefined ? {} : { commit }) };
  return failing.length === 0
    ? { status: "ok", languages, ...build }
    : { status: "degraded", languages, failing, ...build };
}
