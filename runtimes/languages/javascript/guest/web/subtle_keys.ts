/**
 * Generates, imports and exports keys of the Web Cryptography API: HMAC, AES, PBKDF2 and HKDF.
 *
 * @module
 */
import { encodeBase64 } from "./base64.ts";
import { createKey, type CryptoKey, type KeyAlgorithm, partsOf } from "./crypto_key.ts";
import { type Algorithm, findAlgorithm } from "./hashing.ts";
import { invalidArgument, nodeError } from "./node_error.ts";
import { binaryToBytes } from "./utf8.ts";

/** Names of hash functions of the interface → the host's. */
const HASHES: ReadonlyMap<string, string> = new Map([
  ["SHA-1", "sha1"],
  ["SHA-256", "sha256"],
  ["SHA-384", "sha384"],
  ["SHA-512", "sha512"],
]);
const findHash = HASHES.get.bind(HASHES);
const AES = /^AES-(CBC|CTR|GCM)$/;
const DERIVING = /^(?:PBKDF2|HKDF)$/;
const USAGES: Readonly<Record<string, readonly string[]>> = {
  HMAC: ["sign", "verify"],
  AES: ["encrypt", "decrypt", "wrapKey", "unwrapKey"],
  KDF: ["deriveKey", "deriveBits"],
};
const AES_BITS = [128, 192, 256];

/** An algorithm that a guest names: its name, and the object with its parameters. */
export interface Named {
  readonly name: string;
  get(parameter: string): unknown;
}

/** An error of the interface. */
export function failure(message: string, name: string): DOMException {
  return new DOMException(message, name);
}

/** `OperationError` with the message that reveals no more. */
export function operationFailed(): DOMException {
  return failure("The operation failed for an operation-specific reason", "OperationError");
}

/** Reads the algorithm that a guest names. */
export function readAlgorithm(algorithm: unknown): Named {
  const isObject = typeof algorithm === "object" && algorithm !== null;
  const get = (parameter: string): unknown =>
    isObject ? Reflect.get(algorithm, parameter) : undefined;
  return { name: `${isObject ? get("name") : algorithm}`.toUpperCase(), get };
}

/** The name, in the interface, of the hash function that a guest names. */
export function readHash(algorithm: unknown): { readonly name: string; readonly hash: Algorithm } {
  const { name } = readAlgorithm(algorithm);
  const hash = findAlgorithm(findHash(name) ?? "");
  if (hash === undefined) throw failure("Unrecognized algorithm name", "NotSupportedError");
  return { name, hash };
}

/** The bytes of a buffer or view, copied. */
export function bytesOf(value: unknown, name = "data"): Uint8Array<ArrayBuffer> {
  if (value instanceof ArrayBuffer) return new Uint8Array(value.slice(0));
  if (ArrayBuffer.isView(value)) {
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice();
  }
  const expected = "an instance of ArrayBuffer, Buffer, TypedArray, or DataView";
  throw invalidArgument(name, expected, value);
}

/** The beginning of a method's error messages. */
export function failedTo(method: string): string {
  return `Failed to execute '${method}' on 'SubtleCrypto'`;
}

/** The bytes of an argument, copied. */
export function argumentBytes(
  value: unknown,
  method: string,
  ordinal: string,
): Uint8Array<ArrayBuffer> {
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return bytesOf(value);
  const what = "is not instance of ArrayBuffer, Buffer, TypedArray, or DataView";
  const message = `${failedTo(method)}: ${ordinal} argument ${what}.`;
  throw nodeError(TypeError, "ERR_INVALID_ARG_TYPE", message);
}

function kindOf(name: string): "HMAC" | "AES" | "KDF" {
  if (name === "HMAC") return "HMAC";
  if (AES.test(name)) return "AES";
  if (DERIVING.test(name)) return "KDF";
  throw failure("Unrecognized algorithm name", "NotSupportedError");
}

function readUsages(value: unknown, name: string): readonly string[] {
  const kind = kindOf(name);
  const usages = Array.isArray(value) ? value.map(String) : [];
  if (usages.some((usage) => !USAGES[kind]?.includes(usage))) {
    const whose = kind === "AES" ? "an AES" : kind === "HMAC" ? "an HMAC" : `a ${name}`;
    throw failure(`Unsupported key usage for ${whose} key`, "SyntaxError");
  }
  if (usages.length === 0) {
    throw failure("Usages cannot be empty when importing a secret key.", "SyntaxError");
  }
  return usages;
}

