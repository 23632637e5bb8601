/**
 * Random choices and digests for the programs of this folder, in Node and in the engine.
 */

/** Whole numbers from 0 up to a bound, the same for the same seed (mulberry32). */
export function seededBelow(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor(((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32 * below);
  };
}

/** A digest of texts (FNV-1a), and, when asked for, the texts. */
export class Digest {
  #value = 0x811c9dc5;
  #texts;

  constructor(keepsTexts) {
    this.#texts = keepsTexts ? [] : undefined;
  }

  add(text) {
    for (let at = 0; at < text.length; at++) {
      this.#value = Math.imul(this.#value ^ text.charCodeAt(at), 0x01000193);
    }
    this.#value = Math.imul(this.#value ^ 10, 0x01000193);
    this.#texts?.push(text);
  }

  get value() {
    return (this.#value >>> 0).toString(36);
  }

  get texts() {
    return this.#texts ?? [];
  }
}

/** A value as text: of objects, what an array has at its places, and no more than two levels. */
export function shown(value, depth = 0) {
  if (Array.isArray(value)) return depth > 2 ? "[…]" : shownArray(value, depth);
  if (typeof value === "string") return `"${value}"`;
  if (typeof value === "function") return "function";
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "symbol") return "symbol";
  if (typeof value !== "object" || value === null) {
    return Object.is(value, -0) ? "-0" : `${value}`;
  }
  if (value instanceof Error) return value.name;
  if (depth > 2) return "{…}";
  return `{${Object.keys(value).map((key) => `${key}:${shown(value[key], depth + 1)}`)}}`;
}

function shownArray(array, depth) {
  const parts = [];
  for (const key of Object.keys(array)) parts.push(`${key}:${shown(array[key], depth + 1)}`);
  return `[${array.length};${parts}]`;
}
