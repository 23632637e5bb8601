/**
 * `createCipheriv` and `createDecipheriv` of Node's `crypto` module: AES in the modes CBC, CTR,
 * ECB and GCM.
 *
 * @module
 */
import { invalidArgument, nodeError } from "../web/node_error.ts";
import { asBuffer } from "./buffer.ts";
import { BlockBytes, type CipherBytes, CounterBytes, GaloisBytes } from "../web/cipher_bytes.ts";
import { bytesOf, inputEncoding, messageBytes, SECRET, VECTOR } from "./crypto_hash.ts";
import { callable, makeLazyTransform, pushChunk } from "./lazy_stream.ts";
import { StringDecoder } from "./string_decoder.ts";

type Done = (error: unknown) => void;

const MODES = ["cbc", "ctr", "ecb", "gcm"] as const;
const BITS = ["128", "192", "256"] as const;
const NAME = /^aes-?(128|192|256)(?:-(cbc|ctr|ecb|gcm))?$/;
/** Modes that the host does not have. */
const MISSING = "aes-192-gcm";
const BLOCK_BYTES = 16;
const TAG_BYTES = 16;
const TAG_LENGTHS: readonly number[] = [4, 8, 12, 13, 14, 15, 16];

/** The names that `getCiphers` lists. */
function cipherNames(): string[] {
  const names = BITS.flatMap((bits) => MODES.map((mode) => `aes-${bits}-${mode}`));
  return [...names.filter((name) => name !== MISSING), ...BITS.map((bits) => `aes${bits}`)];
}

function invalidState(operation: string): Error {
  const message = `Invalid state for operation ${operation}`;
  return nodeError(Error, "ERR_CRYPTO_INVALID_STATE", message);
}

/** The cipher that the caller requested. */
interface Wanted {
  readonly name: string;
  readonly mode: string;
  readonly key: Uint8Array;
  readonly vector: Uint8Array;
  readonly tagLength: number | undefined;
}

function vectorOf(iv: unknown, mode: string): Uint8Array {
  const given = iv === null ? new Uint8Array(0) : bytesOf("iv", iv, undefined, VECTOR);
  const isFit = mode === "gcm"
    ? given.length > 0
    : given.length === (mode === "ecb" ? 0 : BLOCK_BYTES);
  if (isFit) return given.slice();
  throw nodeError(TypeError, "ERR_CRYPTO_INVALID_IV", "Invalid initialization vector");
}

function readWanted(cipher: unknown, key: unknown, iv: unknown, options: unknown): Wanted {
  if (typeof cipher !== "string") throw invalidArgument("cipher", "of type string", cipher);
  const secret = bytesOf("key", key, undefined, SECRET);
  if (iv === undefined) throw invalidArgument("iv", VECTOR, iv);
  if (iv !== null) bytesOf("iv", iv, undefined, VECTOR);
  const [, bits = "", mode = "cbc"] = NAME.exec(cipher.toLowerCase()) ?? [];
  const name = `aes-${bits}-${mode}`;
  if (bits === "" || name === MISSING) {
    throw nodeError(Error, "ERR_CRYPTO_UNKNOWN_CIPHER", "Unknown cipher");
  }
  if (secret.length * 8 !== Number(bits)) {
    throw nodeError(RangeError, "ERR_CRYPTO_INVALID_KEYLEN", "Invalid key length");
  }
  const length: unknown = Object(options).authTagLength;
  const tagLength = length === undefined || length === null ? undefined : tagLengthOf(length);
  if (tagLength !== undefined && mode === "gcm") checkTagLength(tagLength);
  return { name, mode, key: secret.slice(), vector: vectorOf(iv, mode), tagLength };
}

function tagLengthOf(length: unknown): number {
  if (typeof length === "number" && length >>> 0 === length) return length;
  const shown = typeof length === "string" ? `'${length}'` : String(length);
  const message = `The property 'options.authTagLength' is invalid. Received ${shown}`;
  throw nodeError(TypeError, "ERR_INVALID_ARG_VALUE", message);
}

function checkTagLength(length: number, wanted?: number): void {
  if (wanted === undefined ? TAG_LENGTHS.includes(length) : length === wanted) return;
  const message = `Invalid authentication tag length: ${length}`;
  throw nodeError(TypeError, "ERR_CRYPTO_INVALID_AUTH_TAG", message);
}

function bytesFor(wanted: Wanted, isEncrypting: boolean): CipherBytes {
  const parts = { isEncrypting, ...wanted };
  if (wanted.mode === "gcm") return new GaloisBytes(parts);
  return wanted.mode === "ctr" ? new CounterBytes(parts) : new BlockBytes(parts);
}

