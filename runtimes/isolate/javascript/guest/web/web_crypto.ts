/**
 * `crypto` of the Web Cryptography API: random values and digests, and keys for HMAC. Random
 * bytes come from the host, at most 65,536 in a call; digests are computed here, metered like
 * any code of the guest.
 *
 * @module
 */
import { sha1 } from "@noble/hashes/legacy.js";
import { sha256, sha384, sha512 } from "@noble/hashes/sha2.js";
import type { HostFunction } from "../host.ts";
import { exposeInterface, INSPECT, inspectAs } from "./expose.ts";
import { illegalConstructor, invalidArgument } from "./node_error.ts";

type Hash = (message: Uint8Array) => Uint8Array;

const HASHES: ReadonlyMap<string, Hash> = new Map<string, Hash>([
  ["SHA-1", sha1],
  ["SHA-256", sha256],
  ["SHA-384", sha384],
  ["SHA-512", sha512],
]);
const CONSTRUCT = Symbol("construct");
const MAX_RANDOM_BYTES = 65_536;
const INTEGER_ARRAYS = /^(?:Ui|I)nt(?:8|16|32)Array$|^Uint8ClampedArray$|^Big(?:Ui|I)nt64Array$/;

/** Random bytes of any number. */
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

function copyBytes(value: unknown): Uint8Array {
  if (value instanceof ArrayBuffer) return new Uint8Array(value.slice(0));
  if (ArrayBuffer.isView(value)) {
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice();
  }
  throw invalidArgument(
    "data",
    "an instance of ArrayBuffer, Buffer, TypedArray, or DataView",
    value,
  );
}

function hashOf(algorithm: unknown): Hash {
  const name: unknown = typeof algorithm === "object" && algorithm !== null
    ? Reflect.get(algorithm, "name")
    : algorithm;
  const hash = HASHES.get(`${name}`.toUpperCase());
  if (hash === undefined) {
    throw new DOMException("Unrecognized algorithm name", "NotSupportedError");
  }
  return hash;
}

/** Digests of messages. */
export class SubtleCrypto {
  constructor(key: unknown = undefined) {
    if (key !== CONSTRUCT) throw illegalConstructor();
  }

  async digest(algorithm: unknown, data: unknown): Promise<ArrayBuffer> {
    const digest = hashOf(algorithm)(copyBytes(data));
    return await Promise.resolve(new Uint8Array(digest).buffer);
  }

  [INSPECT](...args: readonly unknown[]): unknown {
    return inspectAs(this, "SubtleCrypto", {}, args);
  }
}

let randomBytes: RandomBytes;

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

/** Shapes the classes as guests see them, and makes the one `crypto`. */
export function createCrypto(random: RandomBytes): Crypto {
  randomBytes = random;
  exposeInterface(Crypto, "Crypto");
  exposeInterface(SubtleCrypto, "SubtleCrypto");
  return new Crypto(CONSTRUCT);
}
