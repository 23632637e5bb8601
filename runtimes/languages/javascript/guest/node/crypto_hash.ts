/**
 * Digests and HMACs of Node's `crypto` module.
 *
 * @module
 */
import * as hashing from "../web/hashing.ts";
import { type Algorithm, findAlgorithm, Message } from "../web/hashing.ts";
import { invalidArgument, nodeError, outOfRange } from "../web/node_error.ts";
import { asBuffer } from "./buffer.ts";
import { type Encoding, findEncoding, requireEncoding, UTF8 } from "./buffer_encodings.ts";
import { callable, makeLazyTransform, pushChunk } from "./lazy_stream.ts";

/** The names that `getHashes` lists: Node's names for the available functions. */
const NAMES = "RSA-MD5 RSA-RIPEMD160 RSA-SHA1 RSA-SHA1-2 RSA-SHA224 RSA-SHA256 RSA-SHA3-224 " +
  "RSA-SHA3-256 RSA-SHA3-384 RSA-SHA3-512 RSA-SHA384 RSA-SHA512 RSA-SHA512/224 RSA-SHA512/256 " +
  "RSA-SM3 blake2b512 blake2s256 md5 ripemd ripemd160 rmd160 sha1 sha224 sha256 sha3-224 " +
  "sha3-256 sha3-384 sha3-512 sha384 sha512 sha512-224 sha512-256 shake128 shake256 sm3 " +
  "ssl3-md5 ssl3-sha1";
/** Name in lower case → the function's own name. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["ripemd", "ripemd160"],
  ["rmd160", "ripemd160"],
  ["sha-1", "sha1"],
  ["sha-224", "sha224"],
  ["sha-256", "sha256"],
  ["sha-384", "sha384"],
  ["sha-512", "sha512"],
  ["ssl3-md5", "md5"],
  ["ssl3-sha1", "sha1"],
  ["rsa-sha1-2", "sha1"],
  ["rsa-sha512/224", "sha512-224"],
  ["rsa-sha512/256", "sha512-256"],
]);
const SIGNATURE = "rsa-";
const findAlias = ALIASES.get.bind(ALIASES);

/** Names of the digests, as `getHashes` lists them. */
export function hashNames(): string[] {
  return NAMES.split(" ");
}

function hashFunction(name: string): Algorithm | undefined {
  const exact = findAlgorithm(name);
  if (exact !== undefined) return exact;
  const lower = name.toLowerCase();
  const alias = findAlias(lower);
  if (alias !== undefined) return findAlgorithm(alias);
  return findAlgorithm(lower.startsWith(SIGNATURE) ? lower.slice(SIGNATURE.length) : lower);
}

/** `ERR_CRYPTO_INVALID_DIGEST`. */
export function invalidDigest(name: string): Error {
  return nodeError(TypeError, "ERR_CRYPTO_INVALID_DIGEST", `Invalid digest: ${name}`);
}

/** Throws unless the name is the name of a digest. */
export function requireHash(name: unknown, parameter = "digest"): Algorithm {
  if (typeof name !== "string") throw invalidArgument(parameter, "of type string", name);
  const found = hashFunction(name);
  if (found === undefined) throw invalidDigest(name);
  return found;
}

const MAX_LENGTH = 2 ** 32 - 1;
const DATA = "of type string or an instance of Buffer, TypedArray, or DataView";
/** The accepted types of other bytes. */
export const VECTOR =
  "of type string or an instance of ArrayBuffer, Buffer, TypedArray, or DataView";
/** The accepted types of keys. */
export const SECRET =
  "of type string or an instance of ArrayBuffer, Buffer, TypedArray, DataView, " +
  "KeyObject, or CryptoKey";

/** Bytes of text or of any view. */
export function bytesOf(
  parameter: string,
  data: unknown,
  encoding?: unknown,
  expected = DATA,
): Uint8Array {
  if (typeof data === "string") return requireEncoding(encoding).encode(data);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (ArrayBuffer.isView(data)) {
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  }
  throw invalidArgument(parameter, expected, data);
}

/** The encoding of a message's text; an unknown one means UTF-8 here. */
export function inputEncoding(name: unknown): Encoding {
  return name === undefined ? UTF8 : findEncoding(name) ?? UTF8;
}

/** The bytes of a part of a message. */
export function messageBytes(data: unknown, encoding: unknown): Uint8Array {
  if (data instanceof ArrayBuffer) throw invalidArgument("data", DATA, data);
  if (typeof data !== "string") return bytesOf("data", data);
  const found = inputEncoding(encoding);
  if (found.name === "hex" && data.length % 2 !== 0) {
    const reason = `is invalid for data of length ${data.length}. Received 'hex'`;
    throw nodeError(TypeError, "ERR_INVALID_ARG_VALUE", `The argument 'encoding' ${reason}`);
  }
  return found.encode(data);
}

/** Bytes as a buffer, or as text in a known encoding. */
function output(bytes: Uint8Array, encoding: unknown): Uint8Array | string {
  const found = encoding === undefined || encoding === "" ? undefined : findEncoding(encoding);
  return found === undefined ? asBuffer(bytes) : found.decode(bytes);
}

function finalized(): Error {
  return nodeError(Error, "ERR_CRYPTO_HASH_FINALIZED", "Digest already called");
}

