/**
 * Node's `crypto` module: digests, HMAC, key derivation, AES, random values. The host computes and
 * supplies the random bytes. Keys are only bytes.
 *
 * The interface is written by hand because the host computes; see `web/web_crypto.ts`.
 *
 * @module
 */
import { nameFunctions } from "../web/expose.ts";
import { hkdf, pbkdf2, scrypt } from "../web/hashing.ts";
import { MAX_SCRYPT_BYTES } from "../../host/hash_algorithms.ts";
import { invalidArgument, nodeError, outOfRange, requireFunction } from "../web/node_error.ts";
import { type Crypto, formatUuid, type RandomBytes } from "../web/web_crypto.ts";
import { asBuffer } from "./buffer.ts";
import { exposeCiphers } from "./crypto_cipher.ts";
import {
  bytesOf,
  createHash,
  createHmac,
  exposeHashes,
  hash,
  hashNames,
  invalidDigest,
  requireHash,
  VECTOR,
} from "./crypto_hash.ts";

type Callback = (error: unknown, result?: unknown) => void;

const BYTES_TO_FILL = "an instance of ArrayBuffer or ArrayBufferView";

/** The part of the environment that the module needs. */
export interface CryptoDependencies {
  readonly randomBytes: RandomBytes;
  readonly webcrypto: Crypto;
}

const MAX_SIZE = 0x7fffffff;
const MAX_RANDOM_SPAN = 2 ** 48 - 1;

function checkInteger(name: string, value: unknown, least: number, greatest: number): number {
  if (typeof value !== "number") throw invalidArgument(name, "of type number", value);
  if (!Number.isInteger(value)) throw outOfRange(name, "an integer", value);
  if (value < least || value > greatest) {
    throw outOfRange(name, `>= ${least} && <= ${greatest}`, value);
  }
  return value;
}

const MAX_UINT32 = 2 ** 32 - 1;

/** A count of bytes, as Node reads it: fractions are dropped. */
function checkSize(value: unknown): number {
  if (typeof value !== "number") throw invalidArgument("size", "of type number", value);
  if (value >= 0 && value <= MAX_SIZE) return Math.floor(value);
  throw outOfRange("size", `>= 0 && <= ${MAX_SIZE}`, value);
}

/** Passes the result to a callback later, as Node does. Returns it when there is no callback. */
function later(callback: unknown, compute: () => unknown): unknown {
  if (callback === undefined) return compute();
  requireFunction("callback", callback);
  const result = compute();
  queueMicrotask(() => (callback as Callback)(null, result));
  return undefined;
}

function createRandomFunctions({ randomBytes }: CryptoDependencies): Record<string, unknown> {
  const integer = (least: number, span: number) => {
    const limit = 2 ** 48 - 2 ** 48 % span;
    for (;;) {
      const bytes = randomBytes(6);
      const value = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
      if (value < limit) return least + value % span;
    }
  };
  const fill = (target: unknown, offset: unknown = 0, size: unknown = undefined) => {
    if (typeof target === "string") throw invalidArgument("buf", BYTES_TO_FILL, target);
    const bytes = bytesOf("buf", target, undefined, BYTES_TO_FILL);
    const unit = ArrayBuffer.isView(target) ? Number(Object(target).BYTES_PER_ELEMENT ?? 1) : 1;
    const start = unit * checkInteger("offset", offset, 0, bytes.length / unit);
    const room = bytes.length - start;
    const count = size === undefined ? room : unit * checkInteger("size", size, 0, MAX_SIZE);
    if (count > room) throw outOfRange("size + offset", `<= ${bytes.length}`, start + count);
    bytes.set(randomBytes(count), start);
    return target;
  };
  return {
    randomBytes: (size: unknown, callback?: unknown) => {
      const count = checkSize(size);
      return later(callback, () => asBuffer(randomBytes(count)));
    },
    randomFillSync: fill,
    randomFill: (target: unknown, ...args: unknown[]) => {
      const callback = args.at(-1);
      requireFunction("callback", callback);
      return later(callback, () => fill(target, ...args.slice(0, -1)));
    },
    randomInt: (first: unknown, second?: unknown, callback?: unknown) => {
      const onlyMax = second === undefined || typeof second === "function";
      const [low, high] = onlyMax ? [0, first] : [first, second];
      const least = safeInteger(onlyMax ? "max" : "min", low);
      const span = safeInteger("max", high) - least;
      if (span <= 0) throw outOfRange("max", `greater than the value of "min" (${least})`, high);
      const what = onlyMax ? "max" : "max - min";
      if (span > MAX_RANDOM_SPAN) throw outOfRange(what, `<= ${MAX_RANDOM_SPAN}`, span);
      return later(onlyMax ? second : callback, () => integer(least, span));
    },
    randomUUID: (options?: unknown) => {
      checkUuidOptions(options);
      return formatUuid(randomBytes(16));
    },
  };
}

