/**
 * The messages of failed assertions, with the difference of two values line by line, as Node
 * writes them.
 *
 * @module
 */
import { inspectWith } from "../inspect/inspect.ts";

const HEADS: Readonly<Record<string, string>> = {
  deepStrictEqual: "Expected values to be strictly deep-equal:",
  strictEqual: "Expected values to be strictly equal:",
  strictEqualObject: 'Expected "actual" to be reference-equal to "expected":',
  deepEqual: "Expected values to be loosely deep-equal:",
  notDeepStrictEqual: 'Expected "actual" not to be strictly deep-equal to:',
  notStrictEqual: 'Expected "actual" to be strictly unequal to:',
  notStrictEqualObject: 'Expected "actual" not to be reference-equal to "expected":',
  notDeepEqual: 'Expected "actual" not to be loosely deep-equal to:',
  notIdentical: "Values have same structure but are not reference-equal:",
  notDeepEqualUnequal: "Expected values not to be loosely deep-equal:",
};

/** Short primitives are shown side by side. */
const SHORT_LENGTH = 12;
const LINE_LENGTH = 80;
const MOST_LINES = 50;
const MOST_CHARS = 512;
/** Number of lines shown at each end of a run of equal lines. */
const CONTEXT_LINES = 2;

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** A value as text, with everything that a comparison considers. */
function inspectForAssert(value: unknown): string {
  return inspectWith(value, {
    compact: false,
    customInspect: false,
    depth: 1000,
    maxArrayLength: Infinity,
    showHidden: false,
    showProxy: false,
    sorted: true,
    getters: true,
  });
}

function head(operator: string): string {
  return HEADS[operator] ?? "";
}

function shorten(lines: string[]): string[] {
  return lines.length > MOST_LINES ? [...lines.slice(0, 46), "..."] : lines;
}

interface Trimmed {
  /** The lines that both texts end with, formatted. */
  readonly end: string;
  readonly skipped: boolean;
  readonly count: number;
}

/** Removes the lines that both texts end with. */
function trimEnds(actual: string[], expected: string[], start: number): Trimmed {
  let end = "";
  let other = "";
  let count = start;
  while (actual.length > 0 && expected.length > 0 && actual.at(-1) === expected.at(-1)) {
    const line = actual.at(-1) ?? "";
    if (count++ < 3) end = `\n  ${line}${end}`;
    else other = line;
    actual.pop();
    expected.pop();
  }
  const skipped = count >= 5;
  if (skipped) end = `\n...${end}`;
  return { end: other === "" ? end : `\n  ${other}${end}`, skipped, count };
}

/** A line that marks the first difference between two single lines. */
function indicator(actual: string, expected: string): string {
  if (actual.length + expected.length >= LINE_LENGTH) return "";
  let at = 0;
  while (actual[at] === expected[at]) at++;
  return at > 2 ? `\n  ${" ".repeat(at)}^` : "";
}

/** Writes the difference of two texts; runs of equal lines are shortened. */
class DiffWriter {
  #text = "";
  /** Expected lines to be written after the actual lines next to them. */
  #pending = "";
  #identical = 0;
  #printed = 0;
  #skipped = false;
  readonly #actual: readonly string[];
  readonly #expected: readonly string[];

  constructor(actual: readonly string[], expected: readonly string[]) {
    this.#actual = actual;
    this.#expected = expected;
  }

  get text(): string {
    return this.#text;
  }

  get pending(): string {
    return this.#pending;
  }

  get skipped(): boolean {
    return this.#skipped;
  }

  /** Writes all lines; true if it stopped because there are too many. */
  write(): boolean {
    const count = Math.max(this.#actual.length, this.#expected.length);
    for (let i = 0; i < count; i++) {
      this.#line(i);
      if (this.#printed > MOST_LINES && i < count - 2) return true;
    }
    return false;
  }

  #line(index: number): void {
    const actual = this.#actual[index];
    const expected = this.#expected[index];
    if (actual === undefined) {
      this.#flushIdentical(index, this.#expected);
      this.#pending += `\n- ${expected}`;
      this.#printed++;
    } else if (expected === undefined) {
      this.#flushIdentical(index, this.#actual);
      this.#text += `\n+ ${actual}`;
      this.#printed++;
    } else {
      this.#pair(index, actual, expected);
    }
  }

  #pair(index: number, actual: string, expected: string): void {
    const isSame = actual === expected || actual === `${expected},`;
    const needsComma = expected === `${actual},`;
    if (!isSame && !needsComma) {
      this.#flushIdentical(index, this.#actual);
      this.#text += `\n+ ${actual}`;
      this.#pending += `\n- ${expected}`;
      this.#printed += 2;
      return;
    }
    this.#text += this.#pending;
    this.#pending = "";
    this.#identical++;
    if (this.#identical <= CONTEXT_LINES) {
      this.#text += `\n  ${needsComma ? `${actual},` : actual}`;
      this.#printed++;
    }
  }

