/**
 * Errors with Node's codes and messages, for the interfaces that Node and browsers share.
 *
 * @module
 */

type ErrorClass = new (message: string) => Error;

/** An error with a `code`, like Node's own. */
export type CodedError = Error & { code: string };

/** Makes an error of a class with one of Node's codes. */
export function nodeError(Base: ErrorClass, code: string, message: string): CodedError {
  return Object.assign(new Base(message), { code });
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return ` Received ${value}`;
  if (typeof value === "function") return ` Received function ${value.name}`;
  if (typeof value === "object") {
    const name: unknown = value.constructor?.name;
    return typeof name === "string" && name !== ""
      ? ` Received an instance of ${name}`
      : ` Received [object]`;
  }
  const shown = typeof value === "string" ? `'${value}'` : String(value);
  const short = shown.length > 28 ? `${shown.slice(0, 25)}...` : shown;
  return ` Received type ${typeof value} (${short}${typeof value === "bigint" ? "n" : ""})`;
}

/** `ERR_INVALID_ARG_TYPE`; `expected` reads like `of type string`. */
export function invalidArgument(name: string, expected: string, value: unknown): CodedError {
  const what = name.includes(".") ? "property" : "argument";
  return nodeError(
    TypeError,
    "ERR_INVALID_ARG_TYPE",
    `The "${name}" ${what} must be ${expected}.${describe(value)}`,
  );
}

/** `ERR_OUT_OF_RANGE`; `range` reads like `>= 0 && <= 10`. */
export function outOfRange(name: string, range: string, value: unknown): CodedError {
  return nodeError(
    RangeError,
    "ERR_OUT_OF_RANGE",
    `The value of "${name}" is out of range. It must be ${range}. Received ${shorten(value)}`,
  );
}

/** A number as Node writes it in messages: with separators above 2³². */
function shorten(value: unknown): string {
  if (typeof value === "string") return `'${value}'`;
  const text = String(value);
  const long = typeof value === "bigint" ||
    Number.isInteger(value) && Math.abs(Number(value)) > 2 ** 32;
  const separated = long ? text.replace(/\B(?=(\d{3})+$)/g, "_") : text;
  return typeof value === "bigint" ? `${separated}n` : separated;
}

/** `ERR_MISSING_ARGS` for the arguments named. */
export function missingArguments(...names: readonly string[]): CodedError {
  const quoted = names.map((name) => `"${name}"`).join(" and ");
  const noun = names.length > 1 ? "arguments" : "argument";
  return nodeError(TypeError, "ERR_MISSING_ARGS", `The ${quoted} ${noun} must be specified`);
}

/** `ERR_ILLEGAL_CONSTRUCTOR`. */
export function illegalConstructor(): CodedError {
  return nodeError(TypeError, "ERR_ILLEGAL_CONSTRUCTOR", "Illegal constructor");
}

/** Throws unless `value` is a function. */
export function requireFunction(name: string, value: unknown): void {
  if (typeof value !== "function") throw invalidArgument(name, "of type function", value);
}
