/**
 * Encoding and properties of file contents in JSON.
 *
 * @module
 */
import mime from "mime";
import { Buffer, isUtf8 } from "node:buffer";
import { validationFailed } from "../shared/errors.ts";
import { LazyText } from "../shared/json_pieces.ts";
import type { FileEncoding } from "../shared/sandbox_types.ts";
import { nameOf } from "./workspace_path.ts";

/** The answer of `read`, besides the path. */
export interface FileText {
  readonly content: string;
  readonly encoding: FileEncoding;
  /** Whether the contents are not UTF-8. */
  readonly isBinary: boolean;
  readonly mimeType: string;
  readonly size: number;
}

/** The same, with text that is created on demand. */
export type LazyFileText = Omit<FileText, "content"> & { readonly content: LazyText };

const NOT_BASE64 = /[^A-Za-z0-9+/]/;

/** Source files whose extension the library takes for a video format. */
const TYPESCRIPT = /\.[mc]?ts$/i;

/**
 * Decodes the content of a request to bytes.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` when it is not base64, or not valid Unicode text.
 */
export function decodeContent(content: string, encoding: FileEncoding): Uint8Array<ArrayBuffer> {
  if (encoding === "base64") {
    if (!isBase64(content)) throw validationFailed("content is not valid base64");
    return new Uint8Array(Buffer.from(content, "base64"));
  }
  if (!content.isWellFormed()) throw validationFailed("content holds half of a surrogate pair");
  return new TextEncoder().encode(content);
}

/** With padding and nothing else, as in RFC 4648. */
function isBase64(content: string): boolean {
  const padding = content.endsWith("==") ? 2 : content.endsWith("=") ? 1 : 0;
  return content.length % 4 === 0 && !NOT_BASE64.test(content.slice(0, content.length - padding));
}

/** Encodes contents for an answer. No `encoding`: text if it is UTF-8, otherwise base64. */
export function describeContent(
  path: string,
  data: Uint8Array,
  encoding: FileEncoding | undefined,
): LazyFileText {
  const isBinary = !isUtf8(data);
  const chosen = encoding ?? (isBinary ? "base64" : "utf-8");
  const content = new LazyText(chosen === "base64" ? base64Of(data) : textOf(data));
  const mimeType = typeOf(path, isBinary);
  return { content, encoding: chosen, isBinary, mimeType, size: data.byteLength };
}

/** Bytes that are converted at a time: their base64 needs no padding. */
const STRETCH_BYTES = 24 * 1024;

function* stretchesOf(data: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < data.length; at += STRETCH_BYTES) {
    yield data.subarray(at, at + STRETCH_BYTES);
  }
}

function* base64Of(data: Uint8Array): Generator<string> {
  for (const { buffer, byteOffset, byteLength } of stretchesOf(data)) {
    yield Buffer.from(buffer, byteOffset, byteLength).toString("base64");
  }
}

/** Invalid UTF-8 becomes U+FFFD. A byte order mark is kept. */
function* textOf(data: Uint8Array): Generator<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  for (const stretch of stretchesOf(data)) yield decoder.decode(stretch, { stream: true });
  yield decoder.decode();
}

/** The type of a file: by the extension of its name, else by whether it is text. */
export function mimeTypeOf(path: string, data: Uint8Array): string {
  return typeOf(path, !isUtf8(data));
}

/** The same for a long file, by its first bytes. The last character of them may be cut. */
export function mimeTypeOfStart(path: string, start: Uint8Array): string {
  const isText = [0, 1, 2, 3].some((cut) => isUtf8(start.subarray(0, start.length - cut)));
  return typeOf(path, !isText);
}

function typeOf(path: string, isBinary: boolean): string {
  if (!isBinary && TYPESCRIPT.test(path)) return "text/typescript";
  return mime.getType(nameOf(path)) ?? (isBinary ? "application/octet-stream" : "text/plain");
}
