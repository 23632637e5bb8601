/**
 * The expectations of an error of `assert.throws` and `assert.rejects`.
 *
 * @module
 */
import { isErrorLike, kindOf } from "../inspect/brands.ts";
import { inspectWith } from "../inspect/inspect.ts";
import { setName } from "../web/expose.ts";
import { invalidArgument, nodeError } from "../web/node_error.ts";
import { AssertionError } from "./assertion_error.ts";
import { isDeepStrictEqual } from "./deep_equal.ts";

/** Represents the absence of an error. */
export const NOTHING_THROWN: unique symbol = Symbol("nothing thrown");

const EXPECTED_TYPES = "of type function or an instance of Object, Error, or RegExp";

interface Expectation {
  readonly expected: unknown;
  readonly message: unknown;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isRegExp(value: unknown): value is RegExp {
  return isObject(value) && kindOf(value) === "RegExp";
}

/** Reads `(expected, message)`, either of which may be left out. */
function readExpectation(args: readonly unknown[], actual: unknown): Expectation {
  const [expected, message] = args;
  if (typeof expected === "string") {
    if (args.length > 1) throw invalidArgument("error", EXPECTED_TYPES, expected);
    const said = isObject(actual) && "message" in actual ? actual.message : actual;
    if (said === expected) {
      throw nodeError(
        TypeError,
        "ERR_AMBIGUOUS_ARGUMENT",
        `The "error/message" argument is ambiguous. The error ${
          isObject(actual) ? "message " : ""
        }"${expected}" is identical to the message.`,
      );
    }
    return { expected: undefined, message: expected };
  }
  if (
    expected !== undefined && expected !== null && !isObject(expected) &&
    typeof expected !== "function"
  ) {
    throw invalidArgument("error", EXPECTED_TYPES, expected);
  }
  return { expected, message };
}

function failWith(
  operator: string,
  actual: unknown,
  expected: unknown,
  message: unknown,
  generated: boolean,
): never {
  if (message instanceof Error) throw message;
  const error = new AssertionError({ actual, expected, operator, message });
  error.generatedMessage = generated;
  throw error;
}

function nameOf(value: unknown): string {
  return typeof value === "function" || isObject(value)
    ? String(Reflect.get(value, "name") ?? "")
    : "";
}

/**
 * The properties of an error that are compared; named as in Node, because messages show the name.
 */
class Picture {
  static {
    setName(this, "Comparison");
  }
}

/**
 * The keys that are compared, as an object. A pattern that the actual value matches is replaced by
 * that value.
 */
function picture(source: object, keys: readonly string[], actual?: object): object {
  const shown: Record<string, unknown> = {};
  for (const key of keys) {
    if (!(key in source)) continue;
    const value: unknown = Reflect.get(source, key);
    const other: unknown = actual === undefined ? undefined : Reflect.get(actual, key);
    const matches = typeof other === "string" && isRegExp(value) && value.exec(other) !== null;
    shown[key] = matches ? other : value;
  }
  return Object.assign(new Picture(), shown);
}

function expectKeys(operator: string, actual: object, wanted: Expectation): void {
  const expected = Object(wanted.expected);
  const keys = Object.keys(expected);
  if (expected instanceof Error) keys.push("name", "message");
  else if (keys.length === 0) {
    throw nodeError(
      TypeError,
      "ERR_INVALID_ARG_VALUE",
      `The argument 'error' may not be an empty object. Received ${inspectWith(expected)}`,
    );
  }
  for (const key of keys) {
    const value: unknown = Reflect.get(actual, key);
    const pattern: unknown = Reflect.get(expected, key);
    if (typeof value === "string" && isRegExp(pattern) && pattern.exec(value) !== null) continue;
    if (key in actual && isDeepStrictEqual(value, pattern)) continue;
    if (wanted.message) failWith(operator, actual, expected, wanted.message, false);
    const error = new AssertionError({
      actual: picture(actual, keys),
      expected: picture(expected, keys, actual),
      operator: "deepStrictEqual",
    });
    throw Object.assign(error, { actual, expected, operator });
  }
}

function wrongClassMessage(actual: unknown, expected: unknown): string {
  const head = `The error is expected to be an instance of "${nameOf(expected)}". Received `;
  if (!isObject(actual) || !isErrorLike(actual)) {
    return `${head}"${inspectWith(actual, { depth: -1 })}"`;
  }
  const name = nameOf(actual.constructor) || nameOf(actual);
  const said: unknown = Reflect.get(actual, "message");
  const what = name === nameOf(expected)
    ? "an error with identical name but a different prototype."
    : `"${name}"`;
  return `${head}${what}${said ? `\n\nError message:\n\n${said}` : ""}`;
}

function expectFunction(operator: string, actual: unknown, wanted: Expectation): void {
  const { expected, message } = wanted;
  if (typeof expected !== "function") return;
  if (expected.prototype !== undefined && actual instanceof expected) return;
  if (Object.prototype.isPrototypeOf.call(Error, expected)) {
    const text = message || wrongClassMessage(actual, expected);
    failWith(operator, actual, expected, text, !message);
  }
  const result: unknown = Reflect.apply(expected, {}, [actual]);
  if (result === true) return;
  const name = nameOf(expected) === "" ? "" : `"${nameOf(expected)}" `;
  const caught = isObject(actual) && isErrorLike(actual) ? `\n\nCaught error:\n\n${actual}` : "";
  const text = `The ${name}validation function is expected to return "true". Received ${
    inspectWith(result)
  }${caught}`;
  failWith(operator, actual, expected, message || text, !message);
}

function expectException(operator: string, actual: unknown, wanted: Expectation): void {
  const { expected, message } = wanted;
  if (typeof expected === "function") {
    expectFunction(operator, actual, wanted);
  } else if (isRegExp(expected)) {
    const text = String(actual);
    if (expected.exec(text) !== null) return;
    const generated = "The input did not match the regular expression " +
      `${inspectWith(expected)}. Input:\n\n${inspectWith(text)}\n`;
    failWith(operator, actual, expected, message || generated, !message);
  } else if (!isObject(actual)) {
    const error = new AssertionError({ actual, expected, message, operator: "deepStrictEqual" });
    throw Object.assign(error, { operator });
  } else {
    expectKeys(operator, actual, wanted);
  }
}

/** Checks the error that `throws` or `rejects` caught. */
export function expectError(operator: string, actual: unknown, args: readonly unknown[]): void {
  const wanted = readExpectation(args, actual);
  if (actual === NOTHING_THROWN) {
    const name = nameOf(wanted.expected);
    const what = operator === "rejects" ? "rejection" : "exception";
    const details = `${name === "" ? "" : ` (${name})`}${
      wanted.message ? `: ${wanted.message}` : "."
    }`;
    failWith(operator, undefined, wanted.expected, `Missing expected ${what}${details}`, false);
  }
  if (wanted.expected) expectException(operator, actual, wanted);
}

function matchesError(actual: unknown, expected: unknown): boolean {
  if (isRegExp(expected)) return expected.exec(String(actual)) !== null;
  if (typeof expected !== "function") {
    throw invalidArgument("expected", "of type function or an instance of RegExp", expected);
  }
  if (expected.prototype !== undefined && actual instanceof expected) return true;
  if (Object.prototype.isPrototypeOf.call(Error, expected)) return false;
  return Reflect.apply(expected, {}, [actual]) === true;
}

/** Checks the error that `doesNotThrow` or `doesNotReject` caught. */
export function expectNoError(operator: string, actual: unknown, args: readonly unknown[]): void {
  if (actual === NOTHING_THROWN) return;
  const [first, second] = args;
  const expected = typeof first === "string" ? undefined : first;
  const message = typeof first === "string" ? first : second;
  if (expected && !matchesError(actual, expected)) throw actual;
  const what = operator === "doesNotReject" ? "rejection" : "exception";
  const said = isObject(actual) ? Reflect.get(actual, "message") : undefined;
  const text = `Got unwanted ${what}${message ? `: ${message}` : "."}\nActual message: "${said}"`;
  failWith(operator, actual, expected, text, false);
}
