/**
 * JSON in pieces: the same text as from `JSON.stringify`, without ever holding all of it.
 *
 * @module
 */

/** An array whose items are created on demand. Each of them is small. */
export class LazyArray {
  readonly items: Iterable<object>;

  constructor(items: Iterable<object>) {
    this.items = items;
  }
}

/** A text whose pieces are created on demand. No piece ends inside a character. */
export class LazyText {
  readonly stretches: Iterable<string>;

  constructor(stretches: Iterable<string>) {
    this.stretches = stretches;
  }
}

/** Number of code units that are escaped at a time. */
const STRETCH = 32 * 1024;
const HIGH_SURROGATE = /[\ud800-\udbff]$/;
/** Depth up to which members and items are written one by one. */
const DEPTH = 4;

/** The JSON of plain data: members and items one by one, long texts in pieces. */
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

/** A surrogate pair is never split. */
function* stretchesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    let end = Math.min(text.length, at + STRETCH);
    if (end < text.length && HIGH_SURROGATE.test(text[end - 1] ?? "")) end--;
    yield text.slice(at, end);
    at = end;
  }
}

/**
 * Whether a value is a plain object: raw JSON has no prototype, and objects with `toJSON` have
 * another one.
 */
function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null &&
    Object.getPrototypeOf(value) === Object.prototype;
}