function checkUuidOptions(options: unknown): void {
  if (options === undefined) return;
  if (typeof options !== "object" || options === null) {
    throw invalidArgument("options", "of type object", options);
  }
  const cached: unknown = Reflect.get(options, "disableEntropyCache");
  if (cached === undefined || typeof cached === "boolean") return;
  throw invalidArgument("options.disableEntropyCache", "of type boolean", cached);
}

function safeInteger(name: string, value: unknown): number {
  if (Number.isSafeInteger(value)) return value as number;
  throw invalidArgument(name, "a safe integer", value);
}

function secretParts(password: unknown, salt: unknown) {
  return {
    password: bytesOf("password", password, undefined, VECTOR),
    salt: bytesOf("salt", salt, undefined, VECTOR),
  };
}

function pbkdf2Sync(
  password: unknown,
  salt: unknown,
  iterations: unknown,
  length: unknown,
  digest: unknown,
): Uint8Array {
  if (typeof digest !== "string") throw invalidArgument("digest", "of type string", digest);
  const parts = secretParts(password, salt);
  const count = checkInteger("iterations", iterations, 1, MAX_SIZE);
  const size = checkInteger("keylen", length, 0, MAX_SIZE);
  const algorithm = requireHash(digest);
  if (!algorithm.derives) throw invalidDigest(digest);
  return asBuffer(size === 0 ? new Uint8Array(0) : pbkdf2(algorithm, parts, count, size));
}

const BAD_SCRYPT = "Invalid scrypt params";
const SCRYPT_MEMORY =
  `${BAD_SCRYPT}: error:030000AC:digital envelope routines::memory limit exceeded`;

function badScrypt(message: string): Error {
  return nodeError(RangeError, "ERR_CRYPTO_INVALID_SCRYPT_PARAMS", message);
}

/** A parameter under either of its names; 0 means the default. */
function scryptParameter(options: object, name: string, long: string, usual: number): number {
  const [value, other]: unknown[] = [Reflect.get(options, name), Reflect.get(options, long)];
  if (value !== undefined && other !== undefined) {
    throw nodeError(Error, "ERR_CRYPTO_SCRYPT_INVALID_PARAMETER", "Invalid scrypt parameter");
  }
  if (value !== undefined) return checkInteger(name, value, 0, MAX_UINT32) || usual;
  return other === undefined ? usual : checkInteger(long, other, 0, MAX_UINT32) || usual;
}

const USUAL_SCRYPT_MEMORY = 32 * 1024 * 1024;

function scryptMemory(options: object): number {
  const wanted: unknown = Reflect.get(options, "maxmem");
  if (wanted === undefined) return USUAL_SCRYPT_MEMORY;
  const bytes = checkInteger("maxmem", wanted, 0, Number.MAX_SAFE_INTEGER) || USUAL_SCRYPT_MEMORY;
  return Math.min(bytes, MAX_SCRYPT_BYTES);
}

