/**
 * Random bodies for the route that answers a run: lists of answers of all forms and sizes, values of
 * all nestings, keys of all kinds, and bytes that are no JSON.
 *
 * @module
 */

/** A whole number from 0 up to a bound. */
export type Below = (bound: number) => number;

/** The keys that a body may name. */
export interface KnownKeys {
  readonly pending: readonly string[];
  readonly answered: readonly string[];
  /** Of other runs. */
  readonly foreign: readonly string[];
}

const ODD_TEXTS: readonly string[] = [
  "",
  "__proto__",
  "constructor",
  "toString",
  "\u0000",
  "\ud800",
  "\ufeff",
  "../x",
  "a".repeat(5_000),
  "é\u202e🙂",
];

/** JSON texts that a value of JavaScript cannot be. */
const ODD_JSON: readonly string[] = [
  "1e999",
  "-0",
  "9007199254740993",
  "0.1e-400",
  '{"__proto__":{"key":"x"}}',
  '{"a":1,"a":2}',
  '"\\ud800"',
  '"\\u0000"',
  "[".repeat(40) + "]".repeat(40),
  "[".repeat(5_000) + "]".repeat(5_000),
];

/** A random body, and whether its type says JSON. */
export interface RandomBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

/** Makes bodies. */
export function randomBody(below: Below, keys: KnownKeys): RandomBody {
  const type = below(20) === 0 ? pick(below, TYPES) : "application/json";
  const text = bodyText(below, keys);
  const bytes = new TextEncoder().encode(text);
  if (below(10) === 0) return { bytes: damaged(bytes, below), type };
  return { bytes, type };
}

const TYPES: readonly string[] = [
  "text/plain",
  "application/json; charset=utf-16",
  "application/problem+json",
  "",
  "application/x-www-form-urlencoded",
];

function bodyText(below: Below, keys: KnownKeys): string {
  switch (below(12)) {
    case 0:
      return pick(below, ["", "null", "[]", "{}", '"answers"', "1", "{", "\ufeff{}", "[[]]"]);
    case 1:
      return `{"answers":${randomJson(below, 3)}}`;
    case 2:
      return `{"answers":[],"x":${randomJson(below, 2)}}`;
    case 3:
      return `{"answers":[],"answers":[${answerText(below, keys)}]}`;
    case 4: {
      const many = answerText(below, keys);
      return `{"answers":[${Array.from({ length: 1 + below(1_100) }, () => many).join()}]}`;
    }
    default: {
      const answers = Array.from({ length: below(4) }, () => answerText(below, keys));
      return `{"answers":[${answers.join()}]}`;
    }
  }
}

function answerText(below: Below, keys: KnownKeys): string {
  if (below(12) === 0) return randomJson(below, 3);
  const key = keyText(below, keys);
  const parts = [`"key":${key}`];
  for (let left = 1 + Number(below(8) === 0); left > 0; left--) {
    parts.push(
      pick(below, [
        () => `"value":${valueText(below)}`,
        () => `"value":{"id":${randomJson(below, 2)}}`,
        () => `"deny":${textOf(below)}`,
        () => `"error":{"message":${textOf(below)},"data":${randomJson(below, 2)}}`,
        () => `"error":${randomJson(below, 2)}`,
        () => `"approve":true`,
        () => `${textOf(below)}:${randomJson(below, 1)}`,
      ])(),
    );
  }
  if (below(12) === 0) parts.shift();
  return `{${parts.join()}}`;
}

function keyText(below: Below, { pending, answered, foreign }: KnownKeys): string {
  const known = pick(below, [pending, pending, pending, answered, foreign]);
  const key = known.length > 0 && below(8) > 0
    ? pick(below, known)
    : pick(below, [...ODD_TEXTS, `${pending[0] ?? ""} `, `${pending[0] ?? ""}/1`]);
  return below(20) === 0 ? randomJson(below, 1) : JSON.stringify(key);
}

function valueText(below: Below): string {
  if (below(30) === 0) return JSON.stringify("x".repeat(256 * 1024 - 2 + below(3)));
  return randomJson(below, 4);
}

function textOf(below: Below): string {
  if (below(6) === 0) return JSON.stringify("y".repeat(16 * 1024 - 1 + below(3)));
  return JSON.stringify(pick(below, ["no", "line", ...ODD_TEXTS]));
}

/** Any JSON, nested at most so deep. */
export function randomJson(below: Below, depth: number): string {
  const kind = below(depth > 0 ? 10 : 6);
  if (kind === 0) return pick(below, ["null", "true", "false"]);
  if (kind === 1) return String(below(1_000) - 500);
  if (kind === 2) return JSON.stringify(pick(below, ODD_TEXTS));
  if (kind === 3) return pick(below, ODD_JSON);
  if (kind < 6) return JSON.stringify("text ".repeat(below(5)));
  const parts = Array.from({ length: below(4) }, () => randomJson(below, depth - 1));
  if (kind < 8) return `[${parts.join()}]`;
  const names = [...ODD_TEXTS, "id", "key", "value", "message", "deny"];
  return `{${parts.map((part) => `${JSON.stringify(pick(below, names))}:${part}`).join()}}`;
}

/** The bytes with a piece cut out, or with other bytes in it. */
function damaged(
  bytes: Uint8Array<ArrayBuffer>,
  below: Below,
): Uint8Array<ArrayBuffer> {
  const made = bytes.slice(0, below(2) === 0 ? below(bytes.length + 1) : bytes.length);
  for (let left = below(4); left > 0 && made.length > 0; left--) {
    made[below(made.length)] = below(256);
  }
  return made;
}

function pick<T>(below: Below, items: readonly T[]): T {
  const item = items[below(items.length)];
  if (item === undefined) throw new RangeError("nothing to choose from");
  return item;
}
