/**
 * `atob` and `btoa`: the forgiving Base64 of the Infra Standard, over text of bytes.
 *
 * @module
 */
import { hostBase64, hostBytes } from "./host_text.ts";
import { missingArguments } from "./node_error.ts";
import { binaryToBytes, bytesToBinary } from "./utf8.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Values of the 128 ASCII characters; 64 for characters outside Base64. */
function createDecodingTable(): Uint8Array {
  const table = new Uint8Array(128).fill(64);
  for (let i = 0; i < ALPHABET.length; i++) table[ALPHABET.charCodeAt(i)] = i;
  return table;
}

const DECODING = createDecodingTable();

function invalidCharacter(message: string): DOMException {
  return new DOMException(message, "InvalidCharacterError");
}

/** Base64 of bytes, with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  const whole = hostBase64(bytes);
  if (whole !== undefined) return whole;
  let text = "";
  const { length } = bytes;
  for (let i = 0; i < length; i += 3) {
    const second = bytes[i + 1];
    const third = bytes[i + 2];
    const triple = (bytes[i] ?? 0) << 16 | (second ?? 0) << 8 | (third ?? 0);
    text += `${ALPHABET[triple >> 18]}${ALPHABET[triple >> 12 & 63]}` +
      `${second === undefined ? "=" : ALPHABET[triple >> 6 & 63]}` +
      `${third === undefined ? "=" : ALPHABET[triple & 63]}`;
  }
  return text;
}

function decodeQuads(text: string): Uint8Array {
  const whole = hostBytes(text);
  if (whole !== undefined) return whole;
  const { length } = text;
  const bytes = new Uint8Array(length * 3 >> 2);
  let bits = 0;
  let buffer = 0;
  let at = 0;
  for (let i = 0; i < length; i++) {
    const value = DECODING[text.charCodeAt(i)] ?? 64;
    if (value === 64) throw invalidCharacter("Invalid character");
    buffer = buffer << 6 | value;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = buffer >> bits;
    buffer &= (1 << bits) - 1;
  }
  return bytes;
}

/** Decodes Base64 to text of bytes. */
export function atob(...args: readonly unknown[]): string {
  if (args.length === 0) throw missingArguments("input");
  let text = `${args[0]}`.replace(/[\t\n\f\r ]+/g, "");
  if (text.length % 4 === 0) text = text.replace(/={1,2}$/, "");
  const bytes = decodeQuads(text);
  if (text.length % 4 === 1) {
    throw invalidCharacter("The string to be decoded is not correctly encoded.");
  }
  return bytesToBinary(bytes);
}

/** Encodes text of bytes as Base64. */
export function btoa(...args: readonly unknown[]): string {
  if (args.length === 0) throw missingArguments("input");
  const text = `${args[0]}`;
  if (/[^\0-\xff]/.test(text)) throw invalidCharacter("Invalid character");
  return encodeBase64(binaryToBytes(text));
}
