/**
 * The use of the service: `GET /usage` for a tenant, or of all tenants for an admin, and
 * `GET /metrics` for an admin's Prometheus.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { METRICS_PATH, USAGE_PATH } from "../client/protocol/paths.ts";
import type { Language } from "../client/protocol/types.ts";
import type { UsageReport } from "../sandbox/usage.ts";
import type { LanguageRuntime } from "../shared/binding.ts";
import { forbidden } from "../shared/errors.ts";
import { jsonResponse } from "../shared/responses.ts";
import type { Admission } from "./admission.ts";
import { SERVICE_VERSION, type StoreHealth } from "./health.ts";
import { type GatewayRoute, inCallPlace } from "./route.ts";

/** Reads the use by tenants. */
export interface Usage {
  read(tenant: string): Promise<UsageReport>;
  readAll(): Promise<readonly UsageReport[]>;
}

/** Dependencies of the routes. */
export interface UsageRouteOptions {
  readonly usage: Usage;
  readonly runtimes: ReadonlyMap<Language, Pick<LanguageRuntime, "health">>;
  readonly store?: StoreHealth;
}

/** The paths that a token of an admin may read. */
export const ADMIN_PATHS: ReadonlySet<string> = new Set([USAGE_PATH, METRICS_PATH]);

/** Hex digits of a tenant in metrics. */
const TENANT_DIGITS = 12;

/** Creates the routes. */
export function usageRoutes(
  { usage, runtimes, store }: UsageRouteOptions,
  calls: Admission,
): readonly GatewayRoute[] {
  const common = { method: "get", tag: "Service" } as const;
  return [
    {
      ...common,
      path: USAGE_PATH,
      id: "usage",
      summary: "Show the use of the service",
      description: "The answered runs and the stored data of the token's tenant; of all tenants " +
        "for a token of an admin.",
      success: { description: "The use.", schema: "ServiceUsage" },
      errors: ["common", "token", "call", "store"],
      answer: inCallPlace(calls, async (context) => {
        if (context.get("isAdmin") !== true) {
          return jsonResponse(await usage.read(context.get("tenant")));
        }
        return jsonResponse({ tenants: await usage.readAll() });
      }),
    },
    {
      ...common,
      path: METRICS_PATH,
      id: "metrics",
      summary: "Show metrics for Prometheus",
      description:
        "Needs a token of an admin. A tenant is the beginning of the SHA-256 of its name.",
      success: {
        description: "The metrics, in Prometheus' text format 0.0.4.",
        mediaType: "text/plain",
        schema: "Metrics",
      },
      errors: ["common", "token", "admin", "call", "store"],
      answer: inCallPlace(calls, async (context) => {
        if (context.get("isAdmin") !== true) throw adminOnly();
        return new Response(metricsText(await usage.readAll(), runtimes, store), {
          headers: {
            "content-type": "text/plain; version=0.0.4; charset=utf-8",
            "cache-control": "no-store",
          },
        });
      }),
    },
  ];
}

/** The error for a tenant that asks for the metrics. */
export function adminOnly() {
  return forbidden("Metrics need a token of an admin");
}

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

function metricsText(
  tenants: readonly UsageReport[],
  runtimes: UsageRouteOptions["runtimes"],
  store: StoreHealth | undefined,
): string {
  const byTenant = (value: (usage: UsageReport) => number): readonly Sample[] =>
    tenants.map((usage) => [{ tenant: hashed(usage.tenant) }, value(usage)]);
  return [
    metric("belljar_info", "gauge", "The version.", [[{ version: SERVICE_VERSION }, 1]]),
    metric("belljar_store_ready", "gauge", "Whether the store answers.", [
      [{}, store?.state === "failing" ? 0 : 1],
    ]),
    metric(
      "belljar_isolates",
      "gauge",
      "Isolates alive now.",
      [...runtimes].map(([language, runtime]) => [{ language }, runtime.health().isolates]),
    ),
    metric("belljar_runs_total", "counter", "Answered runs.", byTenant(({ runs }) => runs)),
    metric(
      "belljar_fuel_total",
      "counter",
      "Fuel of answered runs.",
      byTenant(({ fuelConsumed }) => fuelConsumed),
    ),
    metric("belljar_sandboxes", "gauge", "Sandboxes.", byTenant(({ sandboxes }) => sandboxes)),
    metric("belljar_stored_bytes", "gauge", "Stored bytes.", byTenant(({ bytes }) => bytes)),
  ].join("");
}

function metric(
  name: string,
  type: "counter" | "gauge",
  help: string,
  samples: readonly Sample[],
): string {
  const lines = samples.map(([labels, value]) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text}"`);
    return `${name}${pairs.length === 0 ? "" : `{${pairs.join()}}`} ${value}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

function hashed(tenant: string): string {
  return createHash("sha256").update(tenant).digest("hex").slice(0, TENANT_DIGITS);
}
