/**
 * The methods of built-in prototypes that depend on the locale: `toLocaleString` and its variants,
 * `localeCompare`, and the case mappings.
 *
 * @module
 */
import {
  BigIntPrototypeValueOf,
  DatePrototypeGetTime,
  NumberPrototypeValueOf,
} from "../inspect/brands.ts";
import {
  createList,
  dataDescriptor,
  type List,
  ReflectDefineProperty,
  StringPrototypeToLowerCase,
  StringPrototypeToUpperCase,
  TypedArrayPrototypeGetLength,
} from "../primordials.ts";
import { compareAscii } from "./ascii_collation.ts";
import { type DateDefaults, readDateOptions } from "./date_time_format.ts";
import { encodeNumeric } from "./numbers.ts";
import { OPTIONS, readLocales, readOptions } from "./options.ts";
import type { IntlSend } from "./request.ts";
import { isRootOrdered } from "./texts.ts";

type Methods = Readonly<Record<string, (this: unknown, ...args: unknown[]) => unknown>>;

const isNaN = Number.isNaN;
/** Matches languages with their own case mappings, and tags too unusual to decide here. */
const SPECIAL_CASING = /^(?:tr|az|lt|el)(?:-|$)/i;
const ORDINARY_TAG = /^[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|\d{3}))?$/;

function define(prototype: object, methods: Methods): void {
  for (const name of Object.keys(methods)) {
    const method = methods[name];
    const length = name === "localeCompare" ? 1 : 0;
    if (method === undefined) continue;
    Object.defineProperty(method, "length", { value: length });
    ReflectDefineProperty(prototype, name, dataDescriptor(method));
  }
}

function numberMethods(send: IntlSend, valueOf: (self: unknown) => unknown): Methods {
  return {
    toLocaleString(locales: unknown, options: unknown) {
      const value = encodeNumeric(valueOf(this));
      const list = readLocales(locales);
      const bag = readOptions(options, OPTIONS.NumberFormat);
      return send("NumberFormat", "format", list, bag, value);
    },
  };
}

function dateMethods(send: IntlSend): Methods {
  const format = (self: unknown, locales: unknown, options: unknown, wanted: DateDefaults) => {
    const time = DatePrototypeGetTime(self);
    if (isNaN(time)) return "Invalid Date";
    const list = readLocales(locales);
    return send("DateTimeFormat", "format", list, readDateOptions(options, wanted), time);
  };
  return {
    toLocaleString(locales: unknown, options: unknown) {
      return format(this, locales, options, "any");
    },
    toLocaleDateString(locales, options) {
      return format(this, locales, options, "date");
    },
    toLocaleTimeString(locales, options) {
      return format(this, locales, options, "time");
    },
  };
}

function thisText(self: unknown, name: string): string {
  if (self === null || self === undefined) {
    throw new TypeError(`String.prototype.${name} called on null or undefined`);
  }
  return `${self}`;
}

function isPlainOrder(locales: unknown, options: unknown): boolean {
  if (options !== undefined) return false;
  return locales === undefined || (typeof locales === "string" && isRootOrdered(locales));
}

function needsHost(locales: List<string>): boolean {
  const [first] = [locales[0]];
  return first !== undefined && (SPECIAL_CASING.test(first) || !ORDINARY_TAG.test(first));
}

function stringMethods(send: IntlSend): Methods {
  const none = Object.create(null);
  return {
    localeCompare(that, locales, options) {
      const text = thisText(this, "localeCompare");
      const other = `${that}`;
      if (isPlainOrder(locales, options)) {
        const order = text === other ? 0 : compareAscii(text, other);
        if (order !== undefined) return order;
      }
      const list = readLocales(locales);
      return send("Collator", "compare", list, readOptions(options, OPTIONS.Collator), text, other);
    },
    toLocaleUpperCase(locales) {
      const text = thisText(this, "toLocaleUpperCase");
      const list = readLocales(locales);
      if (!needsHost(list)) return StringPrototypeToUpperCase(text);
      return send("String", "toLocaleUpperCase", list, none, text);
    },
    toLocaleLowerCase(locales) {
      const text = thisText(this, "toLocaleLowerCase");
      const list = readLocales(locales);
      if (!needsHost(list)) return StringPrototypeToLowerCase(text);
      return send("String", "toLocaleLowerCase", list, none, text);
    },
  };
}

/**
 * `toLocaleString` of arrays. An array inside itself is empty text. `lengthOf` throws for receivers
 * that the method does not accept.
 */
function arrayMethods(lengthOf: (array: ArrayLike<unknown>) => number): Methods {
  const active = createList<unknown>();
  const isActive = (array: unknown) => {
    for (let i = 0; i < active.length; i++) if (active[i] === array) return true;
    return false;
  };
  const join = (array: ArrayLike<unknown>, args: readonly [unknown, unknown]) => {
    let text = "";
    const length = lengthOf(array);
    for (let i = 0; i < length; i++) {
      const item: unknown = array[i];
      if (i > 0) text += ",";
      if (item === null || item === undefined) continue;
      const method: unknown = Reflect.get(Object(item), "toLocaleString", item);
      if (typeof method !== "function") throw new TypeError("toLocaleString is not a function");
      text += `${Reflect.apply(method, item, args)}`;
    }
    return text;
  };
  return {
    toLocaleString(locales: unknown, options: unknown) {
      const array: ArrayLike<unknown> = Object(this);
      if (isActive(array)) return "";
      active[active.length] = array;
      try {
        return join(array, [locales, options]);
      } finally {
        active.length--;
      }
    },
  };
}

/** Throws for anything that is not a typed array. */
function lengthOfTyped(array: unknown): number {
  return TypedArrayPrototypeGetLength(array);
}

/** Installs the methods. */
export function installLocaleMethods(send: IntlSend): void {
  define(Number.prototype, numberMethods(send, NumberPrototypeValueOf));
  define(BigInt.prototype, numberMethods(send, BigIntPrototypeValueOf));
  define(Date.prototype, dateMethods(send));
  define(String.prototype, stringMethods(send));
  define(Array.prototype, arrayMethods(({ length }) => length));
  define(Object.getPrototypeOf(Uint8Array.prototype), arrayMethods(lengthOfTyped));
}
