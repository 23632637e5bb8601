/**
 * The guest's `RegExp`. It differs from the engine's in two ways. It records the arguments that it
 * rejects, for the wording of the error. It provides the last match (`RegExp.$1` and so on), but
 * only when a program uses it, because recording each match makes all of them slower.
 *
 * @module
 */
import { compiling } from "./error_wording/refused_pattern.ts";
import { showAsBuiltIn } from "./function_text.ts";
import {
  bare,
  copyStatics,
  defineHidden,
  ReflectConstruct,
  ReflectDefineProperty,
  ReflectGet,
  RegExpPrototypeExec,
  StringPrototypeSlice,
} from "./primordials.ts";

type Constructor = new (...args: readonly unknown[]) => object;

function isConstructor(value: unknown): value is Constructor {
  return typeof value === "function";
}

/** `RegExp(pattern)` returns the pattern itself when it is already a regular expression. */
function isItself(pattern: unknown, flags: unknown, constructor: object): boolean {
  return flags === undefined && typeof pattern === "object" && pattern !== null &&
    Boolean(ReflectGet(pattern, Symbol.match)) &&
    ReflectGet(pattern, "constructor") === constructor;
}

/** Replaces the engine's constructor. */
export function installRegExp(): void {
  const native: unknown = ReflectGet(globalThis, "RegExp");
  if (!isConstructor(native)) throw new TypeError("The engine has no RegExp");
  const guest = function (pattern: unknown, flags: unknown): unknown {
    if (new.target === undefined && isItself(pattern, flags, guest)) return pattern;
    const what = typeof pattern === "string"
      ? { pattern, flags: typeof flags === "string" ? flags : "" }
      : undefined;
    const target = new.target ?? guest;
    return compiling(what, () => ReflectConstruct(native, [pattern, flags], target));
  };
  copyStatics(native, guest);
  showAsBuiltIn(guest);
  defineHidden(native.prototype, "constructor", guest);
  defineHidden(globalThis, "RegExp", guest);
}

/** The last match: its groups, the text, and the position in it. */
interface Noted {
  readonly match: RegExpExecArray;
  readonly input: string;
}

const GROUPS = 9;

let noted: Noted | undefined;
let isNoting = false;

function groupOf(index: number): string {
  return noted?.match[index] ?? "";
}

function lastGroup(): string {
  const count = noted?.match.length ?? 0;
  return count > 1 ? groupOf(count - 1) : "";
}

function before(): string {
  return noted === undefined ? "" : StringPrototypeSlice(noted.input, 0, noted.match.index);
}

function behind(): string {
  if (noted === undefined) return "";
  const { match, input } = noted;
  return StringPrototypeSlice(input, match.index + groupOf(0).length);
}

function defineReader(names: readonly string[], get: () => string): void {
  for (let i = 0; i < names.length; i++) {
    const shape = bare({ get, set: () => {}, enumerable: false, configurable: true });
    ReflectDefineProperty(RegExp, names[i] ?? "", shape);
  }
}

/**
 * Makes `RegExp.$1` to `$9`, `lastMatch` and the other legacy properties report the last match from
 * now on.
 */
export function noteMatches(): void {
  if (isNoting) return;
  isNoting = true;
  const holder = {
    exec(this: RegExp, text: string): RegExpExecArray | null {
      const input = `${text}`;
      const match = RegExpPrototypeExec(this, input);
      if (match !== null) noted = { match, input };
      return match;
    },
  };
  showAsBuiltIn(holder.exec);
  defineHidden(RegExp.prototype, "exec", holder.exec);
  for (let i = 1; i <= GROUPS; i++) defineReader([`$${i}`], () => groupOf(i));
  defineReader(["input", "$_"], () => noted?.input ?? "");
  defineReader(["lastMatch", "$&"], () => groupOf(0));
  defineReader(["lastParen", "$+"], lastGroup);
  defineReader(["leftContext", "$`"], before);
  defineReader(["rightContext", "$'"], behind);
}
