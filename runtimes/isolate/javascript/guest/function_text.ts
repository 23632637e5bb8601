/**
 * `Function.prototype.toString` as V8 has it for built-ins: one line that says `[native code]`.
 * Constructors of ours that stand in the place of the engine's say so too.
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
import { MODULE_THIS_NAME, SCRIPT_THIS_NAME } from "../shared/loader_names.ts";

/** How the engine's text of a built-in ends. */
const ENGINE_TAIL = "() {\n    [native code]\n}";

const standIns = new WeakSet<object>();

/** Lets a function of ours appear as a built-in. */
export function showAsBuiltIn(fn: object): void {
  WeakSetPrototypeAdd(standIns, fn);
}

function nativeText(fn: object): string {
  const name: unknown = ownDescriptor(fn, "name")?.value;
  return `function ${typeof name === "string" ? name : ""}() { [native code] }`;
}

/** The text with the word `this` where a name stands for it. */
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

/** Puts the method in the place of the engine's. */
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
