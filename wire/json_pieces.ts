/**
 * JSON in pieces: the text that `JSON.stringify` gives, without ever holding the whole of it.
 *
 * @module
 */

/** Stands for an array whose items are made when their turn comes. Each of them is small. */
export class LazyArray {
  readonly items: Iterable<object>;

  constructor(items: Iterable<object>) {
    this.items = items;
  }
}

/** Stands for a text whose stretches are made when their turn comes. None ends within a character. */
export class LazyText {
  readonly stretches: Iterable<string>;

  constructor(stretches: Iterable<string>) {
    this.stretches = stretches;
  }
}

/** Code units of a text that are escaped at a time. */
const STRETCH = 32 * 1024;
const HIGH_SURROGATE = /[\ud800-\udbff]$/;
/** How deep members and items come one by one. */
const DEPTH = 4;

/** The JSON of plain data. Its members and items come one by one, long texts in stretches. */
export function* jsonPieces(value: unknown, depth = 0): Generator<string> {
  if (typeof value === "string" && value.length > STRETCH) yield* textPieces(stretchesOf(value));
  else if (value instanceof LazyText) yield* textPieces(value.stretches);
  else if (value instanceof LazyArray) yield* lazyPieces(value);
  else if (Array.isArray(value) && depth < DEPTH) yield* arrayPieces(value, depth);
  else if (isPlain(value) && depth < DEPTH) yield* objectPieces(value, depth);
  else yield JSON.stringify(value) ?? "null";
}

function* lazyPieces({ items }: LazyArray): Generator<string> {
  let before = "[";
  for (const item of items) {
    yield before + JSON.stringify(item);
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}

function* arrayPieces(items: readonly unknown[], depth: number): Generator<string> {
  let before = "[";
  for (const item of items) {
    yield before;
    yield* jsonPieces(item, depth + 1);
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}

function* objectPieces(value: object, depth: number): Generator<string> {
  let before = "{";
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* jsonPieces(member, depth + 1);
    before = ",";
  }
  yield before === "{" ? "{}" : "}";
}

function* textPieces(stretches: Iterable<string>): Generator<string> {
  yield '"';
  for (const stretch of stretches) yield JSON.stringify(stretch).slice(1, -1);
  yield '"';
}

/** A pair of surrogates is never cut. */
function* stretchesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    let end = Math.min(text.length, at + STRETCH);
    if (end < text.length && HIGH_SURROGATE.test(text[end - 1] ?? "")) end--;
    yield text.slice(at, end);
    at = end;
  }
}

/** Raw JSON has no prototype, and what has a `toJSON` of its own has another one. */
function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null &&
    Object.getPrototypeOf(value) === Object.prototype;
}
