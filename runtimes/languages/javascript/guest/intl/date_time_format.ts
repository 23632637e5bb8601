/**
 * `Intl.DateTimeFormat`, and the options of the date methods that depend on the locale.
 *
 * @module
 */
import { MAX_TIME_MS } from "../../../../engine/time_value.ts";
import { DateNow, MathTrunc } from "../primordials.ts";
import type { Class } from "../web/expose.ts";
import { anonymous, finishClass } from "./constructors.ts";
import { type Formatter, openFormatter } from "./formatter.ts";
import { OPTIONS, readOptions } from "./options.ts";
import type { IntlSend, OptionBag } from "./request.ts";

/** The time that an argument stands for, in milliseconds; undefined means now. */
function readTime(date: unknown): number {
  const time = date === undefined ? DateNow() : MathTrunc(+(date as number));
  if (!(time >= -MAX_TIME_MS && time <= MAX_TIME_MS)) throw new RangeError("Invalid time value");
  return time + 0;
}

function rangeEnds(start: unknown, end: unknown): [number, number] {
  if (start === undefined || end === undefined) {
    throw new TypeError("Invalid time value");
  }
  return [readTime(start), readTime(end)];
}

const DATE_FIELDS = ["weekday", "year", "month", "day"];
const TIME_FIELDS = ["dayPeriod", "hour", "minute", "second", "fractionalSecondDigits"];

/**
 * The fields that a printed date must have. They are added when the options ask for none of them.
 */
export type DateDefaults = "any" | "date" | "time";

function hasAny(bag: OptionBag, names: readonly string[]): boolean {
  for (let i = 0; i < names.length; i++) if ((names[i] ?? "") in bag) return true;
  return false;
}

/** Options of `toLocaleString` (any), `toLocaleDateString` and `toLocaleTimeString`. */
export function readDateOptions(options: unknown, wanted: DateDefaults): OptionBag {
  const bag = readOptions(options, OPTIONS.DateTimeFormat);
  if (wanted === "date" && "timeStyle" in bag || wanted === "time" && "dateStyle" in bag) {
    throw new TypeError(`Invalid option : ${wanted === "date" ? "timeStyle" : "dateStyle"}`);
  }
  const settled = "dateStyle" in bag || "timeStyle" in bag ||
    wanted !== "time" && hasAny(bag, DATE_FIELDS) || wanted !== "date" && hasAny(bag, TIME_FIELDS);
  if (settled) return bag;
  if (wanted !== "time") bag["year"] = bag["month"] = bag["day"] = "numeric";
  if (wanted !== "date") bag["hour"] = bag["minute"] = bag["second"] = "numeric";
  return bag;
}

export function createDateTimeFormat(send: IntlSend): Class {
  class DateTimeFormat {
    readonly #formatter: Formatter;
    #format: ((date: unknown) => unknown) | undefined;

    constructor(locales: unknown = undefined, options: unknown = undefined) {
      this.#formatter = openFormatter(send, "DateTimeFormat", locales, options);
    }

    resolvedOptions(): unknown {
      return this.#formatter("resolvedOptions");
    }

    formatToParts(date: unknown): unknown {
      return this.#formatter("formatToParts", readTime(date));
    }

    get format(): (date: unknown) => unknown {
      const formatter = this.#formatter;
      this.#format ??= anonymous((date: unknown) => formatter("format", readTime(date)));
      return this.#format;
    }

    formatRange(start: unknown, end: unknown): unknown {
      return this.#formatter("formatRange", ...rangeEnds(start, end));
    }

    formatRangeToParts(start: unknown, end: unknown): unknown {
      return this.#formatter("formatRangeToParts", ...rangeEnds(start, end));
    }
  }
  return finishClass(DateTimeFormat, { name: "DateTimeFormat", length: 0, callable: true }, send);
}
