/**
 * Digests and HMACs of Node's `crypto` module, over `@noble/hashes`.
 *
 * @module
 */
import { hmac } from "@noble/hashes/hmac.js";
import { md5, ripemd160, sha1 } from "@noble/hashes/legacy.js";
import { sha224, sha256, sha384, sha512, sha512_256 } from "@noble/hashes/sha2.js";
import { setName } from "../web/expose.ts";
import { invalidArgument, nodeError } from "../web/node_error.ts";
import { asBuffer } from "./buffer.ts";
import { requireEncoding } from "./buffer_encodings.ts";

/** A hash function of the library. */
export type HashFunction = typeof sha256;
type Hasher = ReturnType<HashFunction["create"]>;

const HASHES: ReadonlyMap<string, HashFunction> = new Map<string, unknown>([
  ["md5", md5],
  ["ripemd160", ripemd160],
  ["sha1", sha1],
  ["sha224", sha224],
  ["sha256", sha256],
  ["sha384", sha384],
  ["sha512", sha512],
  ["sha512-256", sha512_256],
]) as ReadonlyMap<string, HashFunction>;

const findHash = HASHES.get.bind(HASHES);

/** Names of the digests, as `getHashes` lists them. */
export function hashNames(): string[] {
  return [...HASHES.keys()];
}

/** The hash function of a name; undefined if there is none. */
export function hashFunction(name: string): HashFunction | undefined {
  const lower = name.toLowerCase();
  return findHash(lower) ?? findHash(lower.replace(/^(?:rsa-)?sha-/, "sha").replace(/^rsa-/, ""));
}

function invalidDigest(name: string): Error {
  return nodeError(TypeError, "ERR_CRYPTO_INVALID_DIGEST", `Invalid digest: ${name}`);
}

/** Throws unless the name is a digest's. */
export function requireHash(name: unknown, parameter = "digest"): HashFunction {
  if (typeof name !== "string") throw invalidArgument(parameter, "of type string", name);
  const found = hashFunction(name);
  if (found === undefined) throw invalidDigest(name);
  return found;
}

/** Bytes of text or of any view. */
export function bytesOf(parameter: string, data: unknown, encoding?: unknown): Uint8Array {
  if (typeof data === "string") return requireEncoding(encoding).encode(data);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (ArrayBuffer.isView(data)) {
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  }
  const expected = "of type string or an instance of Buffer, TypedArray, or DataView";
  throw invalidArgument(parameter, expected, data);
}

/** Bytes as a buffer, or as text in an encoding. */
export function output(bytes: Uint8Array, encoding: unknown): Uint8Array | string {
  if (encoding === undefined || encoding === null || encoding === "buffer") return asBuffer(bytes);
  return requireEncoding(encoding).decode(bytes);
}

function finalized(): Error {
  return nodeError(Error, "ERR_CRYPTO_HASH_FINALIZED", "Digest already called");
}

/** What `createHash` and `createHmac` give. */
class Digest {
  #hasher: Hasher | undefined;

  constructor(hasher: Hasher) {
    this.#hasher = hasher;
  }

  update(data: unknown, encoding: unknown = undefined): this {
    if (this.#hasher === undefined) throw finalized();
    this.#hasher.update(bytesOf("data", data, encoding));
    return this;
  }

  digest(encoding: unknown = undefined): Uint8Array | string {
    if (this.#hasher === undefined) throw finalized();
    const bytes = this.#hasher.digest();
    this.#hasher = undefined;
    return output(bytes, encoding);
  }

  protected copyHasher(): Hasher {
    if (this.#hasher === undefined) throw finalized();
    return this.#hasher.clone();
  }
}

class Hash extends Digest {
  copy(): Hash {
    return new Hash(this.copyHasher());
  }
}

class Hmac extends Digest {}

/** Names the classes as guests see them. */
export function exposeHashes(): { readonly Hash: object; readonly Hmac: object } {
  setName(Hash, "Hash");
  setName(Hmac, "Hmac");
  return { Hash, Hmac };
}

export function createHash(name: unknown): Hash {
  if (typeof name !== "string") throw invalidArgument("algorithm", "of type string", name);
  const found = hashFunction(name);
  if (found === undefined) {
    throw new Error("Digest method not supported");
  }
  return new Hash(found.create());
}

export function createHmac(name: unknown, key: unknown): Hmac {
  if (typeof name !== "string") throw invalidArgument("hmac", "of type string", name);
  const found = hashFunction(name);
  if (found === undefined) throw invalidDigest(name);
  // The library's HMAC has the methods of a hasher; its type does not say so.
  const hasher: unknown = hmac.create(found, bytesOf("key", key));
  return new Hmac(hasher as Hasher);
}

/** A digest at one stroke: `crypto.hash`. */
export function hash(name: unknown, data: unknown, encoding: unknown = "hex"): Uint8Array | string {
  return createHash(name).update(data).digest(encoding);
}
