/**
 * Converts text to bytes and back, by the engine's own fast paths where they exist: one call of
 * `fromCharCode` for thousands of units, and `decodeURIComponent` as a strict UTF-8 decoder.
 *
 * @module
 */
import { hostRepair } from "./host_text.ts";

const fromCharCode = String.fromCharCode;
const apply = Reflect.apply;
const unescapePercent = decodeURIComponent;
const escapeBinary = escape;
const subarray = Uint8Array.prototype.subarray;
const CHUNK = 4096;
/** Bytes decoded at a time: intermediate values take several times their space. */
const PIECE = 65_536;
const REPLACEMENT = 0xfffd;

/** Bytes as text of units 0 to 255. */
export function bytesToBinary(bytes: Uint8Array): string {
  const { length } = bytes;
  let text = "";
  for (let start = 0; start < length; start += CHUNK) {
    text += apply(fromCharCode, null, apply(subarray, bytes, [start, start + CHUNK]));
  }
  return text;
}

/** 16-bit units as text. */
export function unitsToText(units: ArrayLike<number>, length: number): string {
  let text = "";
  for (let start = 0; start < length; start += CHUNK) {
    const part: number[] = [];
    const end = start + CHUNK < length ? start + CHUNK : length;
    for (let i = start; i < end; i++) part[i - start] = units[i] ?? 0;
    text += apply(fromCharCode, null, part);
  }
  return text;
}

