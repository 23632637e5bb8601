/**
 * Reads options as ECMA-402 does: each by name, in the standard's order, coerced to its type. Other
 * properties are never read. An error that a getter throws reaches the caller.
 *
 * @module
 */
import { createList, type List, NumberIsFinite, ReflectGet } from "../primordials.ts";
import type { OptionBag } from "./request.ts";

/** `s` string, `n` number, `b` boolean, `g` the grouping option: string or boolean. */
type OptionKind = "s" | "n" | "b" | "g";

/** Names and kinds, in the order in which options are read. */
export type OptionTable = readonly (readonly [name: string, kind: OptionKind])[];

/** Parses a table from a text such as `s:localeMatcher b:numeric`. */
function optionTable(text: string): OptionTable {
  return text.split(/\s+/).map((entry) => [entry.slice(2), entry[0] as OptionKind] as const);
}

const DIGITS =
  "n:minimumIntegerDigits n:minimumFractionDigits n:maximumFractionDigits n:minimumSignificantDigits " +
  "n:maximumSignificantDigits n:roundingIncrement s:roundingMode s:roundingPriority s:trailingZeroDisplay";

/** The options of each service. */
export const OPTIONS = {
  NumberFormat: optionTable(
    "s:localeMatcher s:numberingSystem s:style s:currency s:currencyDisplay s:currencySign s:unit " +
      `s:unitDisplay s:notation ${DIGITS} s:compactDisplay g:useGrouping s:signDisplay`,
  ),
  DateTimeFormat: optionTable(
    "s:localeMatcher s:calendar s:numberingSystem b:hour12 s:hourCycle s:timeZone s:weekday s:era " +
      "s:year s:month s:day s:dayPeriod s:hour s:minute s:second n:fractionalSecondDigits " +
      "s:timeZoneName s:formatMatcher s:dateStyle s:timeStyle",
  ),
  PluralRules: optionTable(`s:localeMatcher s:type ${DIGITS}`),
  RelativeTimeFormat: optionTable("s:localeMatcher s:numberingSystem s:style s:numeric"),
  ListFormat: optionTable("s:localeMatcher s:type s:style"),
  Collator: optionTable(
    "s:usage s:localeMatcher s:collation b:numeric s:caseFirst s:sensitivity b:ignorePunctuation",
  ),
  DisplayNames: optionTable("s:localeMatcher s:style s:type s:fallback s:languageDisplay"),
  Segmenter: optionTable("s:localeMatcher s:granularity"),
  Locale: optionTable(
    "s:language s:script s:region s:calendar s:collation s:hourCycle s:caseFirst b:numeric " +
      "s:numberingSystem",
  ),
  supportedLocalesOf: optionTable("s:localeMatcher"),
} as const;

function coerce(kind: OptionKind, value: unknown): string | number | boolean {
  if (kind === "b") return Boolean(value);
  if (kind === "g" && (typeof value === "boolean" || !value)) return Boolean(value);
  if (kind !== "n") return `${value}`;
  const number = +(value as number);
  return NumberIsFinite(number) ? number : `${number}`;
}

/** Reads a table's options from the object that a guest passed. */
export function readOptions(given: unknown, table: OptionTable): OptionBag {
  const bag: OptionBag = Object.create(null);
  if (given === undefined) return bag;
  if (given === null) throw new TypeError("Cannot convert undefined or null to object");
  const source: object = Object(given);
  for (let i = 0; i < table.length; i++) {
    const entry = table[i];
    if (entry === undefined) continue;
    const value = ReflectGet(source, entry[0]);
    if (value !== undefined) bag[entry[0]] = coerce(entry[1], value);
  }
  return bag;
}

/** For services whose options, if given, must be an object. */
export function requireOptions(given: unknown): void {
  if (
    given !== undefined && (typeof given !== "object" || given === null) &&
    typeof given !== "function"
  ) {
    throw new TypeError("Incorrect options: not an object");
  }
}

/** Returns the tag of an `Intl.Locale`; set by `locale.ts`. */
export const localeTags: { tagOf: (value: object) => string | undefined } = {
  tagOf: () => undefined,
};

function localeOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) {
    throw new TypeError("Language ID should be string or object.");
  }
  return localeTags.tagOf(value) ?? `${value}`;
}

/** Reads a guest's locales: none, one, or an array. */
export function readLocales(given: unknown): List<string> {
  const list = createList<string>();
  if (given === undefined) return list;
  if (given === null) throw new TypeError("Cannot convert undefined or null to object");
  const tag = typeof given === "object" ? localeTags.tagOf(given) : given;
  if (typeof tag === "string") {
    list[0] = tag;
    return list;
  }
  const source: object = Object(given);
  const length = Math.min(
    Math.max(Math.trunc(Number(ReflectGet(source, "length"))) || 0, 0),
    2 ** 31,
  );
  for (let i = 0; i < length; i++) {
    if (i in source) list[list.length] = localeOf(ReflectGet(source, i));
  }
  return list;
}
