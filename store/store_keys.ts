/**
 * Keys of a store as a whole.
 *
 * | key | value |
 * |---|---|
 * | `service_presence`, id | a process that uses the store, until a time ({@link ./presence.ts}) |
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