/** The low byte of each unit of a text. */
export function binaryToBytes(text: string): Uint8Array<ArrayBuffer> {
  const { length } = text;
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** The UTF-8 bytes of a code point. */
function writeCodePoint(target: Uint8Array, at: number, code: number): number {
  if (code < 0x80) {
    target[at] = code;
    return at + 1;
  }
  if (code < 0x800) {
    target[at] = 0xc0 | code >> 6;
    target[at + 1] = 0x80 | code & 63;
    return at + 2;
  }
  if (code < 0x10000) {
    target[at] = 0xe0 | code >> 12;
    target[at + 1] = 0x80 | code >> 6 & 63;
    target[at + 2] = 0x80 | code & 63;
    return at + 3;
  }
  target[at] = 0xf0 | code >> 18;
  target[at + 1] = 0x80 | code >> 12 & 63;
  target[at + 2] = 0x80 | code >> 6 & 63;
  target[at + 3] = 0x80 | code & 63;
  return at + 4;
}

/** The progress of an encoding. */
export interface Written {
  /** UTF-16 units read. */
  read: number;
  /** Bytes written. */
  written: number;
}

function codePointAt(text: string, index: number): number {
  const code = text.codePointAt(index) ?? REPLACEMENT;
  return code >= 0xd800 && code <= 0xdfff ? REPLACEMENT : code;
}

function encodedSize(code: number): number {
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

/** Writes as many whole characters as fit; lone surrogates become U+FFFD. */
export function encodeInto(text: string, target: Uint8Array): Written {
  const { length } = text;
  const room = target.length;
  let read = 0;
  let written = 0;
  while (read < length) {
    const unit = text.charCodeAt(read);
    if (unit < 0x80) {
      if (written === room) break;
      target[written++] = unit;
      read++;
      continue;
    }
    const code = codePointAt(text, read);
    if (written + encodedSize(code) > room) break;
    written = writeCodePoint(target, written, code);
    read += code > 0xffff ? 2 : 1;
  }
  return { read, written };
}

/** Length of a text in UTF-8, in bytes. */
export function utf8Length(text: string): number {
  const { length } = text;
  let bytes = length;
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    const code = unit < 0x800 ? unit : codePointAt(text, i);
    if (code > 0xffff) i++;
    bytes += code < 0x800 ? 1 : 2;
  }
  return bytes;
}

let hostEncoder: ((text: string) => ArrayBuffer) | undefined;

/** Number of units from which a host call is cheaper. */
const HOST_LENGTH = 12;

/**
 * Lets the host encode long texts: strings cross to the host as UTF-8 anyway. If the host does not
 * encode, texts are encoded here.
 */
export function useHostEncoder(host: (op: string, text: string) => unknown): void {
  if (!(host("encode", "") instanceof ArrayBuffer)) return;
  hostEncoder = (text) => host("encode", text) as ArrayBuffer;
}

/** The text in UTF-8; lone surrogates become U+FFFD. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  const { length } = text;
  if (hostEncoder !== undefined && length >= HOST_LENGTH) {
    return new Uint8Array(hostEncoder(text));
  }
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x80) return encodeOther(text);
    bytes[i] = unit;
  }
  return bytes;
}

/** Encodes a text that is not all ASCII. */
function encodeOther(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(utf8Length(text));
  encodeInto(text, bytes);
  return bytes;
}

/** Thrown for bytes that are not UTF-8 when the caller asked for a strict decoding. */
export class InvalidUtf8 extends Error {}

/** Least and greatest second byte of a sequence, by its first byte. */
function secondByteRange(lead: number): readonly [least: number, greatest: number] {
  if (lead === 0xe0) return [0xa0, 0xbf];
  if (lead === 0xed) return [0x80, 0x9f];
  if (lead === 0xf0) return [0x90, 0xbf];
  if (lead === 0xf4) return [0x80, 0x8f];
  return [0x80, 0xbf];
}

function sequenceLength(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}

/** Number of bytes at `at` that begin or complete one sequence. */
function validPrefix(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  const length = sequenceLength(lead);
  const [least, greatest] = secondByteRange(lead);
  let count = 1;
  while (count < length) {
    const byte = bytes[at + count];
    const low = count === 1 ? least : 0x80;
    const high = count === 1 ? greatest : 0xbf;
    if (byte === undefined || byte < low || byte > high) break;
    count++;
  }
  return length === 0 ? 0 : count;
}

function decodeSequence(bytes: Uint8Array, at: number, length: number): number {
  let code = bytes[at] ?? 0;
  if (length > 1) code &= 0xff >> length + 1;
  for (let i = 1; i < length; i++) code = code << 6 | (bytes[at + i] ?? 0) & 63;
  return code;
}

/** Decodes with U+FFFD for each maximal part of an invalid sequence. */
function decodeLossy(bytes: Uint8Array): string {
  const repaired = hostRepair(bytes);
  if (repaired !== undefined) return unescapePercent(escapeBinary(bytesToBinary(repaired)));
  const units: number[] = [];
  const { length } = bytes;
  let count = 0;
  for (let at = 0; at < length;) {
    const wanted = sequenceLength(bytes[at] ?? 0);
    const found = validPrefix(bytes, at);
    const whole = wanted > 0 && found === wanted;
    const code = whole ? decodeSequence(bytes, at, wanted) : REPLACEMENT;
    if (code > 0xffff) {
      units[count++] = 0xd7c0 + (code >> 10);
      units[count++] = 0xdc00 | code & 0x3ff;
    } else {
      units[count++] = code;
    }
    at += found === 0 ? 1 : found;
  }
  return unitsToText(units, count);
}

function decodePiece(bytes: Uint8Array, fatal: boolean): string {
  const binary = bytesToBinary(bytes);
  if (!/[\x80-\xff]/.test(binary)) return binary;
  try {
    return unescapePercent(escapeBinary(binary));
  } catch {
    if (fatal) throw new InvalidUtf8();
    return decodeLossy(bytes);
  }
}

/** Decodes UTF-8; a byte order mark is kept. Throws {@link InvalidUtf8} only when `fatal`. */
export function decodeUtf8(bytes: Uint8Array, fatal = false): string {
  const { length } = bytes;
  let text = "";
  for (let start = 0; start < length;) {
    const rest = length - start;
    const view: Uint8Array = apply(subarray, bytes, [start, start + PIECE]);
    const size = rest <= PIECE ? rest : PIECE - incompleteTail(view);
    text += decodePiece(size === view.length ? view : apply(subarray, view, [0, size]), fatal);
    start += size;
  }
  return text;
}

/** Number of bytes at the end that may begin an incomplete character. */
export function incompleteTail(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let back = 1; back <= 3 && back <= length; back++) {
    const lead = bytes[length - back] ?? 0;
    if (lead < 0x80) return 0;
    if (lead < 0xc0) continue;
    const complete = validPrefix(bytes, length - back) === back;
    return complete && sequenceLength(lead) > back ? back : 0;
  }
  return 0;
}

/** Joins the bytes of a character that arrived in pieces with the bytes that follow. */
export function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
