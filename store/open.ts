/**
 * Opening the store: the one place that knows what a path of it may be.
 *
 * @module
 */
import type { KvStore } from "./kv.ts";
import { withKvTelemetry } from "./kv_telemetry.ts";
import { retryLocked, withRetry } from "./retry.ts";

/**
 * Opens the store, with patience for locked databases.
 *
 * `path`: a file (made with its folder, readable by its owner only), `:memory:`, an `http(s)` URL
 * of a KV server, or undefined for the one the platform provides.
 */
export async function openStore(path: string | undefined): Promise<KvStore> {
  if (path !== undefined && isFile(path)) await createFile(path);
  return withKvTelemetry(withRetry(await retryLocked(() => Deno.openKv(path))));
}

function isFile(path: string): boolean {
  return path !== ":memory:" && !/^https?:\/\//i.test(path);
}

/** Deno 2.5 does not create a database that is missing, but takes an empty file for one. */
async function createFile(path: string): Promise<void> {
  const folder = path.replace(/[^/\\]*$/, "");
  if (folder !== "") await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  const file = await Deno.open(path, { create: true, write: true, mode: 0o600 });
  file.close();
}
