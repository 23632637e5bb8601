/**
 * Describes a run's errors for the host. The description is well-formed for any thrown value.
 *
 * @module
 */
import type { BuiltIns } from "./built_ins.ts";
import { isErrorLike } from "./inspect/brands.ts";
import { inspectWith } from "./inspect/inspect.ts";
import { jsonText } from "./json_text.ts";
import { proxyDetails } from "./inspect/proxies.ts";
import {
  bare,
  type List,
  MathMin,
  ObjectGetPrototypeOf,
  ownDescriptor,
  readSafely,
  ReflectGet,
  RegExpPrototypeExec,
  StringPrototypeIncludes,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
} from "./primordials.ts";
import { scriptName } from "./script_name.ts";
import { PRELUDE_NAME } from "./stack_frames.ts";
import { headerOf } from "./stack_trace.ts";
import { splitText } from "./text.ts";

/** Characters after which a text is cut; the host keeps fewer anyway. */
const MAX_CHARS = 262_144;
const FRAME = "    at ";
const POSITION = /(?:^|[ (])(main(?:-[0-9]+)?\.js):([0-9]+)/;

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

function attempt(action: () => string, fallback: string): string {
  try {
    const text = action();
    return typeof text === "string" ? StringPrototypeSlice(text, 0, MAX_CHARS) : fallback;
  } catch {
    return fallback;
  }
}

/** The name of the nearest class of an object. */
function className(error: object): string | undefined {
  let holder = ObjectGetPrototypeOf(error);
  while (holder !== null) {
    const constructor: unknown = ownDescriptor(holder, "constructor")?.value;
    const name = isObject(constructor) ? ownDescriptor(constructor, "name")?.value : undefined;
    if (typeof name === "string" && name !== "") return name;
    holder = ObjectGetPrototypeOf(holder);
  }
  return undefined;
}

/** Whether `name` is only the default name that a built-in class gives its errors. */
function inheritsName(error: object, builtIns: BuiltIns): boolean {
  let holder: object | null = error;
  while (holder !== null) {
    const descriptor = ownDescriptor(holder, "name");
    if (descriptor !== undefined) return descriptor.get === undefined && builtIns.has(holder);
    holder = ObjectGetPrototypeOf(holder);
  }
  return true;
}

function nameOf(error: object, builtIns: BuiltIns): string {
  const given: unknown = readSafely(error, "name");
  const own = typeof given === "string" && given !== "" ? given : undefined;
  return (inheritsName(error, builtIns) ? className(error) ?? own : own ?? className(error)) ??
    "Error";
}

/** The frames in a stack, each after a newline. */
function framesText(stack: string, message: string): string {
  const at = message === "" ? 0 : StringPrototypeIndexOf(stack, message);
  const start = StringPrototypeIndexOf(stack, `\n${FRAME}`, at < 0 ? 0 : at + message.length);
  return start === -1 ? "" : StringPrototypeSlice(stack, start);
}

/** The line of the script that raised the error, or that first passed it on. */
function lineOf(stack: string, message: string): number | undefined {
  const frames = splitText(framesText(stack, message), "\n");
  for (let i = 0; i < frames.length; i++) {
    const frame = frames[i] ?? "";
    if (!StringPrototypeStartsWith(frame, FRAME)) continue;
    const position = RegExpPrototypeExec(POSITION, frame);
    if (position !== null && position[1] === scriptName()) return Number(position[2]);
  }
  return undefined;
}

/** The lines of a text, without this environment's frames. */
function traceback(text: string): List<string> {
  const lines = splitText(text, "\n");
  let kept = 0;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? "";
    if (!StringPrototypeIncludes(line, PRELUDE_NAME)) lines[kept++] = line;
  }
  lines.length = MathMin(kept, lines.length);
  return lines;
}

/** Node's options for uncaught values: deeper than elsewhere, without custom inspection. */
const UNCAUGHT = bare({ customInspect: false, depth: 5 });

function messageOf(thrown: unknown): string {
  const message: unknown = readSafely(thrown, "message");
  if (typeof message === "string") return StringPrototypeSlice(message, 0, MAX_CHARS);
  if (typeof thrown === "string") return StringPrototypeSlice(thrown, 0, MAX_CHARS);
  return attempt(() => inspectWith(thrown, UNCAUGHT), "A value that cannot be shown was thrown");
}

/** The whole stack; empty when it cannot be read. */
function readStack(error: object): string {
  try {
    const stack: unknown = ReflectGet(error, "stack");
    return stack ? String(stack) : headerOf(error);
  } catch {
    return "";
  }
}

function describeError(error: object, builtIns: BuiltIns): object {
  const name = nameOf(error, builtIns);
  const said: unknown = readSafely(error, "message");
  const whole = typeof said === "string" ? said : "";
  const message = StringPrototypeSlice(whole, 0, MAX_CHARS);
  const header = message === "" ? name : `${name}: ${message}`;
  const stack = readStack(error);
  const shown = attempt(() => inspectWith(error, UNCAUGHT), header + framesText(stack, whole));
  return bare({ name, message, traceback: traceback(shown), lineNumber: lineOf(stack, whole) });
}

function describeOther(thrown: unknown): object {
  const name: unknown = readSafely(thrown, "name");
  const message = messageOf(thrown);
  const shown = attempt(() => inspectWith(thrown, UNCAUGHT), message);
  return bare({
    name: typeof name === "string" && name !== "" && typeof thrown === "object" ? name : "Error",
    message,
    traceback: traceback(`Uncaught ${shown}`),
  });
}

function isError(thrown: unknown): thrown is object {
  try {
    return isObject(thrown) && proxyDetails(thrown) === undefined && isErrorLike(thrown);
  } catch {
    return false;
  }
}

/** The description as JSON: `{"name","message","traceback","lineNumber"?}`. */
export function describeThrown(thrown: unknown, builtIns: BuiltIns): string {
  const description = isError(thrown) ? describeError(thrown, builtIns) : describeOther(thrown);
  return jsonText(description) ?? "{}";
}
