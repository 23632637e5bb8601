/**
 * JSON with integers that keep their exact digits when they pass through JavaScript's numbers
 * (docs/contract.md#result-mapping).
 *
 * @module
 */
import type { JsonValue, ResultEntry } from "../client/protocol/types.ts";

/** Digits in a row. Integers with fewer digits are exact anyway. */
const LONG_NUMBER_LENGTH = 16;
const INTEGER = /^-?[1-9]\d*$/;
/** V8 writes some kinds of nested values recursively, to a depth of about 3,600 levels. */
const SAFE_DEPTH = 2_000;
/** More stack frames than there are between here and the place where an answer is written. */
const SPARE_FRAMES = 500;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ZERO = 0x30;
const NINE = 0x39;
/** The characters of numbers: `+`, `-`, `.`, digits, `E` and `e`. */
const isOfNumber = new Uint8Array(128);
for (const character of "+-.0123456789Ee") isOfNumber[character.charCodeAt(0)] = 1;

type RawJson = (text: string) => JsonValue;
const rawJson: unknown = Reflect.get(JSON, "rawJSON");

function isRawJson(value: unknown): value is RawJson {
  return typeof value === "function";
}

/**
 * Parses JSON that will be written again: integers beyond the exact range of numbers become values
 * that `JSON.stringify` writes with their original digits. Throws a SyntaxError.
 *
 * Where values are nested deeper than {@linkcode SAFE_DEPTH}, numbers may lose digits: V8 could not
 * write them.
 *
 * A reviver would be called for each value, which takes ten times as long as parsing. So these
 * integers are put into the text as strings that nobody can guess, and looked for in the value.
 */
export function parseExactJson(text: string): JsonValue {
  if (!hasLongNumber(text) || !isRawJson(rawJson)) return JSON.parse(text);
  const mark = crypto.randomUUID();
  const marked = markIntegers(text, mark);
  if (marked === undefined) return JSON.parse(text);
  return replaceMarked(JSON.parse(marked), mark, rawJson);
}

/**
 * Whether there are {@linkcode LONG_NUMBER_LENGTH} digits in a row. One of them is at a multiple of that
 * length, so that most characters are not looked at: a regular expression takes twenty times as long.
 */
export function hasLongNumber(text: string): boolean {
  for (let at = LONG_NUMBER_LENGTH - 1; at < text.length; at += LONG_NUMBER_LENGTH) {
    if (!isDigit(text, at)) continue;
    let [from, to] = [at, at + 1];
    while (from > 0 && isDigit(text, from - 1)) from--;
    while (to < text.length && isDigit(text, to)) to++;
    if (to - from >= LONG_NUMBER_LENGTH) return true;
  }
  return false;
}

/** The digits of an integer that {@linkcode parseExactJson} keeps; undefined: it is another value. */
export function exactDigits(value: object): string | undefined {
  const isRaw = Object.getPrototypeOf(value) === null && Object.isFrozen(value);
  const digits: unknown = isRaw ? Reflect.get(value, "rawJSON") : undefined;
  return typeof digits === "string" ? digits : undefined;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= ZERO && code <= NINE;
}

/**
 * The text with strings in the place of integers beyond the exact range; undefined when there are
 * none, or when it is nested too deeply. It is JSON exactly if the text is.
 */
function markIntegers(text: string, mark: string): string | undefined {
  let marked = "";
  let begin = 0;
  let depth = 0;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (isOfNumber[code] === 1) {
      const end = endOfNumber(text, at);
      const number = text.slice(at, end);
      if (end - at >= LONG_NUMBER_LENGTH && isInexact(number) && !isKey(text, end)) {
        marked += `${text.slice(begin, at)}"${mark}${number}"`;
        begin = end;
      }
      at = end;
    } else {
      depth += stepAt(code);
      if (depth > SAFE_DEPTH) return undefined;
      at++;
    }
  }
  return begin === 0 ? undefined : marked + text.slice(begin);
}

function isInexact(number: string): boolean {
  return INTEGER.test(number) && !Number.isSafeInteger(Number(number));
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at++;
  }
  return at;
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (isOfNumber[text.charCodeAt(at)] === 1) at++;
  return at;
}

/** Whether a colon follows: a number is no key of JSON, but a string would be one. */
function isKey(text: string, end: number): boolean {
  let at = end;
  while (/\s/.test(text.charAt(at))) at++;
  return text.charAt(at) === ":";
}

/** Arrays and objects of a value that is not shared yet. */
type Container = JsonValue[] | { [key: string]: JsonValue };

/** Goes through a value without recursion, because its depth is that of the text. */
function replaceMarked(value: JsonValue, mark: string, raw: RawJson): JsonValue {
  const root = [value];
  const containers: Container[] = [root];
  const replacement = (each: JsonValue | undefined): JsonValue | undefined => {
    if (typeof each === "string") {
      return each.startsWith(mark) ? raw(each.slice(mark.length)) : undefined;
    }
    if (isContainer(each)) containers.push(each);
    return undefined;
  };
  for (let next = containers.pop(); next !== undefined; next = containers.pop()) {
    if (Array.isArray(next)) {
      for (let index = 0; index < next.length; index++) {
        next[index] = replacement(next[index]) ?? next[index] ?? null;
      }
    } else {
      for (const key of Object.keys(next)) {
        const exact = replacement(next[key]);
        if (exact !== undefined) next[key] = exact;
      }
    }
  }
  return root[0] ?? null;
}

function isContainer(value: JsonValue | undefined): value is Container {
  return typeof value === "object" && value !== null;
}

/**
 * Converts a value's JSON to an entry of a result: to text when it is nested too deeply to be
 * written as part of an answer. Throws a SyntaxError.
 */
export function jsonEntry(text: string): ResultEntry {
  const json = parseExactJson(text);
  return isDeep(text) && !isWritable(json, SPARE_FRAMES) ? { text } : { json };
}

/** Whether a value can be written with that many fewer stack frames than are available now. */
function isWritable(json: JsonValue, spare: number): boolean {
  if (spare > 0) return isWritable(json, spare - 1);
  try {
    JSON.stringify(json);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Whether JSON is nested so deeply that a value of it may not be written again. */
export function isDeep(json: string): boolean {
  if (json.length < 2 * SAFE_DEPTH) return false;
  let depth = 0;
  for (let at = 0; at < json.length;) {
    const code = json.charCodeAt(at);
    depth += stepAt(code);
    if (depth > SAFE_DEPTH) return true;
    at = code === QUOTE ? endOfString(json, at) : at + 1;
  }
  return false;
}

/** The change of depth by a character outside of strings: `[` and `{`, or `]` and `}`. */
function stepAt(code: number): number {
  if (code === 0x5b || code === 0x7b) return 1;
  return code === 0x5d || code === 0x7d ? -1 : 0;
}

/** Whether a value has a number beyond the range of doubles, such as 1e999: JSON would say null. */
export function hasInfinity(value: unknown): boolean {
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (next === Infinity || next === -Infinity) return true;
    if (typeof next === "object" && next !== null) {
      for (const part of Object.values(next)) left.push(part);
    }
  }
  return false;
}
