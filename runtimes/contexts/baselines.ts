/**
 * Baselines in the store: each is stored once, so that snapshots that are deltas against it stay
 * readable after an upgrade. The current one is written before the first snapshot that refers to
 * it.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { z } from "zod";
import { BlobCorrupt, type BlobRef, blobRefSchema, readBlob } from "../../store/blobs.ts";
import { baselineBlobKey, baselineKey } from "../../store/keys.ts";
import type { KvStore } from "../../store/kv.ts";
import { Transaction } from "../../store/transaction.ts";
import type { Clock } from "../../wire/clock.ts";
import { decidingNothing } from "../../wire/store_errors.ts";

/** The stored record of a baseline. */
export interface BaselineRecord {
  readonly blob: BlobRef;
  /** Length of the baseline in bytes. */
  readonly bytes: number;
  /** Roughly when a service last used it as its current one; epoch milliseconds. */
  readonly storedAt: number;
}

/** The part of a built engine that is needed here. */
export interface PresentBaseline {
  readonly baseline: string;
  readBaseline(): Promise<Uint8Array<ArrayBuffer>>;
}

/** More than any baseline has. */
const MAX_IMAGE_BYTES = 1 << 28;

const recordSchema: z.ZodType<BaselineRecord> = z.object({
  blob: blobRefSchema,
  bytes: z.number().int().nonnegative().max(MAX_IMAGE_BYTES),
  storedAt: z.number(),
});

const compress = promisify(deflateRaw);
const expand = promisify(inflateRaw);
/** Fast: a baseline is written once, and almost half of it is zero. */
const LEVEL = 1;

/** The stored baselines of one language. */
export class Baselines {
  readonly #kv: KvStore;
  readonly #language: string;
  readonly #clock: Clock;
  readonly #present: PresentBaseline;
  readonly #newId: () => string;
  #stored: Promise<void> | undefined;

  constructor(options: {
    readonly kv: KvStore;
    readonly language: string;
    readonly clock: Clock;
    readonly present: PresentBaseline;
    /** Returns a unique id with each call. */
    readonly newId: () => string;
  }) {
    this.#kv = options.kv;
    this.#language = options.language;
    this.#clock = options.clock;
    this.#present = options.present;
    this.#newId = options.newId;
  }

  /** Resolves once the current baseline is in the store. */
  ensurePresent(): Promise<void> {
    this.#stored ??= this.#store().catch((cause) => {
      this.#stored = undefined; // the next call tries again
      throw cause;
    });
    return this.#stored;
  }

  /** A baseline by its name; undefined when it is missing or damaged. */
  async load(baseline: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const { value } = await this.#kv.get(baselineKey(this.#language, baseline));
    const parsed = recordSchema.safeParse(value);
    if (!parsed.success) return undefined;
    const { blob, bytes } = parsed.data;
    const packed = await this.#readBlob(baseline, blob);
    const image = packed === undefined ? undefined : await expandTo(packed, bytes);
    return image !== undefined && nameOf(image, baseline.length) === baseline ? image : undefined;
  }

  /**
   * Records that the current baseline is in use, unless that was recorded recently or it is not
   * stored.
   */
  async refreshPresent(everyMs: number): Promise<void> {
    const key = baselineKey(this.#language, this.#present.baseline);
    const { value, versionstamp } = await this.#kv.get(key);
    const parsed = recordSchema.safeParse(value);
    if (!parsed.success || parsed.data.storedAt > this.#clock() - everyMs) return;
    const record: BaselineRecord = { ...parsed.data, storedAt: this.#clock() };
    await this.#kv.atomic().check({ key, versionstamp }).set(key, record).commit();
  }

  /** Resolves when no write is in progress. */
  async settled(): Promise<void> {
    await Promise.allSettled([this.#stored]);
  }

  /** Undefined when the bytes differ from what was written. */
  async #readBlob(baseline: string, ref: BlobRef): Promise<Uint8Array<ArrayBuffer> | undefined> {
    try {
      return await readBlob(this.#kv, baselineBlobKey(this.#language, baseline), ref);
    } catch (cause) {
      if (cause instanceof BlobCorrupt) return undefined;
      throw cause;
    }
  }

  async #store(): Promise<void> {
    const { baseline } = this.#present;
    const key = baselineKey(this.#language, baseline);
    const { versionstamp } = await this.#kv.get(key);
    if (versionstamp !== null) return;
    const image = await this.#present.readBaseline();
    const packed = await compress(image, { level: LEVEL });
    const transaction = new Transaction(this.#kv, { writeId: this.#newId(), clock: this.#clock });
    transaction.check(key, null);
    const blob = transaction.putBlob(baselineBlobKey(this.#language, baseline), packed);
    const record: BaselineRecord = { blob, bytes: image.length, storedAt: this.#clock() };
    transaction.set(key, record);
    await decidingNothing(() => transaction.commit()); // refused if another process has stored it
  }
}

/** Undefined when the bytes cannot be decompressed or expand to more than that. */
async function expandTo(
  packed: Uint8Array<ArrayBuffer>,
  bytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return new Uint8Array(await expand(packed, { maxOutputLength: bytes + 1 }));
  } catch {
    return undefined; // any error of zlib
  }
}

/** The name that the build gave to a baseline: the beginning of its SHA-256. */
function nameOf(image: Uint8Array, digits: number): string {
  return createHash("sha256").update(image).digest("hex").slice(0, digits);
}