type Done = (error: unknown) => void;

/** The message so far; null once the digest has been taken. */
type Added = string | Message | undefined | null;

interface DigestParts {
  readonly algorithm: Algorithm;
  /** The length of the digest in bytes, or the key of the HMAC. */
  readonly parameter: number | Uint8Array;
  readonly added: Added;
}

let partsOf: (digest: Digest) => DigestParts;

/**
 * The result of `createHash` and `createHmac`. It becomes a stream when it is used as one: most
 * digests are of one short text, so construction is cheap.
 */
class Digest {
  static {
    partsOf = (digest) => ({
      algorithm: digest.#algorithm,
      parameter: digest.#parameter,
      added: digest.#added,
    });
  }

  readonly #algorithm: Algorithm;
  readonly #parameter: number | Uint8Array;
  #added: Added;

  constructor(algorithm: Algorithm, parameter: number | Uint8Array, added: Added) {
    this.#algorithm = algorithm;
    this.#parameter = parameter;
    this.#added = added;
  }

  update(data: unknown, encoding: unknown = undefined): this {
    const added = this.#added;
    if (added === null) throw finalized();
    const isText = typeof data === "string" && inputEncoding(encoding) === UTF8;
    const more = isText ? data : messageBytes(data, encoding);
    if (added === undefined && typeof more === "string") this.#added = more;
    else this.#added = extended(added, more);
    return this;
  }

  digest(encoding: unknown = undefined): Uint8Array | string {
    const added = this.#added;
    if (added === null) throw finalized();
    this.#added = null;
    const parameter = this.#parameter;
    const message = added ?? "";
    const bytes = typeof parameter === "number"
      ? hashing.digest(this.#algorithm, message, parameter)
      : hashing.hmac(this.#algorithm, parameter, message);
    return output(bytes, encoding);
  }

  _transform(chunk: unknown, encoding: unknown, done: Done): void {
    this.update(chunk, encoding === "buffer" ? undefined : encoding);
    done(null);
  }

  _flush(done: Done): void {
    pushChunk(this, this.digest());
    done(null);
  }
}

function extended(added: string | Message | undefined, more: string | Uint8Array): Message {
  const message = typeof added === "object" ? added : new Message();
  if (typeof added === "string") message.add(added);
  message.add(more);
  return message;
}

class Hash extends Digest {
  copy(options: unknown = undefined): Hash {
    const { algorithm, added } = partsOf(this);
    if (added === null) throw finalized();
    const length = outputLength(algorithm, options, algorithm.digestBytes);
    return new Hash(algorithm, length, typeof added === "object" ? added.copy() : added);
  }
}

class Hmac extends Digest {
  /** The second call returns nothing, as in Node. */
  override digest(encoding: unknown = undefined): Uint8Array | string {
    const isOpen = partsOf(this).added !== null;
    return isOpen ? super.digest(encoding) : output(new Uint8Array(0), encoding);
  }
}

/** Sets the names of the classes that guests see. */
export function exposeHashes(): { readonly Hash: object; readonly Hmac: object } {
  makeLazyTransform(Digest, Digest.prototype);
  return {
    Hash: callable("Hash", Hash, createHash),
    Hmac: callable("Hmac", Hmac, createHmac),
  };
}

function notVariable(): Error {
  const message = "error:030000B2:digital envelope routines::not XOF or invalid length";
  return nodeError(Error, "ERR_OSSL_EVP_NOT_XOF_OR_INVALID_LENGTH", message);
}

/** The requested length of a digest, in bytes. */
function outputLength(algorithm: Algorithm, options: unknown, usual: number): number {
  const wanted: unknown = typeof options === "object" && options !== null
    ? Reflect.get(options, "outputLength")
    : undefined;
  if (wanted === undefined) return usual;
  if (typeof wanted !== "number") {
    throw invalidArgument("options.outputLength", "of type number", wanted);
  }
  if (!Number.isInteger(wanted)) throw outOfRange("options.outputLength", "an integer", wanted);
  if (wanted < 0 || wanted > MAX_LENGTH) {
    throw outOfRange("options.outputLength", `>= 0 && <= ${MAX_LENGTH}`, wanted);
  }
  if (wanted !== usual && !algorithm.variable) throw notVariable();
  return wanted;
}

export function createHash(name: unknown, options: unknown = undefined): Hash {
  if (typeof name !== "string") throw invalidArgument("algorithm", "of type string", name);
  const found = hashFunction(name);
  if (found === undefined) throw new Error("Digest method not supported");
  return new Hash(found, outputLength(found, options, found.digestBytes), undefined);
}

export function createHmac(name: unknown, key: unknown, options: unknown = undefined): Hmac {
  if (typeof name !== "string") throw invalidArgument("hmac", "of type string", name);
  const found = hashFunction(name);
  if (found === undefined || found.variable) throw invalidDigest(name);
  const bytes = typeof key === "string"
    ? inputEncoding(Object(options).encoding).encode(key)
    : bytesOf("key", key, undefined, SECRET);
  return new Hmac(found, bytes.slice(), undefined);
}

/** A digest in one call: `crypto.hash`. */
export function hash(name: unknown, data: unknown, encoding: unknown = "hex"): Uint8Array | string {
  return createHash(name).update(data).digest(encoding);
}
