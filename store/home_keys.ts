/**
 * Keys of shared blobs of sandboxes. A *home* is the lifetime of the first sandbox of those that
 * share: the blobs of all of them are below `sandbox_blob`, home.
 *
 * | key | value |
 * |---|---|
 * | `sandbox_home`, home, `member`, lifetime | a sandbox or a checkpoint that shares the blobs |
 * | `sandbox_home`, home, `forks` | changes whenever a member takes over the state of another one |
 * | `sandbox_left`, home, write id, n, part | blobs that a member no longer needs |
 * | `sandbox_unswept`, home | present while blobs may be stored that no member needs |
 *
 * @module
 */
import type { BlobKey } from "./keys.ts";

/** A member of a home. */
export function homeMemberKey(home: string, lifetime: string): Deno.KvKey {
  return [...homeMembersPrefix(home), lifetime];
}

/** Prefix of all members of a home. */
export function homeMembersPrefix(home: string): Deno.KvKey {
  return ["sandbox_home", home, "member"];
}

/** Changes whenever a member takes over the state of another one. */
export function homeForksKey(home: string): Deno.KvKey {
  return ["sandbox_home", home, "forks"];
}

/** A list of blobs that a member no longer needs. */
export function leftBlobsKey(home: string): BlobKey {
  return (writeId, n, part) => [...leftBlobsPrefix(home), writeId, n, part];
}

/** Prefix of all such lists of a home. */
export function leftBlobsPrefix(home: string): Deno.KvKey {
  return ["sandbox_left", home];
}

/** A home that may have blobs that no member needs. */
export function unsweptHomeKey(home: string): Deno.KvKey {
  return [...unsweptHomesPrefix(), home];
}

/** Prefix of all such homes. */
export function unsweptHomesPrefix(): Deno.KvKey {
  return ["sandbox_unswept"];
}
