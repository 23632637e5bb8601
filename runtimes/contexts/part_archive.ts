/**
 * Parts of engines in the store: baselines and metered modules. Each is stored once, compressed,
 * under the name that its bytes have, so that contexts stay usable after an upgrade. The current
 * one is written before the first snapshot that needs it. Parts that no context needs are removed; a
 * part of a running service is never old, because each service refreshes its own.
 *
 * @module
 */
import { z } from "zod";
import { BlobCorrupt, type BlobRef, blobRefSchema, readBlob } from "../../store/blobs.ts";
import {
  type EnginePart,
  enginePartBlobKey,
  enginePartBlobsPrefix,
  enginePartBlobsSelector,
  enginePartKey,
  enginePartsSelector,
  intentKey,
  interpreterContextKey,
  partUsesPrefix,
} from "../../store/keys.ts";
import type { KvStore } from "../../store/kv.ts";
import { withOwnPatience } from "../../store/patience.ts";
import { Transaction } from "../../store/transaction.ts";
import type { Clock } from "../../shared/clock.ts";
import { withoutDecision } from "../../shared/store_errors.ts";
import { type PackedPart, PACKING, packPart, unpackPart } from "../builder/packed_part.ts";
import { deletePrefix } from "../../store/prefix.ts";

/** The data that is stored with a module. */
export interface ModuleFacts {
  readonly abi: number;
  readonly metering: number;
  /** Name and version of the engine, as results show it. */
  readonly engineName: string;
}

/** The stored record of a part. */
export interface PartRecord {
  readonly blob: BlobRef;
  /** Length of the part in bytes. */
  readonly bytes: number;
  /** Roughly when a service last used it as its current one; epoch milliseconds. */
  readonly storedAt: number;
  /** Present for a module. */
  readonly facts?: ModuleFacts | undefined;
}

/** A record as it was read. */
export interface ReadRecord {
  readonly record: PartRecord;
  readonly versionstamp: string;
}

/** The part of the current build. */
export interface CurrentPart {
  readonly name: string;
  readonly facts?: ModuleFacts;
  read(): Promise<Uint8Array<ArrayBuffer>>;
  /** The part as it was compressed when it was built, if it was. */
  readPacked?(): Promise<PackedPart | undefined>;
}

/** Dependencies of the parts of one kind and language. */
export interface PartArchiveOptions {
  readonly kv: KvStore;
  readonly part: EnginePart;
  readonly language: string;
  readonly clock: Clock;
  readonly current: CurrentPart;
  /** The name that bytes have. */
  nameOf(bytes: Uint8Array, facts: ModuleFacts | undefined): string;
  /** Returns a unique id with each call. */
  readonly newId: () => string;
}

/** More than any part has. */
const MAX_PART_BYTES = 1 << 28;
const MAX_NAME_CHARS = 256;

const count = z.number().int().nonnegative();

const factsSchema: z.ZodType<ModuleFacts> = z.object({
  abi: count,
  metering: count,
  engineName: z.string().max(MAX_NAME_CHARS),
});

const recordSchema: z.ZodType<PartRecord> = z.object({
  blob: blobRefSchema,
  bytes: count.max(MAX_PART_BYTES),
  storedAt: z.number(),
  facts: factsSchema.optional(),
});

/** One page of SQLite: commits of other keys pass these blobs (`store/blobs.ts`). */
const BLOB_PART_BYTES = 4_096;
const DAY_MS = 24 * 60 * 60 * 1000;

/** The stored parts of one kind and language. */
export class PartArchive {
  readonly part: EnginePart;
  readonly language: string;
  readonly #options: PartArchiveOptions;
  #stored: Promise<void> | undefined;

  constructor(options: PartArchiveOptions) {
    this.part = options.part;
    this.language = options.language;
    this.#options = options;
  }

