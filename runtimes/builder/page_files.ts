/**
 * The files of a built page.
 *
 * @module
 */
import { decodeMessage } from "../../shared/message.ts";
import type { PageFile } from "../../shared/page_file.ts";

/** Reads what `buildPage` has made. */
export function readPageFiles(bytes: Uint8Array<ArrayBuffer>): readonly PageFile[] {
  const { head, parts } = decodeMessage(bytes);
  const named = Array.isArray(head) ? head : [];
  return named.map(({ path, type }, index) => {
    const [whole, gzip] = parts.slice(2 * index);
    if (typeof path !== "string" || typeof type !== "string" || !whole || !gzip) {
      throw new TypeError("The built page is not readable");
    }
    return { path, type, bytes: whole, gzip };
  });
}