function scryptSync(
  password: unknown,
  salt: unknown,
  length: unknown,
  options: unknown = undefined,
): Uint8Array {
  const parts = secretParts(password, salt);
  const size = checkInteger("keylen", length, 0, MAX_SIZE);
  const given: object = Object(options);
  const N = scryptParameter(given, "N", "cost", 16_384);
  const r = scryptParameter(given, "r", "blockSize", 8);
  const p = scryptParameter(given, "p", "parallelization", 1);
  const maxmem = scryptMemory(given);
  const isPowerOfTwo = N > 1 && Number.isInteger(Math.log2(N));
  if (!isPowerOfTwo) throw badScrypt(BAD_SCRYPT);
  if (128 * r * (N + p + 2) > maxmem) throw badScrypt(SCRYPT_MEMORY);
  return asBuffer(size === 0 ? new Uint8Array(0) : scrypt(parts, { N, r, p }, size));
}

/** Longest `info`, as in Node. */
const MAX_INFO_BYTES = 1024;

function hkdfSync(
  digest: unknown,
  key: unknown,
  salt: unknown,
  info: unknown,
  length: unknown,
): ArrayBuffer {
  const algorithm = requireHash(digest);
  const parts = {
    key: bytesOf("ikm", key),
    salt: bytesOf("salt", salt),
    info: bytesOf("info", info),
  };
  const size = checkInteger("length", length, 0, MAX_SIZE);
  if (parts.info.length > MAX_INFO_BYTES) {
    const range = `must not contain more than ${MAX_INFO_BYTES} bytes`;
    throw outOfRange("info", range, parts.info.length);
  }
  return hkdf(algorithm, parts, size).buffer;
}

function bytesToCompare(name: string, value: unknown): Uint8Array {
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return bytesOf(name, value);
  const expected = "an instance of ArrayBuffer, Buffer, TypedArray, or DataView";
  const message = `The "${name}" argument must be ${expected}.`;
  throw nodeError(TypeError, "ERR_INVALID_ARG_TYPE", message);
}

/** Compares in time that depends only on the length. */
function timingSafeEqual(left: unknown, right: unknown): boolean {
  const [a, b] = [bytesToCompare("buf1", left), bytesToCompare("buf2", right)];
  if (a.length !== b.length) {
    const message = "Input buffers must have the same byte length";
    throw nodeError(RangeError, "ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH", message);
  }
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0);
  return difference === 0;
}

type Compute = (...args: unknown[]) => unknown;

/** Takes the callback, which is the last argument. */
function withCallback(compute: Compute): Compute {
  return (...args) => {
    const callback = args.at(-1);
    requireFunction("callback", callback);
    return later(callback, () => compute(...args.slice(0, -1)));
  };
}

/** Makes the module, as `require("crypto")` returns it. */
export function createCryptoModule(needs: CryptoDependencies): Readonly<Record<string, unknown>> {
  const { webcrypto } = needs;
  const derive: Readonly<Record<string, Compute>> = {
    pbkdf2: (...args) => pbkdf2Sync(args[0], args[1], args[2], args[3], args[4]),
    scrypt: (...args) => scryptSync(args[0], args[1], args[2], args[3]),
    hkdf: (...args) => hkdfSync(args[0], args[1], args[2], args[3], args[4]),
  };
  return nameFunctions({
    ...exposeHashes(),
    ...exposeCiphers(),
    createHash,
    createHmac,
    hash,
    getHashes: hashNames,
    ...createRandomFunctions(needs),
    timingSafeEqual,
    pbkdf2Sync,
    scryptSync,
    hkdfSync,
    ...Object.fromEntries(
      Object.entries(derive).map(([name, compute]) => [name, withCallback(compute)]),
    ),
    webcrypto,
    subtle: webcrypto.subtle,
    getRandomValues: (array: unknown) => webcrypto.getRandomValues(array),
  });
}
