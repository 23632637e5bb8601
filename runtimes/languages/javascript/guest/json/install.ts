/**
 * `JSON` for the guest: the engine's, with V8's error messages.
 *
 * @module
 */
import { showAsBuiltIn } from "../function_text.ts";
import {
  defineHidden,
  JSONParse,
  JSONStringify,
  ownDescriptor,
  StringPrototypeStartsWith,
} from "../primordials.ts";
import { describeCircle } from "./circle.ts";
import { droppingErrors } from "../stack_trace.ts";
import { parseFault } from "./parse_fault.ts";

/** The beginning of the engine's error for a circle. */
const CIRCULAR = "Converting circular structure to JSON";

type Reviver = (this: unknown, key: string, value: unknown) => unknown;
type Replacer = (this: unknown, key: string, value: unknown) => unknown;

function isCircular(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const message: unknown = ownDescriptor(error, "message")?.value;
  return typeof message === "string" && StringPrototypeStartsWith(message, CIRCULAR);
}

const methods = {
  parse(text: unknown, reviver?: Reviver): unknown {
    const source = typeof text === "string" ? text : `${text}`;
    try {
      return reviver === undefined
        ? droppingErrors(() => JSONParse(source))
        : JSONParse(source, reviver);
    } catch (error) {
      // a reviver throws only when the text is valid JSON
      const message = parseFault(source);
      throw message === undefined ? error : new SyntaxError(message);
    }
  },
  stringify(value: unknown, replacer?: Replacer, space?: string | number): string | undefined {
    try {
      return JSONStringify(value, replacer, space);
    } catch (error) {
      if (!isCircular(error)) throw error;
      const detail = typeof replacer === "function" ? CIRCULAR : describeCircle(value);
      throw new TypeError(detail);
    }
  },
};

/** Replaces the engine's methods. */
export function installJson(): void {
  for (const [name, method] of Object.entries(methods)) {
    showAsBuiltIn(method);
    defineHidden(JSON, name, method);
  }
}
