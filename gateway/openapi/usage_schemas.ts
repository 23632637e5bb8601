/**
 * Schemas of the use of the service.
 *
 * @module
 */
import { z } from "zod";
import type { UsageReport } from "../../sandbox/usage.ts";
import { countSchema, type Fields, textSchema } from "./fields.ts";

/** Body of `GET /usage` for an admin. */
interface AllUsage {
  readonly tenants: readonly UsageReport[];
}

/** The schemas, by the names they have in the document. */
export interface UsageSchemas {
  readonly UsageReport: z.ZodType<UsageReport>;
  readonly ServiceUsage: z.ZodType<UsageReport | AllUsage>;
  readonly Metrics: z.ZodType<string>;
}

/** Creates the schemas. */
export function usageSchemas(): UsageSchemas {
  const tenant: z.ZodType<UsageReport> = z.strictObject(
    {
      tenant: textSchema("The tenant."),
      since: textSchema("When the counts of runs and fuel began."),
      runs: countSchema("Answered runs, with and without a context."),
      fuelConsumed: countSchema("Sum of their `usage.fuelConsumed`."),
      sandboxes: countSchema("Sandboxes now."),
      bytes: countSchema("Stored bytes now."),
    } satisfies Fields<UsageReport>,
  ).describe("The use of the service by one tenant.");
  const all: z.ZodType<AllUsage> = z.strictObject(
    { tenants: z.array(tenant) } satisfies Fields<AllUsage>,
  );
  return {
    UsageReport: tenant,
    ServiceUsage: z.union([tenant, all]).describe("The use by one tenant; for an admin by all."),
    Metrics: textSchema("Lines of metrics."),
  };
}
