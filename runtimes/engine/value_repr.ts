/**
 * The own form of a program's value in its language, which a run asks for with `repr`
 * (docs/contract.md#own-form-of-a-value). The drivers live among the guest's objects, so what they say
 * is untrusted.
 *
 * @module
 */
import { REPR_BYTES } from "../../shared/limits.ts";
import type { Ending } from "./engine.ts";
import { cutText } from "./traceback.ts";

const MARK = "r".charCodeAt(0);
const COLON = ":".charCodeAt(0);
const ZERO = "0".charCodeAt(0);
const MAX_DIGITS = 6;
/**
 * Most bytes of a form that are decoded. Drivers cut it at some characters more than
 * {@link REPR_BYTES}, each of at most 4 bytes.
 */
const MAX_BYTES = 4 * (REPR_BYTES + 16);
const ELLIPSIS = "…";
const ELLIPSIS_BYTES = 3;
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

/** A driver's answer without the form before it, and that form. */
export interface SeparateRepr {
  readonly answer: Uint8Array;
  readonly repr: string | undefined;
}

/**
 * Separates an answer from the form that precedes it: `r`, its length in bytes, `:`, its text. An
 * answer that begins otherwise stays as it is.
 */
export function separateRepr(answer: Uint8Array): SeparateRepr {
  const none = { answer, repr: undefined };
  if (answer[0] !== MARK) return none;
  let length = 0;
  let at = 1;
  for (; answer[at] !== COLON; at++) {
    const digit = (answer[at] ?? 0) - ZERO;
    if (at > MAX_DIGITS || digit < 0 || digit > 9) return none;
    length = length * 10 + digit;
  }
  const end = at + 1 + length;
  if (length > MAX_BYTES || end > answer.length) return none;
  return { answer: answer.subarray(end), repr: DECODER.decode(answer.subarray(at + 1, end)) };
}

/** Whether a run asked for the form. */
export interface WantedRepr {
  readonly repr?: boolean | undefined;
}

/** A value's ending with its form, if the run asked for it. Text that is too long is cut. */
export function withRepr(
  ending: Ending,
  { repr: isWanted }: WantedRepr,
  repr: string | undefined,
): Ending {
  if (isWanted !== true || repr === undefined) return ending;
  if (ending.kind !== "text" && ending.kind !== "json") return ending;
  return { ...ending, repr: cutRepr(repr) };
}

/** The same where the text of a value is its form already. */
export function withTextAsRepr(
  ending: Ending,
  request: WantedRepr,
  repr: string | undefined,
): Ending {
  return withRepr(ending, request, ending.kind === "text" ? ending.text : repr);
}

function cutRepr(text: string): string {
  if (cutText(text, REPR_BYTES).length === text.length) return text;
  return cutText(text, REPR_BYTES - ELLIPSIS_BYTES) + ELLIPSIS;
}
