/**
 * Removes parts of engines that no context needs any more. A part of a running service is never
 * old, because each service refreshes its own.
 *
 * @module
 */
import {
  enginePartBlobsPrefix,
  enginePartBlobsSelector,
  enginePartKey,
  enginePartsSelector,
  intentKey,
  interpreterContextKey,
  partUsesPrefix,
} from "../../store/keys.ts";
import type { KvStore } from "../../store/kv.ts";
import { deletePrefix } from "../../store/prefix.ts";
import type { Clock } from "../../shared/clock.ts";
import type { PartArchive, PartRecord } from "./part_archive.ts";

/** Options of a sweep. */
export interface PartSweepOptions {
  readonly kv: KvStore;
  readonly archive: PartArchive;
  readonly clock: Clock;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/**
 * How long a part without a context is kept: older services on the same store may still create one.
 */
const KEPT_MS = 7 * DAY_MS;

/** Refreshes the current part, and removes old ones without a context. Returns how many. */
export async function sweepParts(options: PartSweepOptions, signal: AbortSignal): Promise<number> {
  const { kv, archive: { part, language }, clock } = options;
  await options.archive.refreshCurrent();
  let removed = 0;
  for (let name = await nextName(options); name !== undefined;) {
    signal.throwIfAborted();
    const key = enginePartKey(part, language, name);
    const { value, versionstamp } = await kv.get<Partial<PartRecord>>(key);
    await removeOrphans(options, name, { named: value?.blob?.run, signal });
    if (
      versionstamp !== null && (value.storedAt ?? 0) <= clock() - KEPT_MS &&
      !(await isUsed(options, name))
    ) {
      // refused when another process has just refreshed it
      const done = await kv.atomic().check({ key, versionstamp }).delete(key).commit();
      if (done.ok) {
        await removeBlob(options, name, { writeId: value.blob?.run ?? "", signal });
        removed++;
      }
    }
    name = await nextName(options, name);
  }
  return removed;
}

/** The name of the part that follows another one. */
async function nextName(
  { kv, archive: { part, language } }: PartSweepOptions,
  after?: string,
): Promise<string | undefined> {
  const options = { limit: 1, batchSize: 1 };
  for await (const { key } of kv.list(enginePartsSelector(part, language, after), options)) {
    return String(key[2]);
  }
  return undefined;
}

/**
 * Whether a context needs a part. Removes uses by contexts that do not exist: a service of an
 * earlier version, which does not know uses of modules, leaves those of contexts that it removes.
 */
async function isUsed(
  { kv, archive: { part, language } }: PartSweepOptions,
  name: string,
): Promise<boolean> {
  for await (const { key: use } of kv.list({ prefix: partUsesPrefix(part, language, name) })) {
    const [sandboxKey, contextId] = use.slice(-2).map(String);
    const key = interpreterContextKey(language, sandboxKey ?? "", contextId ?? "");
    const gone = await kv.atomic().check({ key, versionstamp: null }).delete(use).commit();
    if (!gone.ok) return true;
  }
  return false;
}

/** Removes the bytes of writers that have ended and that the record of a part does not name. */
async function removeOrphans(
  options: PartSweepOptions,
  name: string,
  { named, signal }: { readonly named: string | undefined; readonly signal: AbortSignal },
): Promise<void> {
  const { kv, archive: { part, language } } = options;
  for (let writeId = await nextWriteId(options, name); writeId !== undefined;) {
    if (writeId !== named && !(await isWriting(kv, writeId))) {
      // it may have become the named one meanwhile
      const { value } = await kv.get<Partial<PartRecord>>(enginePartKey(part, language, name));
      const now = value?.blob?.run;
      if (value !== null && now === undefined) return; // another version's record
      if (writeId !== now) await removeBlob(options, name, { writeId, signal });
    }
    writeId = await nextWriteId(options, name, writeId);
  }
}

/** A writer's intent ends when its record is written, or when its bytes are removed. */
async function isWriting(kv: KvStore, writeId: string): Promise<boolean> {
  return (await kv.get(intentKey(writeId))).versionstamp !== null;
}

/** The write id of the bytes that follow those of another one. */
async function nextWriteId(
  { kv, archive: { part, language } }: PartSweepOptions,
  name: string,
  after?: string,
): Promise<string | undefined> {
  const selector = enginePartBlobsSelector(part, language, name, after);
  for await (const { key } of kv.list(selector, { limit: 1, batchSize: 1 })) return String(key[4]);
  return undefined;
}

/** Other writers may be writing the same part. */
async function removeBlob(
  { kv, archive: { part, language } }: PartSweepOptions,
  name: string,
  { writeId, signal }: { readonly writeId: string; readonly signal: AbortSignal },
): Promise<void> {
  await deletePrefix(kv, enginePartBlobsPrefix(part, language, name, writeId), signal);
}
