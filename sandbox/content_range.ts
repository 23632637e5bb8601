/**
 * `Content-Range` of an upload in pieces (docs/contract.md#pieces).
 *
 * @module
 */
import { validationFailed } from "../shared/errors.ts";

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
 * Reads the header; undefined without it.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` that names the header.
 */
export function contentRangeIn(headers: Headers): ContentRange | undefined {
  const value = headers.get("content-range");
  if (value === null) return undefined;
  const [whole, first, last, length] = FORM.exec(value.trim()) ?? [];
  if (whole === undefined) throw malformed();
  const total = Number(length);
  if (first === undefined) return { total };
  const [start, end] = [Number(first), Number(last) + 1];
  if (start >= end || end > total) throw malformed();
  return { start, end, total };
}

function malformed() {
  return validationFailed(
    "Content-Range must be bytes first-last/length, such as bytes 0-99/1000, or bytes */length",
  );
}
