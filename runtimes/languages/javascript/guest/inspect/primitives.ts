/**
 * Primitive values as the console writes them.
 *
 * @module
 */
import {
  MathTrunc,
  NumberIsFinite,
  ObjectIs,
  StringPrototypeIncludes,
  StringPrototypeIndexOf,
  StringPrototypeRepeat,
  StringPrototypeSlice,
  SymbolPrototypeToString,
} from "../primordials.ts";
import { splitLines } from "../text.ts";
import type { Context, Stylize } from "./context.ts";
import { quote } from "./escape.ts";

/** Strings up to this length are never broken over lines. */
const MIN_LINE_LENGTH = 16;

/** Groups the digits before the decimal point in threes. */
function groupInteger(digits: string): string {
  const start = digits[0] === "-" ? 1 : 0;
  let result = "";
  let end = digits.length;
  for (; end >= start + 4; end -= 3) {
    result = `_${StringPrototypeSlice(digits, end - 3, end)}${result}`;
  }
  return `${StringPrototypeSlice(digits, 0, end)}${result}`;
}

/** Groups the digits after the decimal point in threes. */
function groupFraction(digits: string): string {
  let result = "";
  let from = 0;
  for (; from < digits.length - 3; from += 3) {
    result += `${StringPrototypeSlice(digits, from, from + 3)}_`;
  }
  return `${result}${StringPrototypeSlice(digits, from)}`;
}

function groupDigits(number: number): string {
  const text = `${number}`;
  if (!NumberIsFinite(number) || StringPrototypeIncludes(text, "e")) return text;
  if (MathTrunc(number) === number) return groupInteger(text);
  const point = StringPrototypeIndexOf(text, ".");
  const integer = groupInteger(StringPrototypeSlice(text, 0, point));
  return `${integer}.${groupFraction(StringPrototypeSlice(text, point + 1))}`;
}

/** A number: -0 shows its sign. */
export function formatNumber(stylize: Stylize, number: number, grouped: boolean): string {
  if (grouped) return stylize(groupDigits(number), "number");
  return stylize(ObjectIs(number, -0) ? "-0" : `${number}`, "number");
}

export function formatBigInt(stylize: Stylize, bigint: bigint, grouped: boolean): string {
  const digits = `${bigint}`;
  return stylize(`${grouped ? groupInteger(digits) : digits}n`, "bigint");
}

/** "... n more items". */
export function remainingText(count: number, what = "item"): string {
  return `... ${count} more ${what}${count > 1 ? "s" : ""}`;
}

function formatString(stylize: Stylize, value: string, context: Context): string {
  let text = value;
  let trailer = "";
  if (text.length > context.maxStringLength) {
    trailer = remainingText(text.length - context.maxStringLength, "character");
    text = StringPrototypeSlice(text, 0, context.maxStringLength);
  }
  const room = context.breakLength - context.indentation - 4;
  if (context.compact === true || text.length <= MIN_LINE_LENGTH || text.length <= room) {
    return `${stylize(quote(text), "string")}${trailer}`;
  }
  const lines = splitLines(text);
  const separator = ` +\n${StringPrototypeRepeat(" ", context.indentation + 2)}`;
  let result = "";
  for (let i = 0; i < lines.length; i++) {
    result += `${i === 0 ? "" : separator}${stylize(quote(lines[i] ?? ""), "string")}`;
  }
  return `${result}${trailer}`;
}

/** Any value that is neither object nor function. */
export function formatPrimitive(stylize: Stylize, value: unknown, context: Context): string {
  switch (typeof value) {
    case "string":
      return formatString(stylize, value, context);
    case "number":
      return formatNumber(stylize, value, context.numericSeparator);
    case "bigint":
      return formatBigInt(stylize, value, context.numericSeparator);
    case "boolean":
      return stylize(`${value}`, "boolean");
    case "undefined":
      return stylize("undefined", "undefined");
    default:
      return stylize(SymbolPrototypeToString(value), "symbol");
  }
}
