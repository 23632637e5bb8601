/**
 * A stand-in for `@std/assert`, over `node:assert`, for machines that cannot reach JSR (see
 * `README.md` beside it). It has the functions that the tests call.
 *
 * @module
 */
import nodeAssert from "node:assert";
import { inspect } from "node:util";

/** The error of every assertion. */
export class AssertionError extends Error {
  override name = "AssertionError";
}

/** A class, as `assertThrows` and `assertInstanceOf` take it. */
export type ErrorClass<T> = abstract new (...args: never[]) => T;

function raise(message: string, detail?: string): never {
  throw new AssertionError(detail === undefined ? message : `${message}: ${detail}`);
}

/** Throws unless `value` is truthy. */
export function assert(value: unknown, message = ""): asserts value {
  if (!value) raise(message || "Expected a truthy value");
}

/** Throws unless `value` is falsy. */
export function assertFalse(value: unknown, message = ""): void {
  if (value) raise(message || "Expected a falsy value");
}

/** Always throws. */
export function fail(message = "Failed assertion"): never {
  raise(message);
}

/** Marks a place that is never reached. */
export function unreachable(message = "Unreachable"): never {
  raise(message);
}

/** Deep equality, prototypes included. */
export function assertEquals<T>(actual: T, expected: T, message?: string): void {
  try {
    nodeAssert.deepStrictEqual(actual, expected);
  } catch (cause) {
    raise(message ?? "Values are not equal", cause instanceof Error ? cause.message : undefined);
  }
}

/** Throws when the two are deeply equal. */
export function assertNotEquals<T>(actual: T, expected: T, message?: string): void {
  try {
    nodeAssert.notDeepStrictEqual(actual, expected);
  } catch {
    raise(message ?? "Expected values to differ", inspect(actual));
  }
}

/** Equality by `Object.is`. */
export function assertStrictEquals<T>(
  actual: unknown,
  expected: T,
  message?: string,
): asserts actual is T {
  if (!Object.is(actual, expected)) {
    raise(message ?? "Values are not the same", `${inspect(actual)} and ${inspect(expected)}`);
  }
}

/** Throws for `null` and `undefined`. */
export function assertExists<T>(actual: T, message?: string): asserts actual is NonNullable<T> {
  if (actual === null || actual === undefined) raise(message ?? "Expected a value");
}

/** Throws unless `actual > expected`. */
export function assertGreater<T>(actual: T, expected: T, message?: string): void {
  if (!(actual > expected)) raise(message ?? `Expected ${inspect(actual)} > ${inspect(expected)}`);
}

/** Throws unless `actual >= expected`. */
export function assertGreaterOrEqual<T>(actual: T, expected: T, message?: string): void {
  if (!(actual >= expected)) {
    raise(message ?? `Expected ${inspect(actual)} >= ${inspect(expected)}`);
  }
}

/** Throws unless `actual < expected`. */
export function assertLess<T>(actual: T, expected: T, message?: string): void {
  if (!(actual < expected)) raise(message ?? `Expected ${inspect(actual)} < ${inspect(expected)}`);
}

/** Throws unless `actual <= expected`. */
export function assertLessOrEqual<T>(actual: T, expected: T, message?: string): void {
  if (!(actual <= expected)) {
    raise(message ?? `Expected ${inspect(actual)} <= ${inspect(expected)}`);
  }
}

/** Throws unless the text matches. */
export function assertMatch(actual: string, expected: RegExp, message?: string): void {
  if (!expected.test(actual)) raise(message ?? `${expected} does not match`, inspect(actual));
}

/** Throws when the text matches. */
export function assertNotMatch(actual: string, expected: RegExp, message?: string): void {
  if (expected.test(actual)) raise(message ?? `${expected} matches`, inspect(actual));
}

/** Throws unless `actual` contains `expected`. */
export function assertStringIncludes(actual: string, expected: string, message?: string): void {
  if (!actual.includes(expected)) {
    raise(message ?? `${inspect(actual)} does not include ${inspect(expected)}`);
  }
}

/** Throws unless each of `expected` deeply equals some element of `actual`. */
export function assertArrayIncludes<T>(
  actual: ArrayLike<T>,
  expected: ArrayLike<T>,
  message?: string,
): void {
  const equal = (a: T, b: T) => {
    try {
      nodeAssert.deepStrictEqual(a, b);
      return true;
    } catch {
      return false;
    }
  };
  for (const wanted of Array.from(expected)) {
    if (!Array.from(actual).some((item) => equal(item, wanted))) {
      raise(message ?? `${inspect(actual)} does not include ${inspect(wanted)}`);
    }
  }
}

/** Throws unless every property of `expected` is found, deeply, in `actual`. */
export function assertObjectMatch(actual: object, expected: object, message?: string): void {
  const matches = (a: unknown, e: unknown): boolean => {
    if (typeof e !== "object" || e === null || typeof a !== "object" || a === null) {
      return Object.is(a, e);
    }
    if (Array.isArray(e) && (!Array.isArray(a) || a.length !== e.length)) return false;
    return Reflect.ownKeys(e).every((k) => matches(Reflect.get(a, k), Reflect.get(e, k)));
  };
  if (!matches(actual, expected)) {
    raise(message ?? "Object does not match", `${inspect(actual)} against ${inspect(expected)}`);
  }
}

/** Throws unless `actual` is an instance of `type`. */
export function assertInstanceOf<T>(
  actual: unknown,
  type: ErrorClass<T>,
  message?: string,
): asserts actual is T {
  if (!(actual instanceof type)) {
    raise(message ?? `Expected an instance of ${type.name}`, inspect(actual));
  }
}

function checkError<E>(error: unknown, type?: ErrorClass<E>, includes?: string): E {
  if (type !== undefined) assertInstanceOf(error, type);
  else if (!(error instanceof Error)) raise("A value that is no Error was thrown", inspect(error));
  if (includes !== undefined) {
    assertStringIncludes(error instanceof Error ? error.message : String(error), includes);
  }
  return error as E;
}

/** Throws unless `fn` throws, by default any Error; returns what was thrown. */
export function assertThrows<E = Error>(
  fn: () => unknown,
  type?: ErrorClass<E>,
  includes?: string,
): E {
  let thrown: unknown;
  let didThrow = false;
  try {
    fn();
  } catch (error) {
    thrown = error;
    didThrow = true;
  }
  if (!didThrow) raise("Expected function to throw");
  return checkError(thrown, type, includes);
}

/** Throws unless the promise rejects, by default with an Error; resolves to the reason. */
export async function assertRejects<E = Error>(
  fn: () => PromiseLike<unknown>,
  type?: ErrorClass<E>,
  includes?: string,
): Promise<E> {
  let thrown: unknown;
  let didThrow = false;
  try {
    await fn();
  } catch (error) {
    thrown = error;
    didThrow = true;
  }
  if (!didThrow) raise("Expected function to reject");
  return checkError(thrown, type, includes);
}
