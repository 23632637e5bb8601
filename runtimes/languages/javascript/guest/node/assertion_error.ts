/**
 * `assert.AssertionError`.
 *
 * @module
 */
import { inspectWith } from "../inspect/inspect.ts";
import { INSPECT, setName } from "../web/expose.ts";
import { invalidArgument } from "../web/node_error.ts";
import { differenceMessage, looseMessage, samenessMessage } from "./assertion_diff.ts";

/** The details of a failed assertion. */
export interface AssertionDetails {
  readonly actual?: unknown;
  readonly expected?: unknown;
  readonly operator?: string;
  readonly message?: unknown;
}

/** An error without its stack, which differs even when the errors are the same. */
function withoutStack(value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const copy = Object.assign(Object.create(Object.getPrototypeOf(value)), value);
  return Object.defineProperty(copy, "message", { value: value.message });
}

function messageOf(details: AssertionDetails): string {
  const { message, operator = "fail" } = details;
  const isStrict = operator === "deepStrictEqual" || operator === "strictEqual";
  if (message !== undefined && message !== null) {
    return isStrict
      ? differenceMessage(details.actual, details.expected, operator, String(message))
      : String(message);
  }
  const areErrors = details.actual instanceof Error && details.expected instanceof Error;
  const actual = areErrors ? withoutStack(details.actual) : details.actual;
  const expected = areErrors ? withoutStack(details.expected) : details.expected;
  if (isStrict) return differenceMessage(actual, expected, operator);
  if (operator === "notDeepStrictEqual" || operator === "notStrictEqual") {
    return samenessMessage(actual, operator);
  }
  return looseMessage(actual, expected, operator);
}

/** A failed assertion. */
export class AssertionError extends Error {
  generatedMessage: boolean;
  readonly code = "ERR_ASSERTION";
  actual: unknown;
  expected: unknown;
  operator: unknown;

  constructor(details: AssertionDetails) {
    if (typeof details !== "object" || details === null) {
      throw invalidArgument("options", "of type object", details);
    }
    super(messageOf(details));
    this.generatedMessage = !details.message;
    Object.defineProperty(this, "name", {
      value: "AssertionError",
      enumerable: false,
      writable: true,
      configurable: true,
    });
    this.actual = details.actual;
    this.expected = details.expected;
    this.operator = details.operator;
  }

  override toString(): string {
    return `${this.name} [${this.code}]: ${this.message}`;
  }

  [INSPECT](_depth: number, options: object): string {
    return inspectWith(this, { ...options, customInspect: false, depth: 0 });
  }
}

/** Sets the name of the class, which the bundler may have changed. */
export function exposeAssertionError(): void {
  setName(AssertionError, "AssertionError");
}