function keyAlgorithm(wanted: Named, bytes: Uint8Array): KeyAlgorithm {
  const { name } = wanted;
  const length = bytes.length * 8;
  switch (kindOf(name)) {
    case "HMAC":
      if (length === 0) throw failure("Zero-length key is not supported", "DataError");
      return { name, hash: { name: readHash(wanted.get("hash")).name }, length };
    case "AES":
      if (!AES_BITS.includes(length)) throw failure("Invalid key length", "DataError");
      return { name, length };
    case "KDF":
      return { name };
  }
}

function fromJwk(value: unknown): Uint8Array {
  const jwk = Object(value);
  if (jwk.kty !== "oct" || typeof jwk.k !== "string") {
    throw failure("Invalid keyData", "DataError");
  }
  return binaryToBytes(atob(jwk.k.replaceAll("-", "+").replaceAll("_", "/")));
}

function readKeyData(format: unknown, data: unknown): Uint8Array {
  switch (format) {
    case "raw":
      return bytesOf(data, "keyData");
    case "jwk":
      return fromJwk(data);
    case "pkcs8":
    case "spki":
      throw failure(`Unable to import a secret key with format ${format}`, "NotSupportedError");
    default:
      throw nodeError(
        TypeError,
        "ERR_INVALID_ARG_VALUE",
        `Failed to execute 'importKey' on 'SubtleCrypto': 1st argument value '${format}' is not ` +
          "a valid enum value of type KeyFormat.",
      );
  }
}

/** `importKey`. */
export function importKey(
  format: unknown,
  data: unknown,
  algorithm: unknown,
  extractable: unknown,
  usages: unknown,
): CryptoKey {
  const wanted = readAlgorithm(algorithm);
  const bytes = readKeyData(format, data);
  const isDeriving = kindOf(wanted.name) === "KDF";
  if (isDeriving && extractable) {
    throw failure(`${wanted.name} keys are not extractable`, "SyntaxError");
  }
  const uses = readUsages(usages, wanted.name);
  const made = keyAlgorithm(wanted, bytes);
  return createKey({ bytes, algorithm: made, extractable: Boolean(extractable), usages: uses });
}

/** Bits of a generated key: the requested number, or the block size of the hash function. */
export function keyBits(wanted: Named): number {
  const length: unknown = wanted.get("length");
  if (kindOf(wanted.name) === "HMAC") {
    return typeof length === "number" ? length : readHash(wanted.get("hash")).hash.blockBytes * 8;
  }
  if (kindOf(wanted.name) === "AES" && AES_BITS.includes(Number(length))) return Number(length);
  throw failure("AES key length must be 128, 192, or 256 bits", "OperationError");
}

/** `generateKey`, from random bytes. */
export function generateKey(
  random: (count: number) => Uint8Array,
  algorithm: unknown,
  extractable: unknown,
  usages: unknown,
): CryptoKey {
  const wanted = readAlgorithm(algorithm);
  const uses = readUsages(usages, wanted.name);
  const bytes = random(Math.ceil(keyBits(wanted) / 8));
  const { hash, length = 0, name } = keyAlgorithm(wanted, bytes);
  const made = hash === undefined ? { name, length } : { name, length, hash };
  return createKey({ bytes, algorithm: made, extractable: Boolean(extractable), usages: uses });
}

function jwkAlgorithm({ name, hash, length }: KeyAlgorithm): string {
  return name === "HMAC" ? `HS${hash?.name.slice(4) ?? ""}` : `A${length}${name.slice(4)}`;
}

/** `exportKey`. */
export function exportKey(format: unknown, key: unknown): ArrayBuffer | object {
  const parts = partsOf(key);
  if (parts === undefined) throw invalidArgument("key", "an instance of CryptoKey", key);
  if (!parts.extractable) throw failure("key is not extractable", "InvalidAccessException");
  if (format === "raw") return new Uint8Array(parts.bytes).buffer;
  if (format !== "jwk") throw failure("Unable to export the key", "NotSupportedError");
  const k = encodeBase64(parts.bytes).replaceAll("+", "-").replaceAll("/", "_")
    .replaceAll("=", "");
  const alg = jwkAlgorithm(parts.algorithm);
  return { key_ops: [...parts.usages], ext: true, kty: "oct", k, alg };
}
