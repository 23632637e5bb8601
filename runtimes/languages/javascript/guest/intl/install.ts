/**
 * `Intl` for the guest: thin classes over the host, which has ICU. The default locale is `en-US`
 * and the default time zone UTC; every other ICU locale and every IANA zone works too. The only
 * host object kept here is the function that sends requests.
 *
 * The classes are written by hand because the host has the data. Packages for `Intl` bring their
 * own data, which every image would hold.
 *
 * @module
 */
import type { HostFunction } from "../host.ts";
import {
  createList,
  dataDescriptor,
  ReflectDefineProperty,
  SymbolToStringTag,
} from "../primordials.ts";
import type { Class } from "../web/expose.ts";
import { createDateTimeFormat } from "./date_time_format.ts";
import { createLocale } from "./locale.ts";
import { createNumberFormat, createPluralRules, createRelativeTimeFormat } from "./numbers.ts";
import { readLocales } from "./options.ts";
import { installLocaleMethods } from "./prototypes.ts";
import { createIntlSend, type IntlSend } from "./request.ts";
import { createSegmenter } from "./segmenter.ts";
import { createCollator, createDisplayNames, createListFormat } from "./texts.ts";

function createFunctions(send: IntlSend): Readonly<Record<string, unknown>> {
  const none = Object.create(null);
  return {
    getCanonicalLocales(locales: unknown): unknown {
      const list = readLocales(locales);
      return list.length === 0 ? [] : send("Intl", "getCanonicalLocales", list, none);
    },
    supportedValuesOf(key: unknown): unknown {
      return send("Intl", "supportedValuesOf", createList<string>(), none, `${key}`);
    },
  };
}

function createClasses(send: IntlSend): Readonly<Record<string, Class>> {
  return {
    DateTimeFormat: createDateTimeFormat(send),
    NumberFormat: createNumberFormat(send),
    Collator: createCollator(send),
    PluralRules: createPluralRules(send),
    RelativeTimeFormat: createRelativeTimeFormat(send),
    ListFormat: createListFormat(send),
    Locale: createLocale(send),
    DisplayNames: createDisplayNames(send),
    Segmenter: createSegmenter(send),
  };
}

/** Defines `Intl` and the methods of built-in prototypes that depend on the locale. */
export function installIntl(host: HostFunction): void {
  const send = createIntlSend(host);
  const intl = {};
  const members = { ...createFunctions(send), ...createClasses(send) };
  for (const [name, member] of Object.entries(members)) {
    ReflectDefineProperty(intl, name, dataDescriptor(member));
  }
  Object.defineProperty(intl, SymbolToStringTag, { value: "Intl", configurable: true });
  ReflectDefineProperty(globalThis, "Intl", dataDescriptor(intl));
  installLocaleMethods(send);
}
