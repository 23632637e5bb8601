/**
 * Operations with keys of the Web Cryptography API.
 *
 * @module
 */
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

/** Runs a derivation. A failure reveals nothing but that the operation failed. */
function guarded<Result>(action: () => Result): Result {
  try {
    return action();
  } catch {
    throw operationFailed();
  }
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
