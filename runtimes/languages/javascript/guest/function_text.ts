/**
 * `Function.prototype.toString` as in V8: a built-in is one line that says `[native code]`. The
 * constructors that replace the engine's say so too.
 *
 * @module
 */
import {
  defineHidden,
  FunctionPrototypeToString,
  ownDescriptor,
  StringPrototypeEndsWith,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
  WeakSetPrototypeAdd,
  WeakSetPrototypeHas,
} from "./primordials.ts";
import { MODULE_THIS_NAME, SCRIPT_THIS_NAME } from "../host/loader_names.ts";

/** The end of the engine's text for a built-in. */
const ENGINE_TAIL = "() {\n    [native code]\n}";

const standIns = new WeakSet<object>();

/** Makes a function of this environment appear as a built-in. */
export function showAsBuiltIn(fn: object): void {
  WeakSetPrototypeAdd(standIns, fn);
}

function nativeText(fn: object): string {
  const name: unknown = ownDescriptor(fn, "name")?.value;
  return `function ${typeof name === "string" ? name : ""}() { [native code] }`;
}

/** The text with `this` in place of the name that stands for it. */
function withThis(text: string, name: string): string {
  let written = text;
  let at = StringPrototypeIndexOf(written, name, 0);
  while (at >= 0) {
    const end = at + name.length;
    written = `${StringPrototypeSlice(written, 0, at)}this${StringPrototypeSlice(written, end)}`;
    at = StringPrototypeIndexOf(written, name, end);
  }
  return written;
}

/** The text as it was written. */
function asWritten(text: string): string {
  return withThis(withThis(text, SCRIPT_THIS_NAME), MODULE_THIS_NAME);
}

/** Replaces the engine's method. */
export function installFunctionText(): void {
  const holder = {
    toString(this: unknown): string {
      const text = FunctionPrototypeToString(this);
      if (typeof this !== "function") return text;
      const isBuiltIn = WeakSetPrototypeHas(standIns, this) ||
        StringPrototypeEndsWith(text, ENGINE_TAIL);
      return isBuiltIn ? nativeText(this) : asWritten(text);
    },
  };
  showAsBuiltIn(holder.toString);
  defineHidden(Function.prototype, "toString", holder.toString);
}
