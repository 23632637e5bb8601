/**
 * Keys of a store as a whole.
 *
 * | key | value |
 * |---|---|
 * | `service_presence`, id | a process that uses the store, until a time ({@link ./presence.ts}) |
 * | `usage`, tenant, `runs` or `fuel` | counters of a tenant's answered runs |
 * | `usage_since` | when these counters began |
 * | `usage_writer`, id | number and time of the last write of a process that counts |
 * | `store_copy` | progress of a copy into this store ({@link ./copy.ts}) |
 *
 * @module
 */

/** A process that uses the store. */
export function presenceKey(id: string): Deno.KvKey {
  return [...presencesPrefix(), id];
}

/** Prefix of all processes that use the store. */
export function presencesPrefix(): Deno.KvKey {
  return ["service_presence"];
}

/** Present while a copy into this store is not finished. */
export const COPY_KEY: Deno.KvKey = ["store_copy"];

/** The uses of engine modules by contexts, in order of language and digest. */
export const USES_OF_MODULES: Deno.KvListSelector = { prefix: ["module_use"] };

/** The root records of all tenants, in order of tenant and id. */
export const ALL_ROOT_RECORDS: Deno.KvListSelector = { prefix: ["sandbox"] };

/** A counter of a tenant's answered runs. */
export function usageKey(tenant: string, counter: "runs" | "fuel"): Deno.KvKey {
  return [...usagePrefix(), tenant, counter];
}

/** Prefix of these counters. The next part of a key is the tenant. */
export function usagePrefix(): Deno.KvKey {
  return ["usage"];
}

/** Prefix of the counters of sandboxes. The next part of a key is the tenant. */
export function tenantsWithSandboxes(): Deno.KvKey {
  return ["sandbox_size"];
}

/** When the counters of usage began, in epoch milliseconds. */
export const USAGE_SINCE_KEY: Deno.KvKey = ["usage_since"];

/** The last write of a process that counts. */
export function usageWriterKey(id: string): Deno.KvKey {
  return [...usageWritersPrefix(), id];
}

/** Prefix of the last writes of all processes that count. */
export function usageWritersPrefix(): Deno.KvKey {
  return ["usage_writer"];
}
