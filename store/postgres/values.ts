/**
 * Values and parameters in the forms of PostgreSQL.
 *
 * A value is a byte for its kind, followed by raw bytes or by V8's structured clone. Arrays are sent
 * in PostgreSQL's binary form, because bytes as text are twice as many. Results are text, because the
 * driver decodes binary results as UTF-8.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { deserialize, serialize } from "node:v8";

const RAW = 0x62; // "b"
const CLONED = 0x76; // "v"
/** Types of PostgreSQL. */
const BYTEA = 17;
const INT8 = 20;
const INT8_BYTES = 8;
const ARRAY_HEAD_BYTES = 20;
const EMPTY_ARRAY_BYTES = 12;
/** Versions have 20 hex digits, as in Deno KV, so that later ones are greater as text, too. */
const VERSION_DIGITS = 20;

/** Bytes as PostgreSQL writes them in text. */
export function hexOf(bytes: Uint8Array): string {
  return `\\x${bytes.toHex()}`;
}

/** The bytes of such text. */
export function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.fromHex(hex.slice(2)); // several times faster than Buffer
}

/** The bytes of a value. */
export function valueToBytes(value: unknown): Uint8Array {
  const isRaw = value instanceof Uint8Array;
  return Buffer.concat([Uint8Array.of(isRaw ? RAW : CLONED), isRaw ? value : serialize(value)]);
}

/** The value of such bytes, from their text. */
export function valueFromHex(hex: string): unknown {
  const bytes = Uint8Array.fromHex(hex.slice(4));
  return Number.parseInt(hex.slice(2, 4), 16) === RAW ? bytes : deserialize(bytes);
}

/** A version from the decimal digits of the database. */
export function versionFrom(digits: string): string {
  return BigInt(digits).toString(16).padStart(VERSION_DIGITS, "0");
}

/** The 8 bytes of a version; null for the absence of a key. */
export function versionToBytes(version: string | null): Uint8Array | null {
  return version === null ? null : Uint8Array.fromHex(version.slice(-2 * INT8_BYTES));
}

/** The 8 bytes of an integer, modulo 2^64. */
export function integerToBytes(integer: bigint): Uint8Array {
  const bytes = new Uint8Array(INT8_BYTES);
  new DataView(bytes.buffer).setBigInt64(0, BigInt.asIntN(64, integer));
  return bytes;
}

/** A parameter of type `bytea[]`. */
export function byteArrays(items: readonly Uint8Array[]): Buffer {
  return arrayOf(BYTEA, items);
}

/** A parameter of type `bigint[]`, of 8 bytes each. */
export function integers(items: readonly (Uint8Array | null)[]): Buffer {
  return arrayOf(INT8, items);
}

function arrayOf(type: number, items: readonly (Uint8Array | null)[]): Buffer {
  const length = items.reduce((sum, item) => sum + 4 + (item?.byteLength ?? 0), 0);
  const bytes = Buffer.alloc(items.length === 0 ? EMPTY_ARRAY_BYTES : ARRAY_HEAD_BYTES + length);
  bytes.writeInt32BE(items.length === 0 ? 0 : 1, 0); // dimensions
  bytes.writeInt32BE(1, 4); // may hold nulls
  bytes.writeInt32BE(type, 8);
  if (items.length === 0) return bytes;
  bytes.writeInt32BE(items.length, 12);
  bytes.writeInt32BE(1, 16); // the first index
  let at = ARRAY_HEAD_BYTES;
  for (const item of items) {
    at = bytes.writeInt32BE(item?.byteLength ?? -1, at);
    if (item !== null) bytes.set(item, at);
    at += item?.byteLength ?? 0;
  }
  return bytes;
}