  /** Writes the end of a run of equal lines before line `index`. */
  #flushIdentical(index: number, lines: readonly string[]): void {
    const run = this.#identical;
    this.#identical = 0;
    if (run > 5) {
      this.#text += "\n...";
      this.#skipped = true;
    } else if (run === 5) {
      this.#text += `\n  ${lines[index - 3]}`;
      this.#printed++;
    }
    for (const back of [2, 1]) {
      if (run <= CONTEXT_LINES + (back === 2 ? 1 : 0)) continue;
      this.#text += `\n  ${lines[index - back]}`;
      this.#printed++;
    }
  }
}

function sideBySide(
  actual: unknown,
  expected: unknown,
  texts: readonly [string, string],
): string | undefined {
  const [left, right] = texts;
  const isShort = left.length + right.length <= SHORT_LENGTH;
  const arePrimitive = !isObject(actual) && !isObject(expected);
  if (!isShort || !arePrimitive || (actual === 0 && expected === 0)) return undefined;
  return `${left} !== ${right}\n`;
}

function areBoth(type: "object" | "function", actual: unknown, expected: unknown): boolean {
  return typeof actual === type && typeof expected === type && actual !== null &&
    expected !== null;
}

/** The message of a failed `strictEqual` or `deepStrictEqual`. */
export function differenceMessage(
  actual: unknown,
  expected: unknown,
  given: string,
  message = "",
): string {
  const areReferences = areBoth("object", actual, expected) ||
    areBoth("function", actual, expected);
  const operator = given === "strictEqual" && areReferences ? "strictEqualObject" : given;
  const title = message === "" ? head(operator) : message;
  const shown = inspectForAssert(actual);
  const actualLines = shown.split("\n");
  const expectedLines = inspectForAssert(expected).split("\n");
  const [left = "", right = ""] = [actualLines[0], expectedLines[0]];
  let mark = "";
  if (actualLines.length === 1 && expectedLines.length === 1 && left !== right) {
    const short = sideBySide(actual, expected, [left, right]);
    if (short !== undefined) return `${title}\n\n${short}`;
    const isLong = left.length + right.length > SHORT_LENGTH;
    if (isLong && operator !== "strictEqualObject") mark = indicator(left, right);
  }
  const { end, skipped } = trimEnds(actualLines, expectedLines, 0);
  if (actualLines.length === 0 && expectedLines.length === 0) {
    return `${head("notIdentical")}\n\n${shorten(shown.split("\n")).join("\n")}\n`;
  }
  const writer = new DiffWriter(actualLines, expectedLines);
  const isCut = writer.write();
  const legend = `${title}\n+ actual - expected`;
  if (isCut) {
    return `${legend} ... Lines skipped\n${writer.text}\n...${writer.pending}\n...`;
  }
  const note = skipped || writer.skipped ? " ... Lines skipped" : "";
  return `${legend}${note}\n${writer.text}${writer.pending}${end}${mark}`;
}

/** The message of a failed `notStrictEqual` or `notDeepStrictEqual`. */
export function samenessMessage(actual: unknown, operator: string): string {
  const isReference = isObject(actual) || typeof actual === "function";
  const base = head(
    operator === "notStrictEqual" && isReference ? "notStrictEqualObject" : operator,
  );
  const lines = shorten(inspectForAssert(actual).split("\n"));
  const [first = ""] = lines;
  if (lines.length === 1) return `${base}${first.length > 5 ? "\n\n" : " "}${first}`;
  return `${base}\n\n${lines.join("\n")}\n`;
}

function cut(text: string): string {
  return text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS - 3)}...` : text;
}

/** The message of every other assertion. */
export function looseMessage(actual: unknown, expected: unknown, operator: string): string {
  const left = inspectForAssert(actual);
  const right = inspectForAssert(expected);
  if (operator === "notDeepEqual" && left === right) {
    const text = `${head(operator)}\n\n${left}`;
    return text.length > 1024 ? `${text.slice(0, 1021)}...` : text;
  }
  if (operator === "deepEqual") {
    return `${head(operator)}\n\n${cut(left)}\n\nshould loosely deep-equal\n\n${cut(right)}`;
  }
  const unequal = HEADS[`${operator}Unequal`];
  return unequal === undefined
    ? `${cut(left)} ${operator} ${cut(right)}`
    : `${unequal}\n\n${cut(left)}\n\nshould not loosely deep-equal\n\n${cut(right)}`;
}
