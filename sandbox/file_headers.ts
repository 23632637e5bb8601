/**
 * Headers of files as bytes (docs/contract.md#files-as-bytes). A browser saves a file and never runs
 * it, whoever wrote it.
 *
 * @module
 */
import { type ServiceError, validationFailed } from "../shared/errors.ts";
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

/** A part of a file, in bytes. */
export interface ByteRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/i;

/**
 * The part to answer with, by `Range` and `If-Range` (RFC 9110, 14.2); undefined: the whole file. A header that is malformed, has another unit
 * or several ranges is ignored. So is one whose `If-Range` is another tag, or a date: two states of
 * a file may have the same one.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` with 416 when no byte is in the range.
 */
export function rangeIn(headers: Headers, size: number, tag: string): ByteRange | undefined {
  const [, first, last] = ONE_RANGE.exec(headers.get("range") ?? "") ?? [];
  if (first === undefined || last === undefined || first + last === "") return undefined;
  const condition = headers.get("if-range");
  if (condition !== null && condition !== tag) return undefined;
  return first === "" ? suffix(Number(last), size) : interval(Number(first), last, size);
}

/** The last bytes. Those of an empty file are the whole file. */
function suffix(length: number, size: number): ByteRange | undefined {
  if (length === 0) throw unsatisfiable(size);
  return size === 0 ? undefined : { start: Math.max(0, size - length), end: size };
}

function interval(start: number, last: string, size: number): ByteRange | undefined {
  if (last !== "" && Number(last) < start) return undefined;
  if (start >= size) throw unsatisfiable(size);
  return { start, end: last === "" ? size : Math.min(size, Number(last) + 1) };
}

/** No byte of a file is in the range. */
export function unsatisfiable(size: number): ServiceError {
  return validationFailed(`Range starts behind the file's ${size} bytes`, 416, {
    "content-range": `bytes */${size}`,
  });
}

/** The bytes from `start` up to `end` of a file of `total` bytes. */
export interface PieceRange {
  readonly start: number;
  readonly end: number;
  readonly total: number;
}

/** A piece, or a question about the pieces that are there, of a file of `total` bytes. */
export type ContentRange = PieceRange | { readonly total: number };

const FORM = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15})$/i;

/**
 * Reads the `Content-Range` of an upload in pieces (docs/contract.md#pieces); undefined without it.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` that names the header.
 */
export function contentRangeIn(headers: Headers): ContentRange | undefined {
  const value = headers.get("content-range");
  if (value === null) return undefined;
  const [whole, first, last, length] = FORM.exec(value.trim()) ?? [];
  if (whole === undefined) throw malformedRange();
  const total = Number(length);
  if (first === undefined) return { total };
  const [start, end] = [Number(first), Number(last) + 1];
  if (start >= end || end > total) throw malformedRange();
  return { start, end, total };
}

function malformedRange(): ServiceError {
  return validationFailed(
    "Content-Range must be bytes first-last/length, such as bytes 0-99/1000, or bytes */length",
  );
}
