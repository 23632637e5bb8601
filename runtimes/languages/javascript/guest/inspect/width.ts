/**
 * The columns that a text takes on a terminal, and text without terminal escapes.
 *
 * @module
 */
import {
  RegExpPrototypeExec,
  StringPrototypeCharCodeAt,
  StringPrototypeCodePointAt,
  StringPrototypeIncludes,
  StringPrototypeSlice,
  uncurryThis,
} from "../primordials.ts";

/** Pairs of first and last code point that take two columns. */
const WIDE: readonly number[] = [
  ...[0x1100, 0x115f, 0x231a, 0x231b, 0x2329, 0x232a, 0x23e9, 0x23ec, 0x23f0, 0x23f0],
  ...[0x23f3, 0x23f3, 0x25fd, 0x25fe, 0x2614, 0x2615, 0x2648, 0x2653, 0x267f, 0x267f],
  ...[0x2693, 0x2693, 0x26a1, 0x26a1, 0x26aa, 0x26ab, 0x26bd, 0x26be, 0x26c4, 0x26c5],
  ...[0x26ce, 0x26ce, 0x26d4, 0x26d4, 0x26ea, 0x26ea, 0x26f2, 0x26f3, 0x26f5, 0x26f5],
  ...[0x26fa, 0x26fa, 0x26fd, 0x26fd, 0x2705, 0x2705, 0x270a, 0x270b, 0x2728, 0x2728],
  ...[0x274c, 0x274c, 0x274e, 0x274e, 0x2753, 0x2755, 0x2757, 0x2757, 0x2795, 0x2797],
  ...[0x27b0, 0x27b0, 0x27bf, 0x27bf, 0x2b1b, 0x2b1c, 0x2b50, 0x2b50, 0x2b55, 0x2b55],
  ...[0x2e80, 0x303e, 0x3041, 0x3247, 0x3250, 0x4dbf, 0x4e00, 0xa4c6, 0xa960, 0xa97c],
  ...[0xac00, 0xd7a3, 0xf900, 0xfaff, 0xfe10, 0xfe19, 0xfe30, 0xfe6b, 0xff01, 0xff60],
  ...[0xffe0, 0xffe6, 0x16fe0, 0x18aff, 0x1b000, 0x1b2fb, 0x1f004, 0x1f004],
  ...[0x1f0cf, 0x1f0cf, 0x1f18e, 0x1f18e, 0x1f191, 0x1f19a, 0x1f200, 0x1f320],
  ...[0x1f32d, 0x1f335, 0x1f337, 0x1f37c, 0x1f37e, 0x1f393, 0x1f3a0, 0x1f3ca],
  ...[0x1f3cf, 0x1f3d3, 0x1f3e0, 0x1f3f0, 0x1f3f4, 0x1f3f4, 0x1f3f8, 0x1f43e],
  ...[0x1f440, 0x1f440, 0x1f442, 0x1f4fc, 0x1f4ff, 0x1f53d, 0x1f54b, 0x1f54e],
  ...[0x1f550, 0x1f567, 0x1f57a, 0x1f57a, 0x1f595, 0x1f596, 0x1f5a4, 0x1f5a4],
  ...[0x1f5fb, 0x1f64f, 0x1f680, 0x1f6c5, 0x1f6cc, 0x1f6cc, 0x1f6d0, 0x1f6d2],
  ...[0x1f6d5, 0x1f6d7, 0x1f6dc, 0x1f6df, 0x1f6eb, 0x1f6ec, 0x1f6f4, 0x1f6fc],
  ...[0x1f7e0, 0x1f7eb, 0x1f7f0, 0x1f7f0, 0x1f90c, 0x1f93a, 0x1f93c, 0x1f945],
  ...[0x1f947, 0x1f9ff, 0x1fa70, 0x1faff, 0x20000, 0x3fffd],
];

/** Pairs of first and last code point that take no column. */
const ZERO: readonly number[] = [
  ...[0x00, 0x1f, 0x7f, 0x9f, 0x300, 0x36f, 0x483, 0x489, 0x591, 0x5bd, 0x610, 0x61a],
  ...[0x64b, 0x65f, 0x200b, 0x200f, 0x20d0, 0x20ff, 0xfe00, 0xfe0f, 0xfe20, 0xfe2f],
  ...[0x1f3fb, 0x1f3ff, 0xe0100, 0xe01ef],
];

/** Terminal escapes, after Sindre Sorhus's ansi-regex (MIT). */
const ESCAPES = new RegExp(
  "[\\u001B\\u009B][[\\]()#;?]*" +
    "(?:(?:(?:(?:;[-a-zA-Z\\d\\/\\#&.:=?%@~_]+)*" +
    "|[a-zA-Z\\d]+(?:;[-a-zA-Z\\d\\/\\#&.:=?%@~_]*)*)?" +
    "(?:\\u0007|\\u001B\\u005C|\\u009C))" +
    "|(?:(?:\\d{1,4}(?:;\\d{0,4})*)?" +
    "[\\dA-PR-TZcf-nq-uy=><~]))",
  "g",
);

const normalize = uncurryThis(String.prototype.normalize) as (
  self: string,
  form: string,
) => string;

function isIn(ranges: readonly number[], code: number): boolean {
  for (let i = 0; i < ranges.length; i += 2) {
    const first = ranges[i] ?? Infinity;
    if (code < first && ranges !== ZERO) return false;
    if (code >= first && code <= (ranges[i + 1] ?? -1)) return true;
  }
  return false;
}

/** `text` without terminal escapes. */
export function stripEscapes(text: string): string {
  if (!StringPrototypeIncludes(text, "\x1b") && !StringPrototypeIncludes(text, "\x9b")) return text;
  let result = "";
  let from = 0;
  ESCAPES.lastIndex = 0;
  for (;;) {
    const match = RegExpPrototypeExec(ESCAPES, text);
    if (match === null) break;
    result += StringPrototypeSlice(text, from, match.index);
    from = match.index + (match[0] ?? "").length;
    if (ESCAPES.lastIndex === match.index) ESCAPES.lastIndex++;
  }
  return `${result}${StringPrototypeSlice(text, from)}`;
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = StringPrototypeCharCodeAt(text, i);
    if (code < 32 || code >= 127) return false;
  }
  return true;
}

/** Columns that `text` takes. */
export function widthOf(text: string): number {
  if (isAscii(text)) return text.length;
  const plain = normalize(stripEscapes(text), "NFC");
  let width = 0;
  for (let i = 0; i < plain.length; i++) {
    const code = StringPrototypeCodePointAt(plain, i) ?? 0;
    if (code > 0xffff) i++;
    if (isIn(WIDE, code)) width += 2;
    else if (!isIn(ZERO, code)) width += 1;
  }
  return width;
}
