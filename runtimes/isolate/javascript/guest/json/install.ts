/**
 * `JSON` as the guest has it: the engine's, with errors that say what V8 says.
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

/** How the error of the engine for a circle begins. */
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
      // a reviver's own errors come from texts that are JSON
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

/** Puts the methods in the place of the engine's. */
export function installJson(): void {
  for (const [name, method] of Object.entries(methods)) {
    showAsBuiltIn(method);
    defineHidden(JSON, name, method);
  }
}
