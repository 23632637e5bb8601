/**
 * Measures the structure of a JSON text from its bytes, before it is parsed: parsing a text of only
 * brackets and commas takes a hundred times its size in memory, and deep values are written
 * recursively.
 *
 * @module
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Length from which searching is faster than scanning. */
const LONG_STRING = 32;
/** The bytes that start or separate values: `,`, `:`, `[`, `{`. */
const isStructural = bytesOf(",:[{");
/** Those of them that make a key, an array or an object, which cost ten times as much as a value. */
const isContaining = bytesOf(":[{");

function bytesOf(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

/**
 * Whether there are more than `limit` commas, colons and opening brackets outside of strings. The
 * result for invalid JSON is unspecified.
 */
export function hasMoreStructure(json: Uint8Array, limit: number): boolean {
  return json.length > limit && countOf(isStructural, json, limit) > limit;
}

/**
 * The number of colons and opening brackets outside of strings: keys, arrays and objects. At most
 * one more than `limit`. The result for invalid JSON is unspecified.
 */
export function countContainers(json: Uint8Array, limit: number): number {
  return countOf(isContaining, json, limit);
}

/** The number of colons and opening brackets in any bytes, those in strings included. */
export function countContaining(bytes: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at++) count += isContaining[bytes[at] ?? 0] ?? 0;
  return count;
}

function countOf(isCounted: Uint8Array, json: Uint8Array, limit: number): number {
  let count = 0;
  for (let at = 0; at < json.length && count <= limit; at++) {
    const byte = json[at] ?? 0;
    if (byte === QUOTE) at = endOfString(json, at);
    else if (isCounted[byte] === 1) count++;
  }
  return count;
}

/** The change of depth at each byte. */
const steps = new Int8Array(256);
for (const character of "[{") steps[character.charCodeAt(0)] = 1;
for (const character of "]}") steps[character.charCodeAt(0)] = -1;

/**
 * Whether arrays and objects are nested more than `limit` levels deep. The result for invalid JSON
 * is unspecified.
 */
export function isNestedDeeper(json: Uint8Array, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0;
    if (byte === QUOTE) at = endOfString(json, at);
    else if ((depth += steps[byte] ?? 0) > limit) return true;
  }
  return false;
}

/**
 * Index of the quote that ends a string, or past the end of the text. A long string is searched for
 * its first quote, once: a search would restart at each escaped one, of which there can be
 * millions.
 */
function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1;
  for (; at < json.length && json[at] !== QUOTE; at += json[at] === BACKSLASH ? 2 : 1) {
    if (at !== start + LONG_STRING) continue;
    const quote = json.indexOf(QUOTE, at);
    if (quote === -1) return json.length;
    if (json[quote - 1] !== BACKSLASH) return quote;
  }
  return at;
}
