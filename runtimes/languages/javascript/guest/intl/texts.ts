/**
 * `Intl.Collator`, `Intl.ListFormat` and `Intl.DisplayNames`.
 *
 * @module
 */
import { createList, type List, ReflectGet, SymbolIterator } from "../primordials.ts";
import type { Class } from "../web/expose.ts";
import { compareAscii } from "./ascii_collation.ts";
import { anonymous, finishClass } from "./constructors.ts";
import { type Formatter, openFormatter } from "./formatter.ts";
import { requireOptions } from "./options.ts";
import type { IntlSend } from "./request.ts";

/** Languages in which ASCII text sorts as in the root collation. */
const ROOT_ORDERED = /^(?:en|de|fr|it|pt|nl|ru|uk|ja|ko|zh)(?:-[A-Z]{2})?$/;
/** Collations that sort ASCII text as the root collation does. */
const PLAIN: Readonly<Record<string, unknown>> = {
  usage: "sort",
  sensitivity: "variant",
  ignorePunctuation: false,
  collation: "default",
  numeric: false,
  caseFirst: "false",
};

/** Whether ASCII text sorts as in the root collation under a tag. */
export function isRootOrdered(tag: string): boolean {
  return ROOT_ORDERED.test(tag);
}

function isPlain(resolved: unknown): boolean {
  const options = resolved as Readonly<Record<string, unknown>>;
  if (!isRootOrdered(`${options["locale"]}`)) return false;
  return Object.keys(PLAIN).every((name) => options[name] === PLAIN[name]);
}

export function createCollator(send: IntlSend): Class {
  class Collator {
    readonly #formatter: Formatter;
    readonly #plain: boolean;
    #compare: ((left: unknown, right: unknown) => unknown) | undefined;

    constructor(locales: unknown = undefined, options: unknown = undefined) {
      this.#formatter = openFormatter(send, "Collator", locales, options);
      this.#plain = isPlain(this.#formatter("resolvedOptions"));
    }

    get compare(): (left: unknown, right: unknown) => unknown {
      const formatter = this.#formatter;
      const plain = this.#plain;
      this.#compare ??= anonymous((left: unknown, right: unknown) => {
        const [a, b] = [`${left}`, `${right}`];
        if (a === b) return 0;
        return (plain ? compareAscii(a, b) : undefined) ?? formatter("compare", a, b);
      });
      return this.#compare;
    }

    resolvedOptions(): unknown {
      return this.#formatter("resolvedOptions");
    }
  }
  return finishClass(Collator, { name: "Collator", length: 0, callable: true }, send);
}

function readTexts(given: unknown): List<string> {
  const list = createList<string>();
  if (given === undefined) return list;
  if (given === null || typeof ReflectGet(Object(given), SymbolIterator) !== "function") {
    throw new TypeError(`${String(given)} is not iterable`);
  }
  for (const item of given as Iterable<unknown>) {
    if (typeof item !== "string") {
      throw new TypeError(`Iterable yielded ${String(item)} which is not a string`);
    }
    list[list.length] = item;
  }
  return list;
}

export function createListFormat(send: IntlSend): Class {
  class ListFormat {
    readonly #formatter: Formatter;

    constructor(locales: unknown = undefined, options: unknown = undefined) {
      this.#formatter = openFormatter(send, "ListFormat", locales, options, requireOptions);
    }

    resolvedOptions(): unknown {
      return this.#formatter("resolvedOptions");
    }

    format(list: unknown): unknown {
      return this.#formatter("format", readTexts(list));
    }

    formatToParts(list: unknown): unknown {
      return this.#formatter("formatToParts", readTexts(list));
    }
  }
  return finishClass(ListFormat, { name: "ListFormat", length: 0, callable: false }, send);
}

function requireSomeOptions(options: unknown): void {
  if (options === undefined) throw new TypeError("Cannot convert undefined or null to object");
  requireOptions(options);
}

export function createDisplayNames(send: IntlSend): Class {
  class DisplayNames {
    readonly #formatter: Formatter;

    constructor(locales: unknown, options: unknown) {
      this.#formatter = openFormatter(send, "DisplayNames", locales, options, requireSomeOptions);
    }

    resolvedOptions(): unknown {
      return this.#formatter("resolvedOptions");
    }

    of(code: unknown): unknown {
      return this.#formatter("of", `${code}`) ?? undefined;
    }
  }
  return finishClass(DisplayNames, { name: "DisplayNames", length: 2, callable: false }, send);
}
