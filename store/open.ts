/**
 * Opening the store: the one place that knows what a path of it may be.
 *
 * @module
 */
import { STORE_WRITE_MS } from "../wire/limits.ts";
import { pause, systemTimers } from "../wire/timers.ts";
import { PROBE_KEY } from "./keys.ts";
import type { KvStore } from "./kv.ts";
import { withKvTelemetry } from "./kv_telemetry.ts";
import { retryLocked, withRetry } from "./retry.ts";

/** A KV server did not answer at the start. */
class StoreSilent extends Error {
  override readonly name = "StoreSilent";
}

/**
 * Opens the store, with patience for locked databases.
 *
 * `path`: a file (made with its folder, readable by its owner only), `:memory:`, an `http(s)` URL
 * of a KV server, or undefined for the one the platform provides. A server has to answer.
 *
 * @throws {StoreSilent} when a KV server does not answer in time
 */
export async function openStore(
  path: string | undefined,
  answerMs: number = STORE_WRITE_MS,
): Promise<KvStore> {
  if (path !== undefined && isFile(path)) await createFile(path);
  const opening = retryLocked(() => Deno.openKv(path));
  const isRemote = path !== undefined && isServer(path);
  return withKvTelemetry(withRetry(await (isRemote ? answering(opening, answerMs) : opening)));
}

/** Some servers take the connection only, and Deno's client goes on trying without end. */
async function answering(opening: Promise<Deno.Kv>, answerMs: number): Promise<Deno.Kv> {
  const over = new AbortController();
  const late = pause(systemTimers, answerMs, over.signal).then(() => {
    throw new StoreSilent(`the KV server did not answer within ${answerMs / 1_000} s`);
  });
  const asked = opening.then(async (kv) => {
    await kv.get(PROBE_KEY);
    return kv;
  });
  try {
    return await Promise.race([asked, late]);
  } catch (thrown) {
    opening.then((kv) => kv.close(), () => undefined);
    throw thrown;
  } finally {
    over.abort();
    late.catch(() => undefined);
  }
}

function isFile(path: string): boolean {
  return path !== ":memory:" && !isServer(path);
}

function isServer(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

/** Deno 2.5 does not create a database that is missing, but takes an empty file for one. */
async function createFile(path: string): Promise<void> {
  const folder = path.replace(/[^/\\]*$/, "");
  if (folder !== "") await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  const file = await Deno.open(path, { create: true, write: true, mode: 0o600 });
  file.close();
}
