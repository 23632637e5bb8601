/**
 * The last match of any regular expression (`RegExp.$1` and so on). It is recorded only when a
 * program uses it, because recording each match makes all of them slower.
 *
 * @module
 */
import {
  bare,
  defineHidden,
  ReflectDefineProperty,
  RegExpPrototypeExec,
  StringPrototypeSlice,
} from "./primordials.ts";

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
  defineHidden(RegExp.prototype, "exec", holder.exec);
  for (let i = 1; i <= GROUPS; i++) defineReader([`$${i}`], () => groupOf(i));
  defineReader(["input", "$_"], () => noted?.input ?? "");
  defineReader(["lastMatch", "$&"], () => groupOf(0));
  defineReader(["lastParen", "$+"], lastGroup);
  defineReader(["leftContext", "$`"], before);
  defineReader(["rightContext", "$'"], behind);
}
