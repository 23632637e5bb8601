/**
 * The contents of a store, searched, also inside of compressed snapshots.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { constants, inflateRawSync } from "node:zlib";

/** Bytes before the compressed pages of a snapshot. */
const COUNT_BYTES = 4;
/** The last parts of the key of a blob: write id, number, part. */
const BLOB_PARTS = 3;

/** Texts that a store holds. */
export interface StoredTexts {
  /** In keys and values as they are. */
  readonly plain: ReadonlySet<string>;
  /** In values once they are inflated. */
  readonly inflated: ReadonlySet<string>;
}

/** Finds which of the texts a store in a file holds. No service has it open. */
export async function textsInStore(path: string, texts: readonly string[]): Promise<StoredTexts> {
  const blobs = new Map<string, Uint8Array[]>();
  const [plain, inflated] = [new Set<string>(), new Set<string>()];
  using store = await Deno.openKv(path);
  for await (const { key, value } of store.list({ prefix: [] })) {
    const bytes = value instanceof Uint8Array ? value : Buffer.from(Deno.inspect(value, ALL));
    collect(plain, Buffer.concat([Buffer.from(Deno.inspect(key, ALL)), bytes]), texts);
    if (!(value instanceof Uint8Array)) continue;
    const blob = Deno.inspect(key.slice(0, -BLOB_PARTS).concat(key.slice(-BLOB_PARTS, -1)), ALL);
    blobs.set(blob, [...blobs.get(blob) ?? [], value]);
  }
  for (const parts of blobs.values()) {
    collect(inflated, inflatedFrom(Buffer.concat(parts)), texts);
  }
  return { plain, inflated };
}

const ALL = { depth: Infinity, strAbbreviateSize: Infinity, iterableLimit: Infinity };

function collect(found: Set<string>, bytes: Buffer, texts: readonly string[]): void {
  for (const text of texts) if (bytes.includes(text)) found.add(text);
}

/** The pages of a snapshot; nothing for other bytes. */
function inflatedFrom(bytes: Buffer): Buffer {
  try {
    return inflateRawSync(bytes.subarray(COUNT_BYTES), { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return Buffer.alloc(0);
  }
}
