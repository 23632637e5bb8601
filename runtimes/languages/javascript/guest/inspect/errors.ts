/**
 * Errors as the console writes them: their stack, with the class in its header, without the
 * frames they share with their cause.
 *
 * @module
 */
import {
  append,
  ArrayIsArray,
  ArrayPrototypeIndexOf,
  createList,
  type List,
  MathMin,
  ReflectGet,
  ReflectHas,
  RegExpPrototypeExec,
  StringPrototypeEndsWith,
  StringPrototypeIncludes,
  StringPrototypeIndexOf,
  StringPrototypeRepeat,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
} from "../primordials.ts";
import { headerOf } from "../stack_trace.ts";
import { replaceText, splitText } from "../text.ts";
import { isErrorLike } from "./brands.ts";
import type { Context } from "./context.ts";
import { prefixOf } from "./names.ts";

/** Runs of frames shorter than this are shown twice. */
const SHARED_FRAMES = 3;

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** The stack of an error, or its header when it has none. */
export function stackText(error: object): string {
  const stack: unknown = ReflectGet(error, "stack");
  return stack ? String(stack) : headerOf(error);
}

/** Removes the keys that the stack already shows, and adds `cause` and `errors`. */
function adjustKeys(
  context: Context,
  error: object,
  keys: List<PropertyKey>,
  stack: string,
): List<PropertyKey> {
  const kept = createList<PropertyKey>();
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] ?? "";
    const known = key === "name" || key === "message" || key === "stack";
    const shown = known && !context.showHidden &&
      StringPrototypeIncludes(stack, String(ReflectGet(error, key)));
    if (!shown) append(kept, key);
  }
  if (ReflectHas(error, "cause") && ArrayPrototypeIndexOf(kept, "cause") === -1) {
    append(kept, "cause");
  }
  if (ArrayIsArray(ReflectGet(error, "errors")) && ArrayPrototypeIndexOf(kept, "errors") === -1) {
    append(kept, "errors");
  }
  return kept;
}

/** Adds the name of the class to the header when the stack was written without it. */
function improveHeader(
  stack: string,
  constructor: string | null,
  name: string,
  tag: string,
): string {
  let length = name.length;
  const regular = StringPrototypeEndsWith(name, "Error") &&
    StringPrototypeStartsWith(stack, name) &&
    (stack.length === length || stack[length] === ":" || stack[length] === "\n");
  if (constructor !== null && !regular) return stack;
  let fallback = "Error";
  if (constructor === null) {
    const start = RegExpPrototypeExec(/^([A-Z][a-z_ A-Z0-9[\]()-]+)(?::|\n {4}at)/, stack) ??
      RegExpPrototypeExec(/^([a-z_A-Z0-9-]*Error)$/, stack);
    const found = start?.[1] ?? "";
    length = found.length;
    fallback = found === "" ? "Error" : found;
  }
  const prefix = StringPrototypeSlice(prefixOf(constructor, tag, fallback), 0, -1);
  if (name === prefix) return stack;
  const rest = StringPrototypeSlice(stack, length);
  if (!StringPrototypeIncludes(prefix, name)) return `${prefix} [${name}]${rest}`;
  return length === 0 ? `${prefix}: ${stack}` : `${prefix}${rest}`;
}

/** The start and the length of a run of frames in `own` that also occurs in `other`. */
function sharedRun(own: List<string>, other: List<string>): { from: number; length: number } {
  for (let i = 0; i < own.length - SHARED_FRAMES; i++) {
    const at = ArrayPrototypeIndexOf(other, own[i]);
    if (at === -1) continue;
    const most = MathMin(own.length - i, other.length - at);
    let length = 1;
    while (length < most && own[i + length] === other[at + length]) length++;
    if (length > SHARED_FRAMES) return { from: i, length };
  }
  return { from: 0, length: 0 };
}

function causeOf(error: object): unknown {
  try {
    return ReflectGet(error, "cause");
  } catch {
    return undefined;
  }
}

/** The frames, without those that the cause also shows. */
function ownFrames(context: Context, error: object, frames: List<string>): List<string> {
  const cause = causeOf(error);
  if (!isObject(cause) || !isErrorLike(cause)) return frames;
  const causeStack = stackText(cause);
  const start = StringPrototypeIndexOf(causeStack, "\n    at");
  if (start === -1) return frames;
  const { from, length } = sharedRun(
    frames,
    splitText(StringPrototypeSlice(causeStack, start + 1), "\n"),
  );
  if (length === 0) return frames;
  const skipped = length - 2;
  const result = createList<string>();
  for (let i = 0; i < frames.length; i++) {
    if (i === from + 1) {
      const note = `    ... ${skipped} lines matching cause stack trace ...`;
      append(result, context.stylize(note, "undefined"));
    }
    if (i <= from || i > from + skipped) append(result, frames[i] ?? "");
  }
  return result;
}

/** The text of an error, and the keys to show next to it. */
export interface ErrorText {
  readonly text: string;
  readonly keys: List<PropertyKey>;
}

function nameOf(error: object): string {
  const name: unknown = ReflectGet(error, "name");
  return name === undefined || name === null ? "Error" : String(name);
}

export function formatError(
  context: Context,
  error: object,
  constructor: string | null,
  tag: string,
  keys: List<PropertyKey>,
): ErrorText {
  const name = nameOf(error);
  let stack = stackText(error);
  const shownKeys = adjustKeys(context, error, keys, stack);
  stack = improveHeader(stack, constructor, name, tag);
  const message: unknown = ReflectGet(error, "message");
  const at = typeof message === "string" && message !== ""
    ? StringPrototypeIndexOf(stack, message)
    : -1;
  const headerEnd = at > 0 && typeof message === "string" ? at + message.length : 0;
  const start = StringPrototypeIndexOf(stack, "\n    at", headerEnd);
  if (start === -1) {
    stack = `[${stack}]`;
  } else {
    const frames = splitText(StringPrototypeSlice(stack, start + 1), "\n");
    const lines = ownFrames(context, error, frames);
    stack = StringPrototypeSlice(stack, 0, start);
    for (let i = 0; i < lines.length; i++) stack += `\n${lines[i]}`;
  }
  if (context.indentation !== 0) {
    stack = replaceText(stack, "\n", `\n${StringPrototypeRepeat(" ", context.indentation)}`);
  }
  return { text: stack, keys: shownKeys };
}
