/**
 * Digests, message authentication codes and derived keys. The host computes them by a stateless
 * function of bytes. A message is collected here until its digest is requested.
 *
 * @module
 */
import { type Algorithm, findAlgorithm } from "../../host/hash_algorithms.ts";
import type { HostFunction } from "../host.ts";
import { nodeError } from "./node_error.ts";
import { encodeUtf8 } from "./utf8.ts";

export { type Algorithm, findAlgorithm };

type Data = string | ArrayBuffer;

/** Minimum and maximum bytes of a piece that collects short updates. */
const LEAST_PIECE = 256;
const MOST_PIECE = 1 << 20;

/** Maximum number of characters that are collected before they are encoded. */
const MOST_TEXT = 4096;

/**
 * Whether a unit is the second half of a character, which must not join the first half in another
 * text.
 */
function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

let host: HostFunction | undefined;

/** Sets the host function that computes. Call it once. */
export function useHashingHost(use: HostFunction): void {
  host = use;
}

function compute(request: string, data: string | readonly Data[]): Uint8Array<ArrayBuffer> {
  const reply = typeof data === "string"
    ? host?.("hash", request, data)
    : host?.("hash", request, ...data);
  if (reply instanceof ArrayBuffer) return new Uint8Array(reply);
  throw nodeError(Error, "ERR_CRYPTO_OPERATION_FAILED", "Operation failed");
}

/** The bytes as a separate buffer. */
function bufferOf(bytes: Uint8Array): ArrayBuffer {
  const { buffer, byteLength } = bytes;
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  return isWhole ? buffer : new Uint8Array(bytes).buffer;
}

/** A growing message. It copies each part, so later changes to a part have no effect. */
export class Message {
  /** Full pieces. */
  #pieces: ArrayBuffer[] = [];
  #open = new Uint8Array(0);
  #count = 0;
  /** Text that is not yet encoded: a host call for each of many short texts is expensive. */
  #text = "";

  add(part: Uint8Array | string): void {
    if (typeof part !== "string") {
      this.#endText();
      this.#addBytes(part);
      return;
    }
    const isFull = this.#text.length + part.length > MOST_TEXT;
    if (isFull || isLowSurrogate(part.charCodeAt(0))) this.#endText();
    this.#text += part;
  }

  #endText(): void {
    const text = this.#text;
    this.#text = "";
    if (text !== "") this.#addBytes(encodeUtf8(text));
  }

  #addBytes(bytes: Uint8Array): void {
    const { length } = bytes;
    for (let at = 0; at < length;) {
      if (this.#count === this.#open.length) this.#openPiece(length - at);
      const room = this.#open.length - this.#count;
      const part = at === 0 && length <= room ? bytes : bytes.subarray(at, at + room);
      this.#open.set(part, this.#count);
      this.#count += part.length;
      at += part.length;
    }
  }

  /** The data to send to the host. */
  data(): readonly Data[] {
    this.#endText();
    return [...this.#pieces, bufferOf(this.#open.subarray(0, this.#count))];
  }

  copy(): Message {
    const copy = new Message();
    copy.#pieces = [...this.#pieces];
    copy.#open = this.#open.slice();
    copy.#count = this.#count;
    copy.#text = this.#text;
    return copy;
  }

  /** The first piece has the length of the added bytes; later ones leave room for more. */
  #openPiece(needed: number): void {
    const { length } = this.#open;
    if (length > 0) this.#pieces.push(this.#open.buffer);
    const wanted = length === 0 ? needed : Math.max(LEAST_PIECE, 2 * length);
    this.#open = new Uint8Array(Math.min(wanted, MOST_PIECE));
    this.#count = 0;
  }
}

function messageOf(...parts: readonly Uint8Array[]): Message {
  const message = new Message();
  for (const part of parts) message.add(part);
  return message;
}

/** The digest of bytes. */
export function digestBytes(algorithm: Algorithm, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return digest(algorithm, messageOf(bytes));
}

/** The digest of a message. `length`: its bytes, for functions with variable output. */
export function digest(
  { name, variable, digestBytes }: Algorithm,
  message: Message | string,
  length = digestBytes,
): Uint8Array<ArrayBuffer> {
  if (length === 0) return new Uint8Array(0);
  return compute(
    variable ? `digest ${name} ${length}` : `digest ${name}`,
    typeof message === "string" ? message : message.data(),
  );
}

export function hmac(
  { name }: Algorithm,
  key: Uint8Array,
  message: Message | string,
): Uint8Array<ArrayBuffer> {
  return compute(`hmac ${name}`, [
    bufferOf(key),
    ...(typeof message === "string" ? [message] : message.data()),
  ]);
}

/** The HMAC of bytes. */
export function hmacBytes(
  algorithm: Algorithm,
  key: Uint8Array,
  bytes: Uint8Array,
): Uint8Array<ArrayBuffer> {
  return hmac(algorithm, key, messageOf(bytes));
}

/** Derives `length` bytes, at least one, by RFC 8018. */
export function pbkdf2(
  { name }: Algorithm,
  { password, salt }: { readonly password: Uint8Array; readonly salt: Uint8Array },
  iterations: number,
  length: number,
): Uint8Array<ArrayBuffer> {
  const request = `pbkdf2 ${name} ${iterations} ${length}`;
  return compute(request, [bufferOf(password), bufferOf(salt)]);
}

/** Derives `length` bytes, at least one, by RFC 7914. */
export function scrypt(
  { password, salt }: { readonly password: Uint8Array; readonly salt: Uint8Array },
  { N, r, p }: { readonly N: number; readonly r: number; readonly p: number },
  length: number,
): Uint8Array<ArrayBuffer> {
  return compute(`scrypt ${N} ${r} ${p} ${length}`, [bufferOf(password), bufferOf(salt)]);
}

/** HKDF counts blocks in one byte. */
const MAX_HKDF_DIGESTS = 255;

/** Derives bytes by RFC 5869. */
export function hkdf(
  algorithm: Algorithm,
  { key, salt, info }: {
    readonly key: Uint8Array;
    readonly salt: Uint8Array;
    readonly info: Uint8Array;
  },
  length: number,
): Uint8Array<ArrayBuffer> {
  if (length > MAX_HKDF_DIGESTS * algorithm.digestBytes) {
    throw nodeError(RangeError, "ERR_CRYPTO_INVALID_KEYLEN", "Invalid key length");
  }
  const extracted = hmac(algorithm, salt, messageOf(key));
  const derived = new Uint8Array(length);
  let last = new Uint8Array(0);
  for (let at = 0, count = 1; at < length; count++) {
    last = hmac(algorithm, extracted, messageOf(last, info, Uint8Array.of(count)));
    derived.set(last.subarray(0, length - at), at);
    at += last.length;
  }
  return derived;
}
