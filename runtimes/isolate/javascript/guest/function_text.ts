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
  WeakSetPrototypeAdd,
  WeakSetPrototypeHas,
} from "./primordials.ts";

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

/** Puts the method in the place of the engine's. */
export function installFunctionText(): void {
  const holder = {
    toString(this: unknown): string {
      const text = FunctionPrototypeToString(this);
      if (typeof this !== "function") return text;
      const isBuiltIn = WeakSetPrototypeHas(standIns, this) ||
        StringPrototypeEndsWith(text, ENGINE_TAIL);
      return isBuiltIn ? nativeText(this) : text;
    },
  };
  showAsBuiltIn(holder.toString);
  defineHidden(Function.prototype, "toString", holder.toString);
}
