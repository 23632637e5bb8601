/**
 * Keys as bytes whose order is the order of keys in Deno KV: the parts one after the other, each
 * with a byte for its type; text and bytes end with a byte that no content can hold.
 *
 * @module
 */

const BYTES = 0x01;
const TEXT = 0x02;
const NUMBER = 0x21;
const FALSE = 0x26;
const TRUE = 0x27;
/** Follows a zero byte of a content. A zero byte without it ends the content. */
const ESCAPE = 0xff;
/** Deno's limit. An index of PostgreSQL takes 2,704 bytes. */
const MAX_KEY_BYTES = 2_048;
const NUMBER_BYTES = 8;

const utf8 = new TextEncoder();
const text = new TextDecoder();

/**
 * The bytes of a key.
 *
 * @throws {TypeError} for a bigint, which no key of the service has, or a key over Deno's limit
 */
export function keyToBytes(key: Deno.KvKey): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  for (const part of key) {
    if (typeof part === "string") addContent(bytes, TEXT, utf8.encode(part));
    else if (part instanceof Uint8Array) addContent(bytes, BYTES, part);
    else if (typeof part === "number") addNumber(bytes, part);
    else if (typeof part === "boolean") bytes.push(part ? TRUE : FALSE);
    else throw new TypeError(`a ${typeof part} cannot be part of a key`);
  }
  if (bytes.length > MAX_KEY_BYTES) throw new TypeError("a key is too long");
  return Uint8Array.from(bytes);
}

/** The key of such bytes. */
export function keyFromBytes(bytes: Uint8Array): Deno.KvKey {
  const key: Deno.KvKeyPart[] = [];
  for (let at = 0; at < bytes.length;) {
    const type = bytes[at++];
    if (type === NUMBER) {
      key.push(numberAt(bytes, at));
      at += NUMBER_BYTES;
    } else if (type === TRUE || type === FALSE) key.push(type === TRUE);
    else {
      const end = endOfContent(bytes, at);
      const content = contentOf(bytes.subarray(at, end));
      key.push(type === TEXT ? text.decode(content) : content);
      at = end + 1;
    }
  }
  return key;
}

/** The first possible key of a listing, and the one behind its last, as bytes. */
export function boundsOf(selector: Deno.KvListSelector): readonly [Uint8Array, Uint8Array] {
  const start = "start" in selector ? keyToBytes(selector.start) : undefined;
  const end = "end" in selector ? keyToBytes(selector.end) : undefined;
  const prefix = "prefix" in selector ? keyToBytes(selector.prefix) : new Uint8Array();
  return [start ?? Uint8Array.of(...prefix, 0), end ?? Uint8Array.of(...prefix, ESCAPE)];
}

function addContent(into: number[], type: number, content: Uint8Array): void {
  into.push(type);
  for (const byte of content) {
    into.push(byte);
    if (byte === 0) into.push(ESCAPE);
  }
  into.push(0);
}

/** IEEE 754, with the bits that make it sort as bytes. */
function addNumber(into: number[], number: number): void {
  const bytes = new Uint8Array(NUMBER_BYTES);
  new DataView(bytes.buffer).setFloat64(0, number);
  const isNegative = (bytes[0] ?? 0) >= 0x80;
  into.push(NUMBER, ...bytes.map((byte, at) => isNegative ? ~byte : at === 0 ? byte | 0x80 : byte));
}

function numberAt(bytes: Uint8Array, at: number): number {
  const isNegative = (bytes[at] ?? 0) < 0x80;
  const ieee = bytes.slice(at, at + NUMBER_BYTES)
    .map((byte, n) => isNegative ? ~byte : n === 0 ? byte & 0x7f : byte);
  return new DataView(ieee.buffer).getFloat64(0);
}

function endOfContent(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && (bytes[at] !== 0 || bytes[at + 1] === ESCAPE)) at++;
  return at;
}

/** An escape follows a zero byte only, and a zero byte always has one. */
function contentOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bytes).filter((byte, at) => byte !== ESCAPE || bytes[at - 1] !== 0);
}
