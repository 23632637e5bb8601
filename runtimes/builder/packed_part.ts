/**
 * Parts of an engine, its module and its baseline, compressed as the store keeps them.
 *
 * @module
 */
import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { decodeMessage, encodeMessage } from "../../shared/message.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A compressed part. */
export interface PackedPart {
  readonly packed: Bytes;
  /** Length of the part in bytes. */
  readonly bytes: number;
}

/** How thoroughly parts are compressed: a fast level of zlib while a run waits, else the usual one. */
export const PACKING = { waited: 1, built: 6 } as const;

const compress = promisify(deflateRaw);
const expand = promisify(inflateRaw);

/** Compresses a part. */
export async function packPart(part: Bytes, level: number): Promise<PackedPart> {
  return { packed: new Uint8Array(await compress(part, { level })), bytes: part.length };
}

/** Undefined when the bytes cannot be decompressed or exceed the length. */
export async function unpackPart({ packed, bytes }: PackedPart): Promise<Bytes | undefined> {
  try {
    return new Uint8Array(await expand(packed, { maxOutputLength: bytes + 1 }));
  } catch {
    return undefined; // any error of zlib
  }
}

/** A packed part as a file. */
export function encodePackedPart({ packed, bytes }: PackedPart): Bytes {
  return encodeMessage({ bytes }, [packed]);
}

/** The inverse of {@link encodePackedPart}. */
export function decodePackedPart(file: Bytes): PackedPart {
  const { head, parts: [packed] } = decodeMessage(file);
  const { bytes } = Object(head);
  if (packed === undefined || !Number.isSafeInteger(bytes)) {
    throw new TypeError("A packed part is not readable");
  }
  return { packed, bytes };
}
