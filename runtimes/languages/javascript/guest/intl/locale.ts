/**
 * `Intl.Locale`.
 *
 * @module
 */
import { createList } from "../primordials.ts";
import type { Class } from "../web/expose.ts";
import { finishClass } from "./constructors.ts";
import { localeTags, OPTIONS, readOptions } from "./options.ts";
import type { IntlSend } from "./request.ts";

type Description = Readonly<Record<string, unknown>>;

const FIELDS = [
  "language",
  "script",
  "region",
  "baseName",
  "calendar",
  "caseFirst",
  "collation",
  "hourCycle",
  "numeric",
  "numberingSystem",
];

function defineFields(prototype: object, read: (self: unknown, name: string) => unknown): void {
  for (const name of FIELDS) {
    const accessor = Object.getOwnPropertyDescriptor({
      get [name](): unknown {
        return read(this, name);
      },
    }, name);
    if (accessor !== undefined) {
      Object.defineProperty(prototype, name, { ...accessor, enumerable: false });
    }
  }
}

export function createLocale(send: IntlSend): Class {
  class Locale {
    readonly #description: Description;

    constructor(tag: unknown, options: unknown = undefined) {
      if (typeof tag !== "string" && (typeof tag !== "object" || tag === null)) {
        throw new TypeError("First argument to Intl.Locale constructor can't be empty or missing");
      }
      const text = typeof tag === "string" ? tag : localeTags.tagOf(tag) ?? `${tag}`;
      const bag = readOptions(options, OPTIONS.Locale);
      const described = send("Locale", "describe", createList<string>(), bag, text);
      this.#description = described as Description;
    }

    static {
      localeTags.tagOf = (value) =>
        #description in value ? `${value.#description["tag"]}` : undefined;
      defineFields(this.prototype, (self, name) => (self as Locale).#description[name]);
    }

    toString(): string {
      return `${this.#description["tag"]}`;
    }

    maximize(): Locale {
      return new Locale(this.#description["maximized"]);
    }

    minimize(): Locale {
      return new Locale(this.#description["minimized"]);
    }
  }
  return finishClass(Locale, { name: "Locale", length: 1, callable: false }, send);
}
