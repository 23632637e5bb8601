/**
 * Operations with keys of the Web Cryptography API.
 *
 * @module
 */
import { BlockBytes, type CipherParts, CounterBytes, GaloisBytes } from "./cipher_bytes.ts";
import { type KeyParts, partsOf } from "./crypto_key.ts";
import { hkdf, hmacBytes, pbkdf2 } from "./hashing.ts";
import { nodeError } from "./node_error.ts";
import {
  argumentBytes,
  bytesOf,
  failedTo,
  failure,
  type Named,
  operationFailed,
  readAlgorithm,
  readHash,
} from "./subtle_keys.ts";

const BLOCK_BYTES = 16;
const MAX_COUNTER_BITS = 128;
const TAG_BITS = 128;
const TAG_LENGTHS: readonly unknown[] = [32, 64, 96, 104, 112, 120, 128];
const MAX_ITERATIONS = 2 ** 32 - 1;

function keyFor(key: unknown, wanted: Named, usage: string, refusal: string): KeyParts {
  const parts = partsOf(key);
  if (parts === undefined) {
    const message = `${failedTo(usage)}: 2nd argument is not of type CryptoKey.`;
    throw nodeError(TypeError, "ERR_INVALID_ARG_TYPE", message);
  }
  if (parts.algorithm.name !== wanted.name || !parts.usages.includes(usage)) {
    throw failure(refusal, "InvalidAccessError");
  }
  return parts;
}

function code(algorithm: unknown, key: unknown, data: Uint8Array, usage: string): Uint8Array {
  const parts = keyFor(key, readAlgorithm(algorithm), usage, `Unable to use this key to ${usage}`);
  return hmacBytes(readHash(parts.algorithm.hash).hash, parts.bytes, data);
}

/** `sign`. */
export function sign(algorithm: unknown, key: unknown, data: unknown): ArrayBuffer {
  return new Uint8Array(code(algorithm, key, argumentBytes(data, "sign", "3rd"), "sign")).buffer;
}

/** `verify`. */
export function verify(
  algorithm: unknown,
  key: unknown,
  signature: unknown,
  data: unknown,
): boolean {
  const given = argumentBytes(signature, "verify", "3rd");
  const expected = code(algorithm, key, argumentBytes(data, "verify", "4th"), "verify");
  let difference = given.length ^ expected.length;
  for (let i = 0; i < expected.length; i++) difference |= (expected[i] ?? 0) ^ (given[i] ?? 0);
  return difference === 0;
}

function joined(first: Uint8Array, second: Uint8Array): ArrayBuffer {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both.buffer;
}

function vectorOf(wanted: Named, parameter: string): Uint8Array {
  const vector = bytesOf(wanted.get(parameter), `algorithm.${parameter}`);
  if (wanted.name === "AES-GCM" || vector.length === BLOCK_BYTES) return vector;
  const message = `algorithm.${parameter} must contain exactly ${BLOCK_BYTES} bytes`;
  throw failure(message, "OperationError");
}

/** Runs a step of a cipher. A failure reveals nothing but that the operation failed. */
function guarded<Result>(action: () => Result): Result {
  try {
    return action();
  } catch {
    throw operationFailed();
  }
}

function galois(cipher: GaloisBytes, wanted: Named, data: Uint8Array, isSealing: boolean) {
  const additional = wanted.get("additionalData");
  if (additional !== undefined) {
    cipher.addAdditional(bytesOf(additional, "algorithm.additionalData"));
  }
  const tagBits: unknown = wanted.get("tagLength") ?? TAG_BITS;
  if (!TAG_LENGTHS.includes(tagBits)) {
    throw failure(`${tagBits} is not a valid AES-GCM tag length`, "OperationError");
  }
  const tagBytes = Number(tagBits) / 8;
  if (isSealing) {
    const body = cipher.update(data);
    cipher.final();
    return joined(body, (cipher.tag ?? new Uint8Array(0)).subarray(0, tagBytes));
  }
  if (data.length < tagBytes) throw failure("The provided data is too small.", "OperationError");
  const end = data.length - tagBytes;
  cipher.tag = data.subarray(end);
  const body = cipher.update(data.subarray(0, end));
  guarded(() => cipher.final());
  return new Uint8Array(body).buffer;
}

