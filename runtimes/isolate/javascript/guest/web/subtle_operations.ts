/**
 * What is done with keys of the Web Cryptography API.
 *
 * @module
 */
import { BlockBytes, CounterBytes, GaloisBytes } from "./cipher_bytes.ts";
import { type KeyParts, partsOf } from "./crypto_key.ts";
import { hkdf, hmacBytes, pbkdf2 } from "./hashing.ts";
import { invalidArgument } from "./node_error.ts";
import {
  bytesOf,
  failure,
  type Named,
  operationFailed,
  readAlgorithm,
  readHash,
} from "./subtle_keys.ts";

const BLOCK_BYTES = 16;
const TAG_BITS = 128;

function keyFor(key: unknown, wanted: Named, usage: string, refusal: string): KeyParts {
  const parts = partsOf(key);
  if (parts === undefined) throw invalidArgument("key", "an instance of CryptoKey", key);
  if (parts.algorithm.name !== wanted.name || !parts.usages.includes(usage)) {
    throw failure(refusal, "InvalidAccessError");
  }
  return parts;
}

function code(algorithm: unknown, key: unknown, data: unknown, usage: string): Uint8Array {
  const parts = keyFor(key, readAlgorithm(algorithm), usage, `Unable to use this key to ${usage}`);
  return hmacBytes(readHash(parts.algorithm.hash).hash, parts.bytes, bytesOf(data));
}

/** `sign`. */
export function sign(algorithm: unknown, key: unknown, data: unknown): ArrayBuffer {
  return new Uint8Array(code(algorithm, key, data, "sign")).buffer;
}

/** `verify`. */
export function verify(
  algorithm: unknown,
  key: unknown,
  signature: unknown,
  data: unknown,
): boolean {
  const expected = code(algorithm, key, data, "verify");
  const given = bytesOf(signature, "signature");
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

/** The end of a message whose cipher tells no more than that it failed. */
function guarded<Result>(action: () => Result): Result {
  try {
    return action();
  } catch {
    throw operationFailed();
  }
}

function galois(cipher: GaloisBytes, wanted: Named, data: Uint8Array, isSealing: boolean) {
  const additional = wanted.get("additionalData");
  if (additional !== undefined) cipher.additional = bytesOf(additional, "algorithm.additionalData");
  const tagBytes = Number(wanted.get("tagLength") ?? TAG_BITS) / 8;
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
  const message = bytesOf(data);
  const isEncrypting = usage === "encrypt";
  const mode = wanted.name.slice(4).toLowerCase();
  const vector = vectorOf(wanted, mode === "ctr" ? "counter" : "iv");
  const parts = { isEncrypting, name: `aes-${bytes.length * 8}-${mode}`, key: bytes, vector };
  if (mode === "gcm") return galois(new GaloisBytes(parts), wanted, message, isEncrypting);
  const made = mode === "ctr" ? new CounterBytes(parts) : new BlockBytes(parts);
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
  const count = Number(length) / 8;
  if (!Number.isInteger(count) || count <= 0) {
    throw failure("length must be a multiple of 8", "OperationError");
  }
  const salt = bytesOf(wanted.get("salt"), "algorithm.salt");
  const { hash } = readHash(wanted.get("hash"));
  if (wanted.name === "HKDF") {
    const info = bytesOf(wanted.get("info"), "algorithm.info");
    return guarded(() => hkdf(hash, { key: bytes, salt, info }, count));
  }
  const iterations = Number(wanted.get("iterations"));
  if (!(iterations > 0)) throw failure("iterations cannot be zero", "OperationError");
  return guarded(() => pbkdf2(hash, { password: bytes, salt }, Math.floor(iterations), count));
}
