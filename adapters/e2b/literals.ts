/**
 * String literals and containers as languages write them.
 *
 * @module
 */

/** Escapes of one character. */
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["0", "\0"],
  ["a", "\x07"],
  ["b", "\b"],
  ["e", "\x1b"],
  ["f", "\f"],
  ["v", "\v"],
]);
const ESCAPE =
  /\\(?:x([0-9a-fA-F]{2})|u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/gs;
/** A text in quotes that contains no bare quote of the same kind. */
const LITERAL = /^(["'`])((?:\\.|(?!\1|\\).)*)\1$/s;

/** The text of a string literal; any other text as it is. */
export function unquoted(text: string): string {
  const [, , inner] = LITERAL.exec(text) ?? [];
  if (inner === undefined) return text;
  return inner.replace(ESCAPE, (_, ...[byte, braced, short, long, char]) => {
    const code = byte ?? braced ?? short ?? long;
    if (code !== undefined) return characterOf(Number.parseInt(code, 16));
    return ESCAPES.get(char) ?? char;
  });
}

function characterOf(code: number): string {
  return code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code);
}

/** A value of JSON as Python's `repr` writes it. */
export function pythonRepr(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return quotedForPython(value);
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(", ")}]`;
  if (typeof value !== "object" || isRaw(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, item]) =>
    `${quotedForPython(key)}: ${pythonRepr(item)}`
  );
  return `{${entries.join(", ")}}`;
}

/** Whether it is a number with more digits than JavaScript's have (`shared/exact_json.ts`). */
function isRaw(value: object): boolean {
  const isRawJson: unknown = Reflect.get(JSON, "isRawJSON");
  return typeof isRawJson === "function" && isRawJson(value) === true;
}

function quotedForPython(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return quote + escaped.replaceAll(quote, `\\${quote}`) + quote;
}
