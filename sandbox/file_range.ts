/**
 * The part of a file that a request asks for: `Range` and `If-Range` (RFC 9110, 14.2).
 *
 * @module
 */
import { type ServiceError, validationFailed } from "../shared/errors.ts";

/** A part of a file, in bytes. */
export interface ByteRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/i;

/**
 * The part to answer with; undefined: the whole file. A header that is malformed, has another unit
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
