/**
 * Names and paths as text.
 *
 * The rule: a name is a well-formed Unicode string, kept exactly as given. Case counts, nothing
 * is normalised (a composed and a decomposed é are two names), and `/` and NUL cannot occur.
 * A lone surrogate is EILSEQ, as are bytes that are not UTF-8 when an engine passes
 * bytes. Lengths are counted in bytes of UTF-8.
 *
 * @module
 */
import { FileError } from "./file_error.ts";

/** Length in bytes of UTF-8 of a well-formed string. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    // A surrogate is one half of a character of four bytes, so it counts two bytes.
    length += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return length;
}

/** Compares by Unicode code points, which is also the order of the UTF-8 bytes. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return codeUnitRank(x) - codeUnitRank(y);
  }
  return a.length - b.length;
}

/** Surrogates encode code points above those of all other code units. */
function codeUnitRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** A path, split. */
export interface SplitPath {
  readonly absolute: boolean;
  /** The parts between slashes, without empty ones, with `.` and `..`. */
  readonly parts: readonly string[];
  /** The path ends with a slash, so it must name a directory. */
  readonly trailingSlash: boolean;
}

/** Splits a path. ENOENT (empty), ENAMETOOLONG, EILSEQ, EINVAL (NUL). */
export function splitPath(path: string, maxBytes: number): SplitPath {
  if (path === "") throw new FileError("ENOENT");
  checkText(path, maxBytes);
  return {
    absolute: path.startsWith("/"),
    parts: path.match(/[^/]+/g) ?? [],
    trailingSlash: path.endsWith("/"),
  };
}

/** Throws unless `name` can name an entry of a directory. */
export function checkName(name: string, maxBytes: number): void {
  if (name === "" || name === "." || name === ".." || name.includes("/")) {
    throw new FileError("EINVAL");
  }
  checkText(name, maxBytes);
}

function checkText(text: string, maxBytes: number): void {
  if (text.length > maxBytes) throw new FileError("ENAMETOOLONG");
  if (text.includes("\0")) throw new FileError("EINVAL");
  if (!text.isWellFormed()) throw new FileError("EILSEQ");
  if (text.length * 3 > maxBytes && utf8Length(text) > maxBytes) {
    throw new FileError("ENAMETOOLONG");
  }
}
