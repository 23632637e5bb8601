/**
 * Names of builds: short hashes of the output or of the sources.
 *
 * @module
 */

const NAME_CHARS = 16;

/** A name for a sequence of byte strings. It is equal only for equal sequences. */
export async function buildName(parts: readonly Uint8Array[]): Promise<string> {
  const digests = await Promise.all(
    parts.map((part) => crypto.subtle.digest("SHA-256", new Uint8Array(part))),
  );
  const joined = new Uint8Array(digests.length * 32);
  digests.forEach((digest, index) => joined.set(new Uint8Array(digest), index * 32));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", joined));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("").slice(
    0,
    NAME_CHARS,
  );
}
