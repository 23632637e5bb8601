/**
 * `Intl.NumberFormat`, `Intl.PluralRules` and `Intl.RelativeTimeFormat`.
 *
 * @module
 */
import { ObjectIs, StringPrototypeTrim } from "../primordials.ts";
import type { Class } from "../web/expose.ts";
import { anonymous, finishClass } from "./constructors.ts";
import { type Formatter, openFormatter } from "./formatter.ts";
import type { IntlSend } from "./request.ts";

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?$/;
/** Digits that the host accepts in one number. */
const MAX_DIGITS = 10_000;

/** A double as text, with the sign of zero kept. */
function doubleText(value: number): string {
  return ObjectIs(value, -0) ? "-0" : `${value}`;
}

function integerText(value: bigint): string {
  const text = `${value}`;
  if (text.length > MAX_DIGITS) throw new RangeError("BigInt is too large to format");
  return text;
}

/** A number for the host: `n` and a double, `i` and an integer, `d` and a decimal number. */
export function encodeNumeric(value: unknown): string {
  if (typeof value === "bigint") return `i${integerText(value)}`;
  if (typeof value === "string") {
    const text = StringPrototypeTrim(value);
    if (text.length <= MAX_DIGITS && DECIMAL.test(text)) return `d${text}`;
  }
  if (typeof value === "symbol") throw new TypeError("Cannot convert a Symbol value to a number");
  return `n${doubleText(Number(value))}`;
}

/** Both ends of a range, in the host's format. */
function rangeEnds(
  start: unknown,
  end: unknown,
  encode: (value: unknown) => string,
): [string, string] {
  if (start === undefined || end === undefined) {
    throw new TypeError(`Invalid ${start === undefined ? "start" : "end"} : undefined`);
  }
  return [encode(start), encode(end)];
}

/** A value converted to a double, in the host's format. */
function encodeNumber(value: unknown): string {
  return doubleText(+(value as number));
}

export function createNumberFormat(send: IntlSend): Class {
  class NumberFormat {
    readonly #formatter: Formatter;
    #format: ((value: unknown) => unknown) | undefined;

    constructor(locales: unknown = undefined, options: unknown = undefined) {
      this.#formatter = openFormatter(send, "NumberFormat", locales, options);
    }

    resolvedOptions(): unknown {
      return this.#formatter("resolvedOptions");
    }

    formatToParts(value: unknown): unknown {
      return this.#formatter("formatToParts", encodeNumeric(value));
    }

    get format(): (value: unknown) => unknown {
      const formatter = this.#formatter;
      this.#format ??= anonymous((value: unknown) => formatter("format", encodeNumeric(value)));
      return this.#format;
    }

    formatRange(start: unknown, end: unknown): unknown {
      return this.#formatter("formatRange", ...rangeEnds(start, end, encodeNumeric));
    }

    formatRangeToParts(start: unknown, end: unknown): unknown {
      return this.#formatter("formatRangeToParts", ...rangeEnds(start, end, encodeNumeric));
    }
  }
  return finishClass(NumberFormat, { name: "NumberFormat", length: 0, callable: true }, send);
}

export function createPluralRules(send: IntlSend): Class {
  class PluralRules {
    readonly #formatter: Formatter;

    constructor(locales: unknown = undefined, options: unknown = undefined) {
      this.#formatter = openFormatter(send, "PluralRules", locales, options);
    }

    resolvedOptions(): unknown {
      return this.#formatter("resolvedOptions");
    }

    select(value: unknown): unknown {
      return this.#formatter("select", encodeNumber(value));
    }

    selectRange(start: unknown, end: unknown): unknown {
      return this.#formatter("selectRange", ...rangeEnds(start, end, encodeNumber));
    }
  }
  return finishClass(PluralRules, { name: "PluralRules", length: 0, callable: false }, send);
}

export function createRelativeTimeFormat(send: IntlSend): Class {
  class RelativeTimeFormat {
    readonly #formatter: Formatter;

    constructor(locales: unknown = undefined, options: unknown = undefined) {
      this.#formatter = openFormatter(send, "RelativeTimeFormat", locales, options);
    }

    resolvedOptions(): unknown {
      return this.#formatter("resolvedOptions");
    }

    format(value: unknown, unit: unknown): unknown {
      return this.#formatter("format", encodeNumber(value), `${unit}`);
    }

    formatToParts(value: unknown, unit: unknown): unknown {
      return this.#formatter("formatToParts", encodeNumber(value), `${unit}`);
    }
  }
  const shape = { name: "RelativeTimeFormat", length: 0, callable: false };
  return finishClass(RelativeTimeFormat, shape, send);
}
