/**
 * Names of builds: short hashes of the output or of the sources.
 *
 * @module
 */
import { createHash } from "node:crypto";

const NAME_CHARS = 16;

/** A name for a sequence of byte strings. It is equal only for equal sequences. */
export function buildName(parts: readonly Uint8Array[]): string {
  return nameOfDigests(parts.map(digestOf));
}

/** The name of the sequence whose byte strings have these digests. */
export function nameOfDigests(digests: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const digest of digests) hash.update(digest);
  return hash.digest("hex").slice(0, NAME_CHARS);
}

/** SHA-256 of a byte string. */
export function digestOf(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}
