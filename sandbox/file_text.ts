/**
 * Contents of files as they travel in JSON, and what is said of them.
 *
 * @module
 */
import mime from "mime";
import { Buffer } from "node:buffer";
import { validationFailed } from "../wire/errors.ts";
import type { FileEncoding } from "../wire/sandbox_types.ts";
import { nameOf } from "./workspace_path.ts";

/** What `read` answers beside the path. */
export interface FileText {
  readonly content: string;
  readonly encoding: FileEncoding;
  /** The contents are no UTF-8. */
  readonly isBinary: boolean;
  readonly mimeType: string;
  readonly size: number;
}

const NOT_BASE64 = /[^A-Za-z0-9+/]/;

/** Sources whose extension the library knows as that of a video format. */
const TYPESCRIPT = /\.[mc]?ts$/i;

/**
 * The bytes that the content of a request stands for.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` when it is no base64, or text that is not Unicode.
 */
export function decodeContent(content: string, encoding: FileEncoding): Uint8Array<ArrayBuffer> {
  if (encoding === "base64") {
    if (!isBase64(content)) throw validationFailed("content is not valid base64");
    return new Uint8Array(Buffer.from(content, "base64"));
  }
  if (!content.isWellFormed()) throw validationFailed("content holds half of a surrogate pair");
  return new TextEncoder().encode(content);
}

/** With padding and nothing else, as RFC 4648 has it. */
function isBase64(content: string): boolean {
  const padding = content.endsWith("==") ? 2 : content.endsWith("=") ? 1 : 0;
  return content.length % 4 === 0 && !NOT_BASE64.test(content.slice(0, content.length - padding));
}

/** Contents as an answer. No `encoding`: text if it is UTF-8, else base64. */
export function describeContent(
  path: string,
  data: Uint8Array,
  encoding: FileEncoding | undefined,
): FileText {
  const text = decodeUtf8(data);
  const isBinary = text === undefined;
  const chosen = encoding ?? (isBinary ? "base64" : "utf-8");
  const content = chosen === "base64"
    ? Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64")
    : text ?? new TextDecoder("utf-8", { ignoreBOM: true }).decode(data);
  const mimeType = mimeTypeOf(path, isBinary);
  return { content, encoding: chosen, isBinary, mimeType, size: data.byteLength };
}

function mimeTypeOf(path: string, isBinary: boolean): string {
  if (!isBinary && TYPESCRIPT.test(path)) return "text/typescript";
  return mime.getType(nameOf(path)) ?? (isBinary ? "application/octet-stream" : "text/plain");
}

/** Undefined when the bytes are no UTF-8. A byte order mark is kept. */
function decodeUtf8(data: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    return undefined;
  }
}
