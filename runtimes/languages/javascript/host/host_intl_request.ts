/**
 * Reads a request of the guest's `Intl` as hostile text: JSON of a fixed flat shape, in which every
 * string, list and number is bounded. Anything else is refused before ICU sees it.
 *
 * @module
 */
import { MAX_TIME_MS } from "../../../engine/time_value.ts";

/** Option values, coerced by the guest's classes. */
export type IntlOptions = Readonly<Record<string, string | number | boolean>>;

/** A number as ICU accepts it; strings are decimal numbers of any length. */
export type Numeric = number | bigint | string;

/** A request whose structure is valid. Each method reads its own arguments. */
export interface IntlRequest {
  readonly service: string;
  readonly method: string;
  readonly locales: readonly string[];
  readonly options: ReadonlyMap<string, unknown>;
  readonly args: IntlArguments;
}

/** The request is malformed or not served; the guest gets this as its own error. */
export class IntlRequestError extends Error {
  constructor(
    override readonly name: "RangeError" | "TypeError",
    message: string,
  ) {
    super(message);
  }
}

/** Maximum length of a request in UTF-16 units: room for two texts that consist only of escapes. */
export const MAX_REQUEST_LENGTH = 4 * 1024 * 1024;
/** Maximum UTF-16 units of one text. */
export const MAX_TEXT_LENGTH = 262_144;
/** Maximum UTF-16 units of a text to segment: dictionaries take 0.4 µs per character. */
export const MAX_SEGMENTED_LENGTH = 16_384;
const MAX_WORD_LENGTH = 256;
const MAX_LOCALES = 64;
const MAX_OPTIONS = 32;
const MAX_LIST_ITEMS = 10_000;
const MAX_NUMERIC_LENGTH = 10_001;
/**
 * Maximum combining marks in a row. ICU sorts marks into canonical order by insertion, so a run
 * costs the square of its length. UAX #15 calls 30 enough for any text.
 */
const MAX_MARKS_IN_A_ROW = 256;
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?$/;

function tooLong(what: string, limit: number): IntlRequestError {
  return new IntlRequestError("RangeError", `${what} is longer than ${limit}`);
}

function malformed(): IntlRequestError {
  return new IntlRequestError("TypeError", "Malformed Intl request");
}

/** A short string: a name, a locale, a code. */
function readWord(value: unknown): string {
  if (typeof value !== "string") throw malformed();
  if (value.length > MAX_WORD_LENGTH) {
    throw tooLong("A string for Intl", MAX_WORD_LENGTH);
  }
  return value;
}

function readList(value: unknown, limit: number): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed();
  if (value.length > limit) throw tooLong("A list for Intl", limit);
  return value;
}

function readText(value: unknown, limit = MAX_TEXT_LENGTH): string {
  if (typeof value !== "string") throw malformed();
  if (value.length > limit) throw tooLong("A text for Intl", limit);
  return value;
}

function checkMarks(text: string): void {
  for (const [run] of text.matchAll(/\p{M}+/gu)) {
    if (run.length > MAX_MARKS_IN_A_ROW) {
      throw tooLong("A run of combining marks", MAX_MARKS_IN_A_ROW);
    }
  }
}

/** The arguments of one call; each is read as the type that its method expects. */
export class IntlArguments {
  readonly #values: readonly unknown[];

  constructor(values: readonly unknown[]) {
    this.#values = values;
  }

  /** A number; values that JSON cannot represent are text. */
  number(index: number): number {
    const value = this.#values[index];
    if (typeof value !== "number" && typeof value !== "string") {
      throw malformed();
    }
    return typeof value === "number" ? value : Number(readWord(value));
  }

  /** A number for formatting: `n` and a double, `i` and an integer, `d` and a decimal. */
  numeric(index: number): Numeric {
    const value = this.#values[index];
    if (typeof value !== "string") throw malformed();
    if (value.length > MAX_NUMERIC_LENGTH) {
      throw tooLong("A number for Intl", MAX_NUMERIC_LENGTH);
    }
    const digits = value.slice(1);
    switch (value[0]) {
      case "n":
        return Number(digits);
      case "i":
        return BigInt(digits);
      case "d":
        if (DECIMAL.test(digits)) return digits;
    }
    throw malformed();
  }

  /** Milliseconds since the epoch, within what a Date can hold. */
  time(index: number): number {
    const value = this.#values[index];
    if (typeof value !== "number" || !(Math.abs(value) <= MAX_TIME_MS)) {
      throw new IntlRequestError("RangeError", "Invalid time value");
    }
    return value;
  }

  word(index: number): string {
    return readWord(this.#values[index]);
  }

  text(index: number, limit = MAX_TEXT_LENGTH): string {
    return readText(this.#values[index], limit);
  }

  /** A text that ICU may normalize. */
  normalizableText(index: number): string {
    const text = this.text(index);
    checkMarks(text);
    return text;
  }

  texts(index: number): readonly string[] {
    const list = readList(this.#values[index], MAX_LIST_ITEMS).map((item) => readText(item));
    const length = list.reduce((sum, text) => sum + text.length, 0);
    if (length > MAX_TEXT_LENGTH) {
      throw tooLong("A list for Intl", MAX_TEXT_LENGTH);
    }
    return list;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed();
  }
}

function ownField(record: object, name: string): unknown {
  return Object.getOwnPropertyDescriptor(record, name)?.value;
}

function readOptions(value: unknown): ReadonlyMap<string, unknown> {
  if (typeof value !== "object" || value === null) throw malformed();
  const entries = Object.entries(value);
  if (entries.length > MAX_OPTIONS) {
    throw tooLong("A list of options", MAX_OPTIONS);
  }
  return new Map(entries);
}

/** Reads a request. Throws {@link IntlRequestError}. */
export function readIntlRequest(text: string): IntlRequest {
  if (text.length > MAX_REQUEST_LENGTH) {
    throw tooLong("An Intl request", MAX_REQUEST_LENGTH);
  }
  const record = parseJson(text);
  if (typeof record !== "object" || record === null) throw malformed();
  return {
    service: readWord(ownField(record, "service")),
    method: readWord(ownField(record, "method")),
    locales: readList(ownField(record, "locales"), MAX_LOCALES).map(readWord),
    options: readOptions(ownField(record, "options")),
    args: new IntlArguments(readList(ownField(record, "args"), 2)),
  };
}

/** The kinds of option values, by how ECMA-402 reads them. */
export type OptionKind = "string" | "number" | "boolean" | "string or boolean";

function readOption(
  kind: OptionKind,
  value: unknown,
): string | number | boolean {
  if (kind === "number" && typeof value === "number") return value;
  if (kind.endsWith("boolean") && typeof value === "boolean") return value;
  if (kind === "number" && typeof value === "string") {
    return Number(readWord(value));
  }
  if (kind.startsWith("string")) return readWord(value);
  throw malformed();
}

/** The options that a service accepts, in the order of its table; any other is refused. */
export function pickOptions(
  given: ReadonlyMap<string, unknown>,
  known: Readonly<Record<string, OptionKind>>,
): IntlOptions {
  const picked: Record<string, string | number | boolean> = Object.create(null);
  for (const [name, kind] of Object.entries(known)) {
    if (given.has(name)) picked[name] = readOption(kind, given.get(name));
  }
  if (Object.keys(picked).length !== given.size) throw malformed();
  return picked;
}
