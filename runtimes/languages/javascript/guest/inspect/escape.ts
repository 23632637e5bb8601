/**
 * Strings and keys as the console quotes them: single quotes unless another kind saves
 * escaping, control characters and lone surrogates as escapes.
 *
 * @module
 */
import {
  NumberPrototypeToString,
  StringPrototypeCharCodeAt,
  StringPrototypeIncludes,
  StringPrototypePadStart,
  StringPrototypeSlice,
  StringPrototypeToUpperCase,
} from "../primordials.ts";

const SINGLE_QUOTE = 39;
const BACKSLASH = 92;

function hex(code: number, width: number): string {
  return StringPrototypePadStart(NumberPrototypeToString(code, 16), width, "0");
}

function escapeOf(code: number): string {
  switch (code) {
    case 8:
      return "\\b";
    case 9:
      return "\\t";
    case 10:
      return "\\n";
    case 12:
      return "\\f";
    case 13:
      return "\\r";
    case SINGLE_QUOTE:
      return "\\'";
    case BACKSLASH:
      return "\\\\";
    default:
      return code < 256 ? `\\x${StringPrototypeToUpperCase(hex(code, 2))}` : `\\u${hex(code, 4)}`;
  }
}

function isLoneSurrogate(text: string, at: number, code: number): boolean {
  if (code < 0xd800 || code > 0xdfff) return false;
  if (code <= 0xdbff) {
    const next = at + 1 < text.length ? StringPrototypeCharCodeAt(text, at + 1) : 0;
    return next < 0xdc00 || next > 0xdfff;
  }
  const previous = at > 0 ? StringPrototypeCharCodeAt(text, at - 1) : 0;
  return previous < 0xd800 || previous > 0xdbff;
}

function needsEscape(text: string, at: number, code: number, escapeQuote: boolean): boolean {
  return code < 32 || code === BACKSLASH || (code > 126 && code < 160) ||
    (escapeQuote && code === SINGLE_QUOTE) || isLoneSurrogate(text, at, code);
}

/** `text` with its control characters, backslashes and lone surrogates as escapes. */
export function escapeText(text: string, escapeQuote: boolean): string {
  let result = "";
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const code = StringPrototypeCharCodeAt(text, i);
    if (!needsEscape(text, i, code, escapeQuote)) continue;
    result += `${StringPrototypeSlice(text, from, i)}${escapeOf(code)}`;
    from = i + 1;
  }
  return from === 0 ? text : `${result}${StringPrototypeSlice(text, from)}`;
}

/** A string literal that stands for `text`. */
export function quote(text: string): string {
  if (!StringPrototypeIncludes(text, "'")) return `'${escapeText(text, true)}'`;
  if (!StringPrototypeIncludes(text, '"')) return `"${escapeText(text, false)}"`;
  if (!StringPrototypeIncludes(text, "`") && !StringPrototypeIncludes(text, "${")) {
    return `\`${escapeText(text, false)}\``;
  }
  return `'${escapeText(text, true)}'`;
}
