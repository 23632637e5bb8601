/**
 * The hash by which stored bytes are checked and named. It is also the name of a file's contents in
 * a workspace manifest: the same on both sides of a binding, so that a file that both have is not
 * sent again.
 *
 * @module
 */
import { createHash } from "node:crypto";

/** SHA-256 of the contents, in 64 hexadecimal digits. */
export function contentHash(data: Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}