  /**
   * Resolves once the current part is in the store. The work is not bounded by the caller's wait:
   * later callers need it too.
   */
  ensureCurrent(): Promise<void> {
    this.#stored ??= withOwnPatience(() => this.#store()).catch((cause) => {
      this.#stored = undefined; // the next call tries again
      throw cause;
    });
    return this.#stored;
  }

  /** The record of a part; undefined when it is missing or has another shape. */
  async find(name: string): Promise<ReadRecord | undefined> {
    const { record, versionstamp } = await this.#look(name);
    return versionstamp === null || record === undefined ? undefined : { record, versionstamp };
  }

  /** The bytes of a part; undefined when they do not have its name. */
  async read(name: string, record: PartRecord): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const packed = await this.#readBlob(name, record.blob);
    const bytes = packed && await unpackPart({ packed, bytes: record.bytes });
    return bytes !== undefined && this.#options.nameOf(bytes, record.facts) === name
      ? bytes
      : undefined;
  }

  /**
   * Records that the current part is in use, unless that was recorded today or it is not stored.
   */
  async refreshCurrent(): Promise<void> {
    const found = await this.find(this.#options.current.name);
    if (found !== undefined) await this.#refresh(found);
  }

  /** Resolves when no write is in progress. */
  async settled(): Promise<void> {
    await Promise.allSettled([this.#stored]);
  }

  /** A version without a record is that of a record with another shape. */
  async #look(name: string): Promise<{ record?: PartRecord; versionstamp: string | null }> {
    const { value, versionstamp } = await this.#options.kv.get(this.#key(name));
    const { data } = recordSchema.safeParse(value);
    return data === undefined ? { versionstamp } : { record: data, versionstamp };
  }

  #key(name: string): Deno.KvKey {
    return enginePartKey(this.part, this.language, name);
  }

  /** Undefined when the bytes differ from what was written. */
  async #readBlob(name: string, ref: BlobRef): Promise<Uint8Array<ArrayBuffer> | undefined> {
    try {
      return await readBlob(
        this.#options.kv,
        enginePartBlobKey(this.part, this.language, name),
        ref,
      );
    } catch (cause) {
      if (cause instanceof BlobCorrupt) return undefined;
      throw cause;
    }
  }

  /** False when the record has changed meanwhile. */
  async #refresh({ record, versionstamp }: ReadRecord): Promise<boolean> {
    const { kv, clock, current } = this.#options;
    if (record.storedAt > clock() - DAY_MS) return true;
    const key = this.#key(current.name);
    const refreshed: PartRecord = { ...record, storedAt: clock() };
    return (await kv.atomic().check({ key, versionstamp }).set(key, refreshed).commit()).ok;
  }

  /** A sweep may be about to remove a record that is old: it counts only once it is fresh. */
  async #store(): Promise<void> {
    const { name } = this.#options.current;
    for (;;) {
      const { record, versionstamp } = await this.#look(name);
      if (versionstamp === null || record === undefined) return await this.#write(versionstamp);
      if (await this.#refresh({ record, versionstamp })) return;
    }
  }

  /** Takes the place of a record that has another shape, or of none. */
  async #write(versionstamp: string | null): Promise<void> {
    const { kv, clock, newId, current } = this.#options;
    const key = this.#key(current.name);
    const { packed, bytes } = await current.readPacked?.() ??
      await packPart(await current.read(), PACKING.waited);
    const transaction = new Transaction(kv, { writeId: newId(), clock });
    transaction.check(key, versionstamp);
    const blobKey = enginePartBlobKey(this.part, this.language, current.name);
    const blob = transaction.putBlob(blobKey, packed, BLOB_PART_BYTES);
    const record: PartRecord = {
      blob,
      bytes,
      storedAt: clock(),
      ...(current.facts === undefined ? {} : { facts: current.facts }),
    };
    transaction.set(key, record);
    await withoutDecision(() => transaction.commit()); // refused if another process has stored it
  }
}

/** Options of a sweep. */
interface PartSweepOptions {
  readonly kv: KvStore;
  readonly archive: PartArchive;
  readonly clock: Clock;
}

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
