/**
 * Node's `crypto` module: digests, HMAC, key derivation, AES, random values. The host computes
 * and gives the random bytes. There are no keys but bytes.
 *
 * @module
 */
import { nameFunctions } from "../web/expose.ts";
import { hkdf, pbkdf2, scrypt } from "../web/hashing.ts";
import { MAX_SCRYPT_BYTES } from "../../hash_algorithms.ts";
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
} from "./crypto_hash.ts";

type Callback = (error: unknown, result?: unknown) => void;

/** What the module needs of the environment. */
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

/** Calls back later, as Node does; without a callback gives the result at once. */
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
    const bytes = bytesOf("buf", typeof target === "string" ? undefined : target);
    const start = checkInteger("offset", offset, 0, bytes.length);
    const room = bytes.length - start;
    const count = size === undefined ? room : checkInteger("size", size, 0, room);
    bytes.set(randomBytes(count), start);
    return target;
  };
  return {
    randomBytes: (size: unknown, callback?: unknown) => {
      const count = checkInteger("size", size, 0, MAX_SIZE);
      return later(callback, () => asBuffer(randomBytes(count)));
    },
    randomFillSync: fill,
    randomFill: (target: unknown, ...args: unknown[]) =>
      later(args.at(-1), () => fill(target, ...args.slice(0, -1))),
    randomInt: (first: unknown, second?: unknown, callback?: unknown) => {
      const onlyMax = second === undefined || typeof second === "function";
      const [low, high] = onlyMax ? [0, first] : [first, second];
      const least = safeInteger(onlyMax ? "max" : "min", low);
      const span = safeInteger("max", high) - least;
      if (span <= 0) throw outOfRange("max", `greater than the value of "min" (${least})`, high);
      if (span > MAX_RANDOM_SPAN) throw outOfRange("max - min", `<= ${MAX_RANDOM_SPAN}`, span);
      return later(onlyMax ? second : callback, () => integer(least, span));
    },
    randomUUID: () => formatUuid(randomBytes(16)),
  };
}

function safeInteger(name: string, value: unknown): number {
  if (Number.isSafeInteger(value)) return value as number;
  throw invalidArgument(name, "a safe integer", value);
}

function pbkdf2Sync(
  password: unknown,
  salt: unknown,
  iterations: unknown,
  length: unknown,
  digest: unknown,
): Uint8Array {
  if (typeof digest !== "string") throw invalidArgument("digest", "of type string", digest);
  const parts = { password: bytesOf("password", password), salt: bytesOf("salt", salt) };
  const count = checkInteger("iterations", iterations, 1, MAX_SIZE);
  const size = checkInteger("keylen", length, 0, MAX_SIZE);
  const algorithm = requireHash(digest);
  if (!algorithm.derives) throw invalidDigest(digest);
  return asBuffer(size === 0 ? new Uint8Array(0) : pbkdf2(algorithm, parts, count, size));
}

interface ScryptOptions {
  readonly N?: number;
  readonly cost?: number;
  readonly r?: number;
  readonly blockSize?: number;
  readonly p?: number;
  readonly parallelization?: number;
  readonly maxmem?: number;
}

const BAD_SCRYPT = "Invalid scrypt params";
const SCRYPT_MEMORY =
  `${BAD_SCRYPT}: error:030000AC:digital envelope routines::memory limit exceeded`;

function badScrypt(message: string): Error {
  return nodeError(RangeError, "ERR_CRYPTO_INVALID_SCRYPT_PARAMS", message);
}

function scryptSync(
  password: unknown,
  salt: unknown,
  length: unknown,
  options: ScryptOptions = {},
): Uint8Array {
  const parts = { password: bytesOf("password", password), salt: bytesOf("salt", salt) };
  const size = checkInteger("keylen", length, 0, MAX_SIZE);
  const N = options.N ?? options.cost ?? 16_384;
  const r = (options.r ?? options.blockSize) || 8;
  const p = (options.p ?? options.parallelization) || 1;
  const maxmem = Math.min(options.maxmem || 32 * 1024 * 1024, MAX_SCRYPT_BYTES);
  const isPowerOfTwo = Number.isInteger(N) && N > 1 && Number.isInteger(Math.log2(N));
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
  if (size > 255 * algorithm.digestBytes) {
    throw nodeError(RangeError, "ERR_CRYPTO_INVALID_KEYLEN", "Invalid key length");
  }
  return hkdf(algorithm, parts, size).buffer;
}

/** Compares in a time that depends on the length only. */
function timingSafeEqual(left: unknown, right: unknown): boolean {
  const [a, b] = [bytesOf("buf1", left), bytesOf("buf2", right)];
  if (a.length !== b.length) {
    const message = "Input buffers must have the same byte length";
    throw nodeError(RangeError, "ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH", message);
  }
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0);
  return difference === 0;
}

type Compute = (...args: unknown[]) => unknown;

/** The function with a callback as last argument. */
function withCallback(compute: Compute): Compute {
  return (...args) => {
    const callback = args.at(-1);
    requireFunction("callback", callback);
    return later(callback, () => compute(...args.slice(0, -1)));
  };
}

/** Makes the module, as `require("crypto")` gives it. */
export function createCryptoModule(needs: CryptoDependencies): Readonly<Record<string, unknown>> {
  const { webcrypto } = needs;
  const derive: Readonly<Record<string, Compute>> = {
    pbkdf2: (...args) => pbkdf2Sync(args[0], args[1], args[2], args[3], args[4]),
    scrypt: (...args) => scryptSync(args[0], args[1], args[2], args[3] as ScryptOptions),
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
