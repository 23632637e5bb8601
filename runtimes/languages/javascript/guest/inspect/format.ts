/**
 * `util.format`: a text with `%` marks and the values for them.
 *
 * @module
 */
import {
  bare,
  JSONStringify,
  ObjectGetPrototypeOf,
  ObjectPrototypeHasOwnProperty,
  ownDescriptor,
  ReflectGet,
  StringPrototypeCharCodeAt,
  StringPrototypeSlice,
  SymbolToPrimitive,
} from "../primordials.ts";
import { DEFAULT_OPTIONS, plainText } from "./context.ts";
import { inspectWith } from "./inspect.ts";
import { isBuiltIn } from "./names.ts";
import { formatBigInt, formatNumber } from "./primitives.ts";
import { proxyDetails, unwrapProxy } from "./proxies.ts";

const toInteger = parseInt;
const toFloat = parseFloat;
const PERCENT = 37;
/** The engine's message about circular structures. */
const CIRCULAR = "circular reference";

/** The arguments of a call of {@link formatArguments}. */
export type Arguments = { readonly length: number; readonly [index: number]: unknown };

function numberText(value: number, options: object | undefined): string {
  return formatNumber(plainText, value, isGrouped(options));
}

function isGrouped(options: object | undefined): boolean {
  const own = options === undefined ? undefined : ReflectGet(options, "numericSeparator");
  return own === undefined ? DEFAULT_OPTIONS.numericSeparator : own === true;
}

/** Whether a method of the object itself, or of a guest's class, turns it into text. */
function hasOwnText(value: object): boolean {
  const target = proxyDetails(value) === undefined ? value : unwrapProxy(value);
  if (target === null) return false;
  const hasToString = typeof ReflectGet(target, "toString") === "function";
  const hasPrimitive = typeof ReflectGet(target, SymbolToPrimitive) === "function";
  if (!hasToString && !hasPrimitive) return false;
  let holder: object | null = target;
  while (holder !== null) {
    const here = (hasToString && ObjectPrototypeHasOwnProperty(holder, "toString")) ||
      (hasPrimitive && ObjectPrototypeHasOwnProperty(holder, SymbolToPrimitive));
    if (here) break;
    holder = ObjectGetPrototypeOf(holder);
  }
  return holder === target ||
    (holder !== null && !isBuiltIn(ownDescriptor(holder, "constructor")?.value));
}

function stringText(value: unknown, options: object | undefined): string {
  if (typeof value === "number") return numberText(value, options);
  if (typeof value === "bigint") return formatBigInt(plainText, value, isGrouped(options));
  if (typeof value !== "object" || value === null || hasOwnText(value)) return String(value);
  return inspectWith(value, bare({ ...options, compact: 3, colors: false, depth: 0 }));
}

function jsonText(value: unknown): string {
  try {
    return String(JSONStringify(value));
  } catch (error) {
    const message = typeof error === "object" && error !== null
      ? ownDescriptor(error, "message")?.value
      : undefined;
    if (message === CIRCULAR) {
      return "[Circular]";
    }
    throw error;
  }
}

function parsedText(
  value: unknown,
  parse: (value: unknown) => number,
  options: object | undefined,
): string {
  if (typeof value === "bigint") return formatBigInt(plainText, value, isGrouped(options));
  if (typeof value === "symbol") return "NaN";
  return numberText(parse(value), options);
}

/** The text for one mark; undefined when the letter is not a mark. */
function markText(letter: string, value: unknown, options: object | undefined): string | undefined {
  switch (letter) {
    case "s":
      return stringText(value, options);
    case "j":
      return jsonText(value);
    case "d":
      return parsedText(value, Number, options);
    case "i":
      return parsedText(value, (it) => toInteger(String(it)), options);
    case "f":
      return typeof value === "symbol" ? "NaN" : numberText(toFloat(String(value)), options);
    case "o":
      return inspectWith(value, bare({ ...options, showHidden: true, showProxy: true, depth: 4 }));
    case "O":
      return inspectWith(value, options);
    case "c":
      return "";
    default:
      return undefined;
  }
}

interface Filled {
  readonly text: string;
  /** The number of arguments used, including the text with the marks; 0 if it has no marks. */
  readonly used: number;
}

function fillMarks(first: string, args: Arguments, options: object | undefined): Filled {
  let text = "";
  let used = 0;
  let from = 0;
  for (let i = 0; i < first.length - 1; i++) {
    if (StringPrototypeCharCodeAt(first, i) !== PERCENT) continue;
    const letter = first[++i] ?? "";
    if (letter === "%") {
      text += StringPrototypeSlice(first, from, i);
      from = i + 1;
    } else if (used + 1 < args.length) {
      const filled = markText(letter, args[used + 1], options);
      if (filled === undefined) continue;
      used++;
      text += `${StringPrototypeSlice(first, from, i - 1)}${filled}`;
      from = i + 1;
    }
  }
  if (from === 0) return { text: "", used: 0 };
  return { text: `${text}${StringPrototypeSlice(first, from)}`, used: used + 1 };
}

/** A value among others: a string as it is, any other value as the console shows it. */
function shownText(value: unknown, options: object | undefined): string {
  if (typeof value === "string") return value;
  if (options === undefined) {
    if (typeof value === "number") return numberText(value, options);
    if (typeof value === "boolean" || value === null || value === undefined) return `${value}`;
  }
  return inspectWith(value, options);
}

/** Joins values with spaces. If the first is a text with marks, its values replace the marks. */
export function formatArguments(args: Arguments, options?: object): string {
  const first = args[0];
  if (args.length === 1 && typeof first === "string") return first;
  const { text, used } = typeof first === "string"
    ? fillMarks(first, args, options)
    : { text: "", used: 0 };
  let result = text;
  for (let i = used; i < args.length; i++) {
    if (i !== 0) result += " ";
    result += shownText(args[i], options);
  }
  return result;
}
