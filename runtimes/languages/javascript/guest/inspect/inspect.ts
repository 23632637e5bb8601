/**
 * `util.inspect` and `util.format`, by the package that is Node's own code.
 *
 * @module
 */
import "./internals.ts";
import * as extracted from "node-inspect-extracted";
import { INSPECT_INTERNALS } from "../../host/loader_names.ts";
import { ReflectApply, ReflectDeleteProperty, StringPrototypeIncludes } from "../primordials.ts";

ReflectDeleteProperty(globalThis, INSPECT_INTERNALS);

/** The function that guests see. */
export const inspect = extracted.inspect;
const members: object = Reflect.get(extracted, "default");
const getStringWidth = Reflect.get(members, "getStringWidth") as (text: string) => number;

/** `inspect.colors`: terminal codes that switch a color on and off. */
export const COLORS = Reflect.get<object, string>(inspect, "colors") as Readonly<
  Record<string, readonly [on: number, off: number]>
>;

/** The arguments of a call of {@link formatArguments}. */
export type Arguments = { readonly length: number; readonly [index: number]: unknown };

/** Formats a value with options. */
export function inspectWith(value: unknown, options?: object): string {
  return inspect(value, options);
}

function listOf(options: object, args: Arguments): unknown[] {
  const list: unknown[] = [options];
  for (let i = 0; i < args.length; i++) list[i + 1] = args[i];
  return list;
}

/** Numbers below this have no separators, whatever the options are. */
const SMALL = 1000;

function isSimple(value: unknown): boolean {
  if (typeof value === "number") return value > 0 && value < SMALL;
  return typeof value === "boolean" || value === null || value === undefined;
}

/** The values, one after the other, each as the console shows it. */
function joined(args: Arguments): string {
  let text = "";
  for (let i = 0; i < args.length; i++) {
    const value = args[i];
    const shown = typeof value === "string" || isSimple(value) ? value : inspect(value);
    text += i === 0 ? `${shown}` : ` ${shown}`;
  }
  return text;
}

/** Joins values with spaces. If the first is a text with marks, its values replace the marks. */
export function formatArguments(args: Arguments, options?: object): string {
  const first = args[0];
  if (args.length === 1 && typeof first === "string") return first;
  const hasMarks = typeof first === "string" && StringPrototypeIncludes(first, "%");
  if (!hasMarks && options === undefined) return joined(args); // much cheaper
  return ReflectApply(
    extracted.formatWithOptions,
    undefined,
    listOf(options ?? {}, args),
  ) as string;
}

/** Columns that a text takes on a terminal. */
export const widthOf = getStringWidth;

/** A text without terminal escapes. */
export const stripEscapes = extracted.stripVTControlCharacters;
