/**
 * Reads a blob a few parts at a time, for answers that are larger than the memory for them.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { MAX_KEYS_PER_READ, MAX_VALUE_BYTES } from "./atomic_size.ts";
import { BlobCorrupt, type BlobRef } from "./blobs.ts";
import type { BlobKey } from "./keys.ts";
import type { KvStore } from "./kv.ts";
import { withOwnPatience } from "./patience.ts";

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
