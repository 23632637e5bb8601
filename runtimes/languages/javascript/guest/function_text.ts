/**
 * `Function.prototype.toString` shows `this` where a program wrote it, in place of the names that
 * stand for it in a prepared script.
 *
 * @module
 */
import {
  defineHidden,
  FunctionPrototypeToString,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
} from "./primordials.ts";
import { MODULE_THIS_NAME, SCRIPT_THIS_NAME } from "../host/loader_names.ts";

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

/** Replaces the engine's method. */
export function installFunctionText(): void {
  const holder = {
    toString(this: unknown): string {
      return withThis(
        withThis(FunctionPrototypeToString(this), SCRIPT_THIS_NAME),
        MODULE_THIS_NAME,
      );
    },
  };
  defineHidden(Function.prototype, "toString", holder.toString);
}
