/**
 * Headers of an answer with the bytes of a file. A browser saves the file and never runs it, whoever
 * wrote it (docs/contract.md#files-as-bytes).
 *
 * @module
 */
import { tagOf } from "./file_conditions.ts";
import type { FileNode } from "./tree.ts";

/** The last time that has four digits for its year. */
const LAST_DATE = Date.UTC(9999, 11, 31, 23, 59, 59);

/** Characters that mean something else in a quoted name, to one browser or another. */
const UNQUOTABLE = /[^\x20-\x7e]|["%\\]/gu;
/** Characters that `encodeURIComponent` leaves and RFC 8187 does not allow. */
const UNESCAPED = /['()*]/g;

/** Headers that name a state of a file, of any answer to a request that reads it. `now`: epoch ms. */
export function stateHeaders(
  { ref, modifiedAt }: FileNode,
  now: number,
): { readonly [name: string]: string } {
  const date = new Date(Math.min(modifiedAt, now));
  return {
    "etag": tagOf(ref),
    "cache-control": "private, no-cache",
    ...(date.getTime() >= 0 && date.getTime() <= LAST_DATE
      ? { "last-modified": date.toUTCString() }
      : {}),
  };
}

/** Headers of an answer with contents. */
export function contentHeaders(
  name: string,
  mimeType: string,
): { readonly [name: string]: string } {
  return {
    "content-type": mimeType,
    "content-disposition": attachment(name),
    "content-security-policy": "sandbox",
    "x-content-type-options": "nosniff",
    "accept-ranges": "bytes",
  };
}

/** A name for the file to be saved (RFC 6266). Any name is possible, for example with line breaks. */
function attachment(name: string): string {
  const plain = name.replace(UNQUOTABLE, "_");
  if (plain === name) return `attachment; filename="${plain}"`;
  const encoded = encodeURIComponent(name).replace(UNESCAPED, escaped);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
