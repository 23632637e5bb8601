/**
 * Bytes of any length, stored as raw parts of at most 64 KiB. A blob is written once and never
 * changed. A {@link BlobRef} in some record refers to it and carries the checksum.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { MAX_KEYS_PER_READ, MAX_VALUE_BYTES } from "./atomic_size.ts";
import type { BlobKey } from "./keys.ts";
import type { KvStore } from "./kv.ts";

/** Identifies a blob and its contents. Plain data that is stored in a record. */
export interface BlobRef {
  /** Write id of the transaction that wrote it. */
  readonly run: string;
  /** Which blob of that transaction, from 0. */
  readonly n: number;
  readonly bytes: number;
  /** SHA-256 of the whole blob, 64 hex digits. */
  readonly sha256: string;
}

const count = z.number().int().nonnegative();

/** Reads a reference from a record. */
export const blobRefSchema: z.ZodType<BlobRef> = z.object({
  run: z.string(),
  n: count,
  bytes: count,
  sha256: z.string(),
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

const READS_IN_FLIGHT = 4;

/** The number of parts for that many bytes; 0 for an empty blob. */
export function partCount(bytes: number): number {
  return Math.ceil(bytes / MAX_VALUE_BYTES);
}

/** The parts of a blob, as views of `bytes`. */
export function partsOf(bytes: Uint8Array): Uint8Array[] {
  return Array.from(
    { length: partCount(bytes.byteLength) },
    (_, part) => bytes.subarray(part * MAX_VALUE_BYTES, (part + 1) * MAX_VALUE_BYTES),
  );
}

/** SHA-256 in hex. */
export function sha256Hex(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
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
  if (!Number.isSafeInteger(ref.bytes) || ref.bytes < 0 || ref.bytes > MAX_BLOB_BYTES) {
    throw new BlobCorrupt("a blob's reference holds an impossible length");
  }
  const bytes = new Uint8Array(ref.bytes);
  const parts = partCount(ref.bytes);
  let next = 0;
  const reader = async () => {
    while (next < parts) {
      const first = next;
      next = Math.min(parts, first + MAX_KEYS_PER_READ);
      await readParts(kv, key, ref, { first, end: next, into: bytes });
    }
  };
  await Promise.all(Array.from({ length: READS_IN_FLIGHT }, reader));
  if (sha256Hex(bytes) !== ref.sha256) throw new BlobCorrupt("a blob's checksum differs");
  return bytes;
}

interface PartRange {
  readonly first: number;
  readonly end: number;
  readonly into: Uint8Array;
}

async function readParts(
  kv: KvStore,
  key: BlobKey,
  { run: writeId, n }: BlobRef,
  { first, end, into }: PartRange,
): Promise<void> {
  const numbers = Array.from({ length: end - first }, (_, index) => first + index);
  const entries = await kv.getMany<unknown[]>(numbers.map((part) => key(writeId, n, part)));
  for (const [index, { value }] of entries.entries()) {
    const start = (first + index) * MAX_VALUE_BYTES;
    const length = Math.min(MAX_VALUE_BYTES, into.byteLength - start);
    if (!(value instanceof Uint8Array)) throw new BlobCorrupt("a part of a blob is missing");
    if (value.byteLength !== length) throw new BlobCorrupt("a part of a blob has another length");
    into.set(value, start);
  }
}
