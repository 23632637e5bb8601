/**
 * `crypto` of the Web Cryptography API: random values, digests, and secret keys. There are no key
 * pairs. Random bytes come from the host, at most 65,536 per call.
 *
 * The interface is written by hand because the host computes: only names, checks and errors remain.
 * A package would bring its own ciphers, which this engine would have to interpret.
 *
 * @module
 */
import type { HostFunction } from "../host.ts";
import { type CryptoKey, exposeCryptoKey } from "./crypto_key.ts";
import { exposeInterface, INSPECT, inspectAs } from "./expose.ts";
import { digestBytes } from "./hashing.ts";
import { illegalConstructor } from "./node_error.ts";
import {
  argumentBytes,
  exportKey,
  generateKey,
  importKey,
  keyBits,
  readAlgorithm,
  readHash,
} from "./subtle_keys.ts";
import { cipher, deriveBits, sign, verify } from "./subtle_operations.ts";

const CONSTRUCT = Symbol("construct");
const MAX_RANDOM_BYTES = 65_536;
const INTEGER_ARRAYS = /^(?:Ui|I)nt(?:8|16|32)Array$|^Uint8ClampedArray$|^Big(?:Ui|I)nt64Array$/;

/** Returns any number of random bytes. */
export type RandomBytes = (count: number) => Uint8Array<ArrayBuffer>;

/** Makes the source of random bytes over the host. */
export function createRandomBytes(host: HostFunction): RandomBytes {
  return (count) => {
    const bytes = new Uint8Array(count);
    for (let at = 0; at < count; at += MAX_RANDOM_BYTES) {
      const part = Math.min(MAX_RANDOM_BYTES, count - at);
      bytes.set(new Uint8Array(host("random", `${part}`)), at);
    }
    return bytes;
  };
}

/** A random UUID of version 4. */
export function formatUuid(bytes: Uint8Array): string {
  let hex = "";
  for (let i = 0; i < 16; i++) {
    let byte = bytes[i] ?? 0;
    if (i === 6) byte = byte & 0x0f | 0x40;
    if (i === 8) byte = byte & 0x3f | 0x80;
    if (i === 4 || i === 6 || i === 8 || i === 10) hex += "-";
    hex += (byte < 16 ? "0" : "") + byte.toString(16);
  }
  return hex;
}

let randomBytes: RandomBytes;

/** Keys and operations with them. Each method returns a promise, and rejects it with its errors. */
export class SubtleCrypto {
  constructor(key: unknown = undefined) {
    if (key !== CONSTRUCT) throw illegalConstructor();
  }

  async digest(algorithm: unknown, data: unknown): Promise<ArrayBuffer> {
    const bytes = argumentBytes(data, "digest", "2nd");
    const { hash } = readHash(algorithm);
    return await Promise.resolve(digestBytes(hash, bytes).buffer);
  }

  async importKey(
    format: unknown,
    data: unknown,
    algorithm: unknown,
    extractable: unknown,
    usages: unknown,
  ): Promise<CryptoKey> {
    return await Promise.resolve(importKey(format, data, algorithm, extractable, usages));
  }

  async exportKey(format: unknown, key: unknown): Promise<unknown> {
    return await Promise.resolve(exportKey(format, key));
  }

  async generateKey(algorithm: unknown, extractable: unknown, usages: unknown): Promise<CryptoKey> {
    return await Promise.resolve(generateKey(randomBytes, algorithm, extractable, usages));
  }

  async sign(algorithm: unknown, key: unknown, data: unknown): Promise<ArrayBuffer> {
    return await Promise.resolve(sign(algorithm, key, data));
  }

  async verify(
    algorithm: unknown,
    key: unknown,
    signature: unknown,
    data: unknown,
  ): Promise<boolean> {
    return await Promise.resolve(verify(algorithm, key, signature, data));
  }

  async encrypt(algorithm: unknown, key: unknown, data: unknown): Promise<ArrayBuffer> {
    return await Promise.resolve(cipher("encrypt", algorithm, key, data));
  }

  async decrypt(algorithm: unknown, key: unknown, data: unknown): Promise<ArrayBuffer> {
    return await Promise.resolve(cipher("decrypt", algorithm, key, data));
  }

  async deriveBits(algorithm: unknown, key: unknown, length: unknown): Promise<ArrayBuffer> {
    return await Promise.resolve(deriveBits(algorithm, key, length).buffer);
  }

  async deriveKey(
    algorithm: unknown,
    key: unknown,
    derived: unknown,
    extractable: unknown,
    usages: unknown,
  ): Promise<CryptoKey> {
    const bits = keyBits(readAlgorithm(derived));
    const bytes = deriveBits(algorithm, key, bits, "deriveKey");
    return await Promise.resolve(importKey("raw", bytes, derived, extractable, usages));
  }

  [INSPECT](...args: readonly unknown[]): unknown {
    return inspectAs(this, "SubtleCrypto", {}, args);
  }
}

/** Random values and digests. */
export class Crypto {
  readonly #subtle = new SubtleCrypto(CONSTRUCT);

  constructor(key: unknown = undefined) {
    if (key !== CONSTRUCT) throw illegalConstructor();
  }

  get subtle(): SubtleCrypto {
    return this.#subtle;
  }

  getRandomValues(array: unknown): unknown {
    const tag: unknown = ArrayBuffer.isView(array) ? Reflect.get(array, Symbol.toStringTag) : "";
    if (!ArrayBuffer.isView(array) || !INTEGER_ARRAYS.test(`${tag}`)) {
      const message = "The data argument must be an integer-type TypedArray";
      throw new DOMException(message, "TypeMismatchError");
    }
    if (array.byteLength > MAX_RANDOM_BYTES) {
      const message = "The requested length exceeds 65,536 bytes";
      throw new DOMException(message, "QuotaExceededError");
    }
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    bytes.set(randomBytes(bytes.length));
    return array;
  }

  randomUUID(): string {
    return formatUuid(randomBytes(16));
  }

  [INSPECT](...args: readonly unknown[]): unknown {
    return inspectAs(this, "Crypto", {}, args);
  }
}

/** Prepares the classes for guests, and makes the only `crypto`. */
export function createCrypto(random: RandomBytes): Crypto {
  randomBytes = random;
  exposeInterface(Crypto, "Crypto");
  exposeInterface(SubtleCrypto, "SubtleCrypto");
  exposeCryptoKey();
  return new Crypto(CONSTRUCT);
}
