/**
 * The encodings of Node's `Buffer`: text to bytes and back.
 *
 * @module
 */
import { encodeBase64 } from "../web/base64.ts";
import { hostBytes } from "../web/host_text.ts";
import { nodeError } from "../web/node_error.ts";
import {
  binaryToBytes,
  bytesToBinary,
  decodeUtf8,
  encodeInto,
  encodeUtf8,
  unitsToText,
  utf8Length,
} from "../web/utf8.ts";

/** One encoding. */
export interface Encoding {
  readonly name: string;
  encode(text: string): Uint8Array;
  decode(bytes: Uint8Array): string;
  /** Bytes of a text; for hexadecimal and Base64 computed from its length alone. */
  byteLength(text: string): number;
  /** Writes as many whole characters as fit. Returns the number of bytes written. */
  write(text: string, target: Uint8Array): number;
}

const HEX = "0123456789abcdef";
const BASE64_VALUES = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function createHexTable(): readonly string[] {
  return Array.from({ length: 256 }, (_, byte) => `${HEX[byte >> 4]}${HEX[byte & 15]}`);
}

/** Values of the characters of both Base64 alphabets, by UTF-16 unit; -1 for all others. */
function createBase64Table(): Int8Array {
  const table = new Int8Array(256).fill(-1);
  for (let i = 0; i < 64; i++) table[BASE64_VALUES.charCodeAt(i)] = i;
  table["-".charCodeAt(0)] = 62;
  table["_".charCodeAt(0)] = 63;
  return table;
}

const HEX_PAIRS = createHexTable();
const BASE64_TABLE = createBase64Table();

/** Eight bytes at a time: the engine formats a number far faster than a loop here formats bytes. */
function decodeHex(bytes: Uint8Array): string {
  const { length } = bytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset, length);
  let text = "";
  let at = 0;
  for (; at + 8 <= length; at += 8) text += view.getBigUint64(at).toString(16).padStart(16, "0");
  for (; at < length; at++) text += HEX_PAIRS[bytes[at] ?? 0];
  return text;
}

function hexValue(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const letter = unit | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** Encodes up to the first pair that is not a hexadecimal number. */
function encodeHex(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length >> 1);
  for (let i = 0; i < bytes.length; i++) {
    const high = hexValue(text.charCodeAt(2 * i));
    const low = hexValue(text.charCodeAt(2 * i + 1));
    if (high < 0 || low < 0) return bytes.subarray(0, i);
    bytes[i] = high << 4 | low;
  }
  return bytes;
}

function base64Value(text: string, index: number): number {
  return BASE64_TABLE[text.charCodeAt(index) & 0xff] ?? -1;
}

/** Decodes groups of four characters up to the first incomplete one. Returns its index. */
function encodeQuads(text: string, bytes: Uint8Array): number {
  let i = 0;
  for (let at = 0; i + 4 <= text.length; i += 4) {
    const group = base64Value(text, i) << 18 | base64Value(text, i + 1) << 12 |
      base64Value(text, i + 2) << 6 | base64Value(text, i + 3);
    if (group < 0) break;
    bytes[at++] = group >> 16;
    bytes[at++] = group >> 8;
    bytes[at++] = group;
  }
  return i;
}

/**
 * Decodes either alphabet up to the first padding and skips characters of neither. Only the low
 * byte of each unit counts, as in Node.
 */
function encodeBase64Text(text: string): Uint8Array {
  const whole = hostBytes(text);
  if (whole !== undefined) return whole;
  const bytes = new Uint8Array((text.length * 3 >> 2) + 3);
  const plain = encodeQuads(text, bytes);
  let count = plain / 4 * 3;
  let bits = 0;
  let buffer = 0;
  for (let i = plain; i < text.length; i++) {
    const unit = text.charCodeAt(i) & 0xff;
    if (unit === 0x3d) break;
    const value = BASE64_TABLE[unit] ?? -1;
    if (value < 0) continue;
    buffer = (buffer << 6 | value) & 0xfff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[count++] = buffer >> bits;
  }
  return bytes.subarray(0, count);
}

function base64Length(text: string): number {
  let { length } = text;
  if (text.charCodeAt(length - 1) === 0x3d) length--;
  if (length > 1 && text.charCodeAt(length - 1) === 0x3d) length--;
  return length * 3 >>> 2;
}

function decodeUrlBase64(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function decodeAscii(bytes: Uint8Array): string {
  return bytesToBinary(bytes.map((byte) => byte & 0x7f));
}

function encodeUtf16(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    bytes[2 * i] = unit;
    bytes[2 * i + 1] = unit >> 8;
  }
  return bytes;
}

function decodeUtf16(bytes: Uint8Array): string {
  const count = bytes.length >> 1;
  const units: number[] = [];
  for (let i = 0; i < count; i++) {
    units[i] = (bytes[2 * i] ?? 0) | (bytes[2 * i + 1] ?? 0) << 8;
  }
  return unitsToText(units, count);
}

function encoding(
  name: string,
  encode: (text: string) => Uint8Array,
  decode: (bytes: Uint8Array) => string,
  byteLength: (text: string) => number,
  unit = 1,
): Encoding {
  const write = (text: string, target: Uint8Array) => {
    const bytes = encode(text);
    const length = Math.min(bytes.length, target.length);
    const whole = length - length % unit;
    target.set(bytes.subarray(0, whole));
    return whole;
  };
  return { name, encode, decode, byteLength, write };
}

const units = (text: string) => text.length;

/** UTF-8, the default encoding. */
export const UTF8: Encoding = {
  name: "utf8",
  encode: encodeUtf8,
  decode: (bytes) => decodeUtf8(bytes),
  byteLength: utf8Length,
  write: (text, target) => encodeInto(text, target).written,
};

const LATIN1 = encoding("latin1", binaryToBytes, bytesToBinary, units);
const UTF16 = encoding("utf16le", encodeUtf16, decodeUtf16, (text) => 2 * text.length, 2);

const ENCODINGS: ReadonlyMap<string, Encoding> = new Map([
  ["utf8", UTF8],
  ["utf-8", UTF8],
  ["hex", encoding("hex", encodeHex, decodeHex, (text) => text.length >>> 1)],
  ["base64", encoding("base64", encodeBase64Text, encodeBase64, base64Length)],
  ["base64url", encoding("base64url", encodeBase64Text, decodeUrlBase64, base64Length)],
  ["latin1", LATIN1],
  ["binary", LATIN1],
  ["ascii", encoding("ascii", binaryToBytes, decodeAscii, units)],
  ["utf16le", UTF16],
  ["utf-16le", UTF16],
  ["ucs2", UTF16],
  ["ucs-2", UTF16],
]);

const getEncoding = ENCODINGS.get.bind(ENCODINGS);

/** The encoding with a name, ignoring case; undefined if there is none. */
export function findEncoding(name: unknown): Encoding | undefined {
  return typeof name === "string"
    ? getEncoding(name) ?? getEncoding(name.toLowerCase())
    : undefined;
}

/** The encoding with a name, or UTF-8 without a name. Throws `ERR_UNKNOWN_ENCODING`. */
export function requireEncoding(name: unknown): Encoding {
  if (name === undefined || name === null || name === "") return UTF8;
  const found = findEncoding(name);
  if (found === undefined) {
    throw nodeError(TypeError, "ERR_UNKNOWN_ENCODING", `Unknown encoding: ${String(name)}`);
  }
  return found;
}
