/**
 * Opens the store. Only this file knows the kinds of its path.
 *
 * @module
 */
import { STORE_WRITE_MS } from "../shared/limits.ts";
import { pause, systemTimers } from "../shared/timers.ts";
import { PROBE_KEY } from "./keys.ts";
import type { KvStore } from "./kv.ts";
import { type StoreOperation, WrappedStore } from "./wrapped_store.ts";
import { retryLocked, withRetry } from "./retry.ts";
import { isTelemetryOn, meter } from "../telemetry/meter.ts";

const SECOND_MS = 1_000;

/** Returns the same store. If telemetry is on, its operations are counted and timed by kind. */
function withKvTelemetry(kv: KvStore): KvStore {
  return isTelemetryOn() ? new MeasuredStore(kv) : kv;
}

/** Each step of a listing counts. Steps within a batch take no time. */
class MeasuredStore extends WrappedStore {
  readonly #duration = meter().createHistogram("belljar.kv.duration", {
    unit: "s",
    description: "Operations of the store",
  });

  protected override async around<T>(
    operation: StoreOperation,
    work: () => Promise<T>,
  ): Promise<T> {
    const began = performance.now();
    let outcome = "failed";
    try {
      const value = await work();
      outcome = "done";
      return value;
    } finally {
      this.#duration.record((performance.now() - began) / SECOND_MS, { operation, outcome });
    }
  }
}

/** A KV server did not answer at startup. */
class StoreSilent extends Error {
  override readonly name = "StoreSilent";
}

/**
 * Opens the store, with retries for locked databases.
 *
 * `path`: a file (created with its folder, readable only by its owner), `:memory:`, an `http(s)`
 * URL of a KV server, a `postgres` URL ({@link ./postgres/address.ts}), or undefined for the one that
 * the platform provides. A server must answer.
 *
 * @throws {StoreSilent} when a KV server does not answer in time
 */
export async function openStore(
  path: string | undefined,
  answerMs: number = STORE_WRITE_MS,
): Promise<KvStore> {
  if (path !== undefined && isPostgres(path)) {
    const { openPostgres } = await import("./postgres/mod.ts");
    return withKvTelemetry(withRetry(await openPostgres(path)));
  }
  if (path !== undefined && isFile(path)) await createFile(path);
  const opening = retryLocked(() => Deno.openKv(path));
  const isRemote = path !== undefined && isServer(path);
  const kv = await (isRemote ? answering(opening, answerMs) : opening);
  return withKvTelemetry(withRetry(kv, { repeatsCommits: isRemote || path === undefined }));
}

/** The kind of a store, for people. */
export function storeKind(path: string | undefined): "file" | "kv" | "postgres" {
  if (path === undefined || isServer(path)) return "kv";
  return isPostgres(path) ? "postgres" : "file";
}

/** Some servers accept the connection but never answer, and Deno's client retries without end. */
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
  return path !== ":memory:" && !isServer(path) && !isPostgres(path);
}

function isPostgres(path: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(path);
}

function isServer(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

/** Deno 2.5 does not create a missing database, but it accepts an empty file as one. */
async function createFile(path: string): Promise<void> {
  const folder = path.replace(/[^/\\]*$/, "");
  if (folder !== "") await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  const file = await Deno.open(path, { create: true, write: true, mode: 0o600 });
  file.close();
}