/** The common part of both directions. */
class CipherBase {
  readonly #bytes: CipherBytes;
  #decoder: StringDecoder | undefined;
  #isOpen = true;

  constructor(wanted: Wanted, isEncrypting: boolean) {
    this.#bytes = bytesFor(wanted, isEncrypting);
  }

  update(data: unknown, encoding?: unknown, outputEncoding?: unknown): unknown {
    const bytes = messageBytes(data, encoding);
    if (!this.#isOpen) throw new Error("Trying to add data in unsupported state");
    return this.#output(this.#bytes.update(bytes), outputEncoding, false);
  }

  final(outputEncoding?: unknown): unknown {
    if (!this.#isOpen) throw nodeError(Error, "ERR_CRYPTO_INVALID_STATE", "Invalid state");
    this.#isOpen = false;
    return this.#output(this.#bytes.final(), outputEncoding, true);
  }

  setAutoPadding(isPadded: unknown = true): this {
    if (!this.#isOpen) throw invalidState("setAutoPadding");
    if (this.#bytes instanceof BlockBytes) this.#bytes.isPadded = Boolean(isPadded);
    return this;
  }

  setAAD(data: unknown, options?: unknown): this {
    const sealed = this.sealed("setAAD", true);
    const bytes = typeof data === "string"
      ? inputEncoding(Object(options).encoding).encode(data)
      : bytesOf("buffer", data, undefined, VECTOR);
    if (!sealed.addAdditional(bytes)) throw invalidState("setAAD");
    return this;
  }

  _transform(chunk: unknown, encoding: unknown, done: Done): void {
    pushChunk(this, this.update(chunk, encoding === "buffer" ? undefined : encoding));
    done(null);
  }

  _flush(done: Done): void {
    try {
      pushChunk(this, this.final());
      done(null);
    } catch (error) {
      done(error);
    }
  }

  protected sealed(operation: string, isOpen: boolean): GaloisBytes {
    const bytes = this.#bytes;
    if (bytes instanceof GaloisBytes && this.#isOpen === isOpen) return bytes;
    throw invalidState(operation);
  }

  /** Text is decoded across all parts, so that no character is cut. */
  #output(bytes: Uint8Array, encoding: unknown, isLast: boolean): unknown {
    if (encoding === undefined || encoding === null || encoding === "buffer") {
      return asBuffer(bytes);
    }
    this.#decoder ??= new StringDecoder(encoding);
    return isLast ? this.#decoder.end(bytes) : this.#decoder.write(bytes);
  }
}

class Cipheriv extends CipherBase {
  readonly #tagLength: number;

  constructor(wanted: Wanted) {
    super(wanted, true);
    this.#tagLength = wanted.tagLength ?? TAG_BYTES;
  }

  getAuthTag(): Uint8Array {
    const { tag } = this.sealed("getAuthTag", false);
    return asBuffer((tag ?? new Uint8Array(0)).slice(0, this.#tagLength));
  }
}

class Decipheriv extends CipherBase {
  readonly #tagLength: number | undefined;

  constructor(wanted: Wanted) {
    super(wanted, false);
    this.#tagLength = wanted.tagLength;
  }

  setAuthTag(tag: unknown, encoding?: unknown): this {
    const bytes = typeof tag === "string"
      ? inputEncoding(encoding).encode(tag)
      : bytesOf("buffer", tag, undefined, VECTOR);
    const sealed = this.sealed("setAuthTag", true);
    if (sealed.tag !== undefined) throw invalidState("setAuthTag");
    checkTagLength(bytes.length, this.#tagLength);
    sealed.tag = bytes.slice();
    return this;
  }
}

/** The classes and functions as guests see them. */
export function exposeCiphers(): Readonly<Record<string, unknown>> {
  makeLazyTransform(CipherBase, CipherBase.prototype);
  const createCipheriv = (cipher: unknown, key: unknown, iv: unknown, options?: unknown) =>
    new Cipheriv(readWanted(cipher, key, iv, options));
  const createDecipheriv = (cipher: unknown, key: unknown, iv: unknown, options?: unknown) =>
    new Decipheriv(readWanted(cipher, key, iv, options));
  return {
    Cipheriv: callable("Cipheriv", Cipheriv, createCipheriv),
    Decipheriv: callable("Decipheriv", Decipheriv, createDecipheriv),
    createCipheriv,
    createDecipheriv,
    getCiphers: cipherNames,
  };
}
