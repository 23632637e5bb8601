/**
 * `assert` and `assert/strict`.
 *
 * @module
 */
import { kindOf } from "../inspect/brands.ts";
import { inspectWith } from "../inspect/inspect.ts";
import { invalidArgument, missingArguments, nodeError } from "../web/node_error.ts";
import { type AssertionDetails, AssertionError, exposeAssertionError } from "./assertion_error.ts";
import { isDeepEqual, isDeepStrictEqual } from "./deep_equal.ts";
import { isLooselyEqual } from "./loose_equality.ts";
import { expectError, expectNoError, NOTHING_THROWN } from "./assert_throws.ts";

type Assertion = (...args: readonly unknown[]) => unknown;
type Comparison = (left: unknown, right: unknown) => boolean;

function fail(details: AssertionDetails): never {
  if (details.message instanceof Error) throw details.message;
  throw new AssertionError(details);
}

/** `assert(value, message)`. */
function ok(args: readonly unknown[]): void {
  const [value, message] = args;
  if (value) return;
  const text = args.length === 0
    ? "No value argument passed to `assert.ok()`"
    : message ?? `${inspectWith(value)} == true`;
  if (text instanceof Error) throw text;
  const error = new AssertionError({
    actual: value,
    expected: true,
    operator: "==",
    message: text,
  });
  error.generatedMessage = args.length === 0 || message === undefined || message === null;
  throw error;
}

function comparison(operator: string, holds: Comparison): Assertion {
  return (...args) => {
    const [actual, expected, message] = args;
    if (args.length < 2) throw missingArguments("actual", "expected");
    if (!holds(actual, expected)) fail({ actual, expected, message, operator });
  };
}

function not(holds: Comparison): Comparison {
  return (left, right) => !holds(left, right);
}

function looselyEqual(left: unknown, right: unknown): boolean {
  return isLooselyEqual(left, right) || (Number.isNaN(left) && Number.isNaN(right));
}

function isRegExp(value: unknown): value is RegExp {
  return typeof value === "object" && value !== null && kindOf(value) === "RegExp";
}

function matchMessage(text: unknown, pattern: RegExp, wanted: boolean): string {
  if (typeof text !== "string") {
    return 'The "string" argument must be of type string. Received type ' +
      `${typeof text} (${inspectWith(text)})`;
  }
  const head = wanted
    ? "The input did not match the regular expression"
    : "The input was expected to not match the regular expression";
  return `${head} ${inspectWith(pattern)}. Input:\n\n${inspectWith(text)}\n`;
}

function matching(operator: string, wanted: boolean): Assertion {
  return (...args) => {
    const [text, pattern, message] = args;
    if (!isRegExp(pattern)) throw invalidArgument("regexp", "an instance of RegExp", pattern);
    if (typeof text === "string" && (pattern.exec(text) !== null) === wanted) return;
    if (message instanceof Error) throw message;
    const error = new AssertionError({
      actual: text,
      expected: pattern,
      operator,
      message: message ?? matchMessage(text, pattern, wanted),
    });
    error.generatedMessage = !message;
    throw error;
  };
}

function thrownBy(action: unknown): unknown {
  if (typeof action !== "function") throw invalidArgument("fn", "of type function", action);
  try {
    action();
  } catch (error) {
    return error;
  }
  return NOTHING_THROWN;
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && "catch" in value &&
    typeof value.then === "function" && typeof value.catch === "function";
}

async function rejectionOf(source: unknown): Promise<unknown> {
  const promise: unknown = typeof source === "function" ? source() : source;
  if (!isPromiseLike(promise)) {
    if (typeof source !== "function") {
      throw invalidArgument("promiseFn", "of type function or an instance of Promise", source);
    }
    throw nodeError(
      TypeError,
      "ERR_INVALID_RETURN_VALUE",
      `Expected instance of Promise to be returned from the "promiseFn" function but got ${
        promise === null ? "null" : `type ${typeof promise}`
      }.`,
    );
  }
  try {
    await promise;
  } catch (error) {
    return error;
  }
  return NOTHING_THROWN;
}

function failNow(...args: readonly unknown[]): never {
  const [message] = args;
  if (message instanceof Error) throw message;
  const error = new AssertionError({
    operator: "fail",
    message: args.length === 0 ? "Failed" : message,
  });
  error.generatedMessage = args.length === 0;
  throw error;
}

function ifErrorText(value: unknown): string {
  if (typeof value !== "object" || value === null || !("message" in value)) {
    return inspectWith(value);
  }
  const { message } = value;
  if (typeof message !== "string") return inspectWith(value);
  return message === "" ? value.constructor?.name ?? "" : message;
}

function ifError(value: unknown): void {
  if (value === null || value === undefined) return;
  throw new AssertionError({
    actual: value,
    expected: null,
    operator: "ifError",
    message: `ifError got unwanted exception: ${ifErrorText(value)}`,
  });
}

function throwing(): Record<string, Assertion> {
  return {
    throws: (action, ...rest) => expectError("throws", thrownBy(action), rest),
    doesNotThrow: (action, ...rest) => expectNoError("doesNotThrow", thrownBy(action), rest),
    rejects: async (source, ...rest) => expectError("rejects", await rejectionOf(source), rest),
    doesNotReject: async (source, ...rest) =>
      expectNoError("doesNotReject", await rejectionOf(source), rest),
  };
}

/**
 * The module `assert`: a function with the other assertions as properties; `strict` is
 * `assert/strict`.
 */
export function createAssert(): Assertion & { readonly strict: Assertion } {
  exposeAssertionError();
  const holds = (...args: readonly unknown[]) => ok(args);
  const strictly = {
    strictEqual: comparison("strictEqual", Object.is),
    notStrictEqual: comparison("notStrictEqual", not(Object.is)),
    deepStrictEqual: comparison("deepStrictEqual", isDeepStrictEqual),
    notDeepStrictEqual: comparison("notDeepStrictEqual", not(isDeepStrictEqual)),
  };
  const members = {
    fail: failNow,
    AssertionError,
    ok: holds,
    equal: comparison("==", looselyEqual),
    notEqual: comparison("!=", not(looselyEqual)),
    deepEqual: comparison("deepEqual", isDeepEqual),
    notDeepEqual: comparison("notDeepEqual", not(isDeepEqual)),
    ...strictly,
    ...throwing(),
    ifError,
    match: matching("match", true),
    doesNotMatch: matching("doesNotMatch", false),
  };
  const assert = (...args: readonly unknown[]) => holds(...args);
  const strict = (...args: readonly unknown[]) => holds(...args);
  Object.assign(strict, members, {
    equal: strictly.strictEqual,
    notEqual: strictly.notStrictEqual,
    deepEqual: strictly.deepStrictEqual,
    notDeepEqual: strictly.notDeepStrictEqual,
    strict,
  });
  return Object.assign(assert, members, { strict });
}
