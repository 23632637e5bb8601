/**
 * Writes a blob from front to back, ahead of the commit that refers to it, in bounded memory.
 *
 * Every write requires that a record is at a version. Whoever changes the record fences the writer:
 * from then on it writes nothing. Parts that it wrote under the same keys may be overwritten, so a
 * reader takes no more bytes than a record counts.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { MAX_KEYS_PER_READ, MAX_VALUE_BYTES } from "./atomic_size.ts";
import { BlobCorrupt } from "./blobs.ts";
import type { BlobKey } from "./keys.ts";
import type { KvStore } from "./kv.ts";

/** Parts of one atomic operation, with room for the record and the keys. */
const PARTS_PER_WRITE = 11;

/** The writer was fenced: another one goes on. */
export class WriterFenced extends Error {
  override readonly name = "WriterFenced";
}

/** A blob that is being written. */
export interface OpenBlob {
  readonly key: BlobKey;
  /** Under which its parts are stored, as part 0 and on of blob 0. */
  readonly writeId: string;
}

/** Writes the bytes of one blob that follow those that it has. */
export class BlobWriter {
  readonly #kv: KvStore;
  readonly #blob: OpenBlob;
  readonly #guard: Deno.AtomicCheck;
  /** Number of the first part that is not written yet. */
  #part: number;
  #buffer = new Uint8Array(PARTS_PER_WRITE * MAX_VALUE_BYTES);
  #filled = 0;

  private constructor(kv: KvStore, blob: OpenBlob, guard: Deno.AtomicCheck, part: number) {
    this.#kv = kv;
    this.#blob = blob;
    this.#guard = guard;
    this.#part = part;
  }

  /**
   * Goes on after the first `bytes` of a blob.
   *
   * @throws {BlobCorrupt} when they are not there
   */
  static async after(
    kv: KvStore,
    blob: OpenBlob,
    { bytes, guard }: { readonly bytes: number; readonly guard: Deno.AtomicCheck },
  ): Promise<BlobWriter> {
    const part = Math.floor(bytes / MAX_VALUE_BYTES);
    const writer = new BlobWriter(kv, blob, guard, part);
    const left = bytes % MAX_VALUE_BYTES;
    if (left === 0) return writer;
    const { value } = await kv.get(blob.key(blob.writeId, 0, part));
    if (!(value instanceof Uint8Array) || value.length < left) {
      throw new BlobCorrupt("the end of an unfinished blob is missing");
    }
    writer.#buffer.set(value.subarray(0, left));
    writer.#filled = left;
    return writer;
  }

  /**
   * Writes bytes, which are copied.
   *
   * @throws {WriterFenced}
   */
  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const taken = bytes.subarray(at, at + this.#buffer.length - this.#filled);
      this.#buffer.set(taken, this.#filled);
      this.#filled += taken.length;
      at += taken.length;
      if (this.#filled === this.#buffer.length) await this.flush();
    }
  }

  /**
   * Writes what is left; the last part may be short.
   *
   * @throws {WriterFenced}
   */
  async flush(): Promise<void> {
    const { key, writeId } = this.#blob;
    if (this.#filled === 0) return;
    const atomic = this.#kv.atomic().check(this.#guard);
    for (let at = 0; at < this.#filled; at += MAX_VALUE_BYTES) {
      const end = Math.min(at + MAX_VALUE_BYTES, this.#filled);
      atomic.set(key(writeId, 0, this.#part++), this.#buffer.slice(at, end));
    }
    this.#filled = 0;
    const written = await atomic.commit();
    if (!written.ok) throw new WriterFenced();
  }
}

/**
 * SHA-256 of the first `bytes` of a blob, in hex, read a few parts at a time.
 *
 * @throws {BlobCorrupt} when a part is missing or of another length
 */
export async function hashOfParts(
  kv: KvStore,
  { key, writeId }: OpenBlob,
  bytes: number,
): Promise<string> {
  const hash = createHash("sha256");
  const parts = Math.ceil(bytes / MAX_VALUE_BYTES);
  for (let first = 0; first < parts; first += MAX_KEYS_PER_READ) {
    const end = Math.min(parts, first + MAX_KEYS_PER_READ);
    const numbers = Array.from({ length: end - first }, (_, index) => first + index);
    const entries = await kv.getMany<unknown[]>(numbers.map((part) => key(writeId, 0, part)));
    for (const [index, { value }] of entries.entries()) {
      const length = Math.min(MAX_VALUE_BYTES, bytes - (first + index) * MAX_VALUE_BYTES);
      if (!(value instanceof Uint8Array) || value.length !== length) {
        throw new BlobCorrupt("a part of an unfinished blob is missing");
      }
      hash.update(value);
    }
  }
  return hash.digest("hex");
}
