/**
 * Bytes of any length, stored as raw parts of at most 64 KiB. A blob is written once and never
 * changed. A {@link BlobRef} in some record refers to it and carries the checksum.
 *
 * To compare keys, SQLite reads whole records, values included. So large parts slow down every
 * search that passes them. Large blobs that are rarely read take smaller parts.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { contentHash } from "../shared/content_hash.ts";
import { MAX_KEYS_PER_READ, MAX_VALUE_BYTES } from "./atomic_size.ts";
import type { BlobKey } from "./keys.ts";
import type { KvStore } from "./kv.ts";
import { withOwnPatience } from "./patience.ts";

/** Bytes that are stored in parts. */
interface PartedBytes {
  readonly bytes: number;
  /** Bytes of each part but the last. @default {65_536} */
  readonly partBytes?: number | undefined;
}

/** Identifies a blob and its contents. Plain data that is stored in a record. */
export interface BlobRef extends PartedBytes {
  /** Write id of the transaction that wrote it. */
  readonly run: string;
  /** Which blob of that transaction, from 0. */
  readonly n: number;
  /** SHA-256 of the whole blob, 64 hex digits. */
  readonly sha256: string;
}

/** Smallest part of a blob that is read. A reference with smaller ones is invalid. */
const MIN_PART_BYTES = 1_024;

const count = z.number().int().nonnegative();

/** Reads a reference from a record. */
export const blobRefSchema: z.ZodType<BlobRef> = z.object({
  run: z.string(),
  n: count,
  bytes: count,
  sha256: z.string(),
  partBytes: count.min(MIN_PART_BYTES).max(MAX_VALUE_BYTES).optional(),
});

/** A name that is unique among the blobs under the same prefix. */
export function blobName({ run: writeId, n }: BlobRef): string {
  return `${writeId}/${n}`;
}

/** Parts of a blob are missing or differ from what was written. */
export class BlobCorrupt extends Error {
  override readonly name = "BlobCorrupt";
}

/** Largest blob that is read. A reference to a larger one is invalid. */
const MAX_BLOB_BYTES = 1 << 28;

/** Bytes of a blob that are read at the same time. */
const BYTES_IN_FLIGHT = 4 * MAX_KEYS_PER_READ * MAX_VALUE_BYTES;

/** The number of parts of a blob; 0 for an empty one. */
export function partCount({ bytes, partBytes = MAX_VALUE_BYTES }: PartedBytes): number {
  return Math.ceil(bytes / partBytes);
}

/** The parts of a blob, as views of `bytes`. */
export function partsOf(bytes: Uint8Array, partBytes: number = MAX_VALUE_BYTES): Uint8Array[] {
  return Array.from(
    { length: partCount({ bytes: bytes.byteLength, partBytes }) },
    (_, part) => bytes.subarray(part * partBytes, (part + 1) * partBytes),
  );
}

/**
 * Reads a whole blob: ten parts per read, several reads in flight.
 *
 * @throws {BlobCorrupt} when a part is missing or of another length, or the checksum differs
 */
export async function readBlob(
  kv: KvStore,
  key: BlobKey,
  ref: BlobRef,
): Promise<Uint8Array<ArrayBuffer>> {
  const { partBytes = MAX_VALUE_BYTES } = ref;
  if (
    !isWhole(ref.bytes, 0, MAX_BLOB_BYTES) || !isWhole(partBytes, MIN_PART_BYTES, MAX_VALUE_BYTES)
  ) {
    throw new BlobCorrupt("a blob's reference holds an impossible length");
  }
  const bytes = new Uint8Array(ref.bytes);
  const parts = partCount(ref);
  const readers = BYTES_IN_FLIGHT / (MAX_KEYS_PER_READ * partBytes);
  let next = 0;
  const reader = async () => {
    while (next < parts) {
      const first = next;
      next = Math.min(parts, first + MAX_KEYS_PER_READ);
      await readParts(kv, key, ref, { first, end: next, into: bytes });
    }
  };
  await Promise.all(Array.from({ length: readers }, reader));
  if (contentHash(bytes) !== ref.sha256) throw new BlobCorrupt("a blob's checksum differs");
  return bytes;
}

function isWhole(number: number, least: number, most: number): boolean {
  return Number.isSafeInteger(number) && number >= least && number <= most;
}

interface PartRange {
  readonly first: number;
  readonly end: number;
  readonly into: Uint8Array;
}

async function readParts(
  kv: KvStore,
  key: BlobKey,
  { run: writeId, n, partBytes = MAX_VALUE_BYTES }: BlobRef,
  { first, end, into }: PartRange,
): Promise<void> {
  const numbers = Array.from({ length: end - first }, (_, index) => first + index);
  const entries = await kv.getMany<unknown[]>(numbers.map((part) => key(writeId, n, part)));
  for (const [index, { value }] of entries.entries()) {
    const start = (first + index) * partBytes;
    const length = Math.min(partBytes, into.byteLength - start);
    if (!(value instanceof Uint8Array)) throw new BlobCorrupt("a part of a blob is missing");
    if (value.byteLength !== length) throw new BlobCorrupt("a part of a blob has another length");
    into.set(value, start);
  }
}

/** Most bytes of one step. */
export const STEP_BYTES: number = MAX_KEYS_PER_READ * MAX_VALUE_BYTES;

/**
 * The bytes of a blob from `start` up to `end`. A whole blob is checked against its checksum before
 * its last step.
 *
 * @throws {BlobCorrupt} when a part is missing or of another length, or the checksum differs
 */
export async function* blobSteps(
  kv: KvStore,
  key: BlobKey,
  ref: BlobRef,
  { start, end }: { readonly start: number; readonly end: number },
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const { run, n, bytes, partBytes = MAX_VALUE_BYTES } = ref;
  const hash = start === 0 && end === bytes ? createHash("sha256") : undefined;
  const last = Math.ceil(end / partBytes);
  for (let first = Math.floor(start / partBytes); first < last; first += MAX_KEYS_PER_READ) {
    const count = Math.min(MAX_KEYS_PER_READ, last - first);
    const keys = Array.from({ length: count }, (_, index) => key(run, n, first + index));
    const entries = await withOwnPatience(() => kv.getMany<unknown[]>(keys));
    const from = first * partBytes;
    const step = new Uint8Array(Math.min(bytes, from + count * partBytes) - from);
    for (const [index, { value }] of entries.entries()) {
      const length = Math.min(partBytes, step.length - index * partBytes);
      if (!(value instanceof Uint8Array) || value.length !== length) {
        throw new BlobCorrupt("a part of a blob is missing");
      }
      step.set(value, index * partBytes);
    }
    hash?.update(step);
    if (first + count === last && hash !== undefined && hash.digest("hex") !== ref.sha256) {
      throw new BlobCorrupt("a blob's checksum differs");
    }
    yield step.subarray(Math.max(0, start - from), Math.min(step.length, end - from));
  }
}