const BYTE = 256n;

function numberOf(bytes: Uint8Array): bigint {
  return bytes.reduce((sum, byte) => sum * BYTE + BigInt(byte), 0n);
}

function blockOf(value: bigint): Uint8Array {
  const block = new Uint8Array(BLOCK_BYTES);
  for (let i = BLOCK_BYTES - 1, rest = value; i >= 0; i--, rest /= BYTE) {
    block[i] = Number(rest % BYTE);
  }
  return block;
}

/** A stream whose counter is the last `length` bits of its block, and wraps to zero. */
function counted(parts: CipherParts, length: unknown, data: Uint8Array): ArrayBuffer {
  const bits = Number(length);
  if (!Number.isInteger(bits) || bits < 1 || bits > MAX_COUNTER_BITS) {
    const message = `AES-CTR algorithm.length must be between 1 and ${MAX_COUNTER_BITS}`;
    throw failure(message, "OperationError");
  }
  const [size, value] = [1n << BigInt(bits), numberOf(parts.vector)];
  const room = (size - value % size) * BigInt(BLOCK_BYTES);
  const count = BigInt(data.length);
  if (count > size * BigInt(BLOCK_BYTES)) throw operationFailed();
  const end = count > room ? Number(room) : data.length;
  const again = { ...parts, vector: blockOf(value - value % size) };
  return guarded(() =>
    joined(
      new CounterBytes(parts).update(data.subarray(0, end)),
      new CounterBytes(again).update(data.subarray(end)),
    )
  );
}

/** `encrypt` and `decrypt`. */
export function cipher(
  usage: "encrypt" | "decrypt",
  algorithm: unknown,
  key: unknown,
  data: unknown,
): ArrayBuffer {
  const wanted = readAlgorithm(algorithm);
  const refusal = "The requested operation is not valid for the provided key";
  const { bytes } = keyFor(key, wanted, usage, refusal);
  const message = argumentBytes(data, usage, "3rd");
  const isEncrypting = usage === "encrypt";
  const mode = wanted.name.slice(4).toLowerCase();
  const vector = vectorOf(wanted, mode === "ctr" ? "counter" : "iv");
  const parts = { isEncrypting, name: `aes-${bytes.length * 8}-${mode}`, key: bytes, vector };
  if (mode === "gcm") return galois(new GaloisBytes(parts), wanted, message, isEncrypting);
  if (mode === "ctr") return counted(parts, wanted.get("length"), message);
  const made = new BlockBytes(parts);
  return guarded(() => joined(made.update(message), made.final()));
}

/** `deriveBits`. */
export function deriveBits(
  algorithm: unknown,
  key: unknown,
  length: unknown,
  usage = "deriveBits",
): Uint8Array<ArrayBuffer> {
  const wanted = readAlgorithm(algorithm);
  const refusal = `baseKey does not have ${usage} usage`;
  const { bytes } = keyFor(key, wanted, usage, refusal);
  if (length === null) throw failure("length cannot be null", "OperationError");
  const count = Number(length) / 8;
  if (!Number.isInteger(count) || count < 0) {
    throw failure("length must be a multiple of 8", "OperationError");
  }
  const salt = bytesOf(wanted.get("salt"), "algorithm.salt");
  const { hash } = readHash(wanted.get("hash"));
  if (count === 0) return new Uint8Array(0);
  if (wanted.name === "HKDF") {
    const info = bytesOf(wanted.get("info"), "algorithm.info");
    return guarded(() => hkdf(hash, { key: bytes, salt, info }, count));
  }
  const iterations = Math.trunc(Number(wanted.get("iterations")));
  if (iterations < 0 || iterations > MAX_ITERATIONS) {
    const message = "Failed to normalize algorithm: 'iterations' of 'Pbkdf2Params' (passed " +
      `algorithm) is outside the expected range of 0 to ${MAX_ITERATIONS}.`;
    throw nodeError(TypeError, "ERR_OUT_OF_RANGE", message);
  }
  if (!(iterations > 0)) throw failure("iterations cannot be zero", "OperationError");
  return guarded(() => pbkdf2(hash, { password: bytes, salt }, iterations, count));
}
