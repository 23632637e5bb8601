/**
 * Text helpers that call no live method. String methods that take a pattern look it up on
 * prototypes that a guest can change.
 *
 * @module
 */
import {
  append,
  createList,
  type List,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
} from "./primordials.ts";

/** The parts of `text` between the separators. */
export function splitText(text: string, separator: string): List<string> {
  const parts = createList<string>();
  let from = 0;
  for (;;) {
    const at = StringPrototypeIndexOf(text, separator, from);
    if (at === -1) break;
    append(parts, StringPrototypeSlice(text, from, at));
    from = at + separator.length;
  }
  append(parts, StringPrototypeSlice(text, from));
  return parts;
}

/** `text` with every `part` replaced. */
export function replaceText(text: string, part: string, replacement: string): string {
  let from = 0;
  let result = "";
  for (;;) {
    const at = StringPrototypeIndexOf(text, part, from);
    if (at === -1) break;
    result += `${StringPrototypeSlice(text, from, at)}${replacement}`;
    from = at + part.length;
  }
  return from === 0 ? text : `${result}${StringPrototypeSlice(text, from)}`;
}
