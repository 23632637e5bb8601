/**
 * The allow-list of the guest's `Intl`: the services, their options and their methods. A formatter
 * never leaves this module: methods return plain data.
 *
 * @module
 */
import {
  type IntlArguments,
  type IntlOptions,
  MAX_SEGMENTED_LENGTH,
  type Numeric,
  type OptionKind,
} from "./host_intl_request.ts";

/** Calls a method by name; undefined when the service has no such method. */
export type IntlMethods = (
  method: string,
  args: IntlArguments,
) => IntlReply | undefined;

/** The result of a method; undefined becomes `null`, because JSON has no undefined. */
export interface IntlReply {
  readonly value: unknown;
}

/** A service: its accepted options, and the creation of its formatters. */
export interface IntlService {
  readonly options: Readonly<Record<string, OptionKind>>;
  /** False when a formatter is made for one call and not cached. */
  readonly cached: boolean;
  open(locales: readonly string[], options: IntlOptions): IntlMethods;
}

type Method<Formatter> = (formatter: Formatter, args: IntlArguments) => unknown;

/** Used when a guest names no locale, or none that ICU knows. */
const DEFAULT_LOCALE = "en-US";
const DEFAULT_TIME_ZONE = "UTC";

function service<Formatter>(
  options: Readonly<Record<string, OptionKind>>,
  create: (locales: string[], options: IntlOptions) => Formatter,
  methods: Readonly<Record<string, Method<Formatter>>>,
  cached = true,
): IntlService {
  const table = new Map(Object.entries(methods));
  return {
    options,
    cached,
    open(locales, given) {
      const formatter = create([...locales, DEFAULT_LOCALE], given);
      return (name, args) => {
        const method = table.get(name);
        return method === undefined ? undefined : { value: method(formatter, args) };
      };
    },
  };
}

/** The library's types accept numbers and bigints; the standard accepts decimal strings too. */
type NumericFormat = {
  format(value: Numeric): string;
  formatToParts(value: Numeric): Intl.NumberFormatPart[];
  formatRange(start: Numeric, end: Numeric): string;
  formatRangeToParts(
    start: Numeric,
    end: Numeric,
  ): Intl.NumberRangeFormatPart[];
  resolvedOptions(): Intl.ResolvedNumberFormatOptions;
};

const DIGIT_OPTIONS = {
  minimumIntegerDigits: "number",
  minimumFractionDigits: "number",
  maximumFractionDigits: "number",
  minimumSignificantDigits: "number",
  maximumSignificantDigits: "number",
  roundingIncrement: "number",
  roundingMode: "string",
  roundingPriority: "string",
  trailingZeroDisplay: "string",
} as const;

const numberFormat = service<NumericFormat>(
  {
    localeMatcher: "string",
    numberingSystem: "string",
    style: "string",
    currency: "string",
    currencyDisplay: "string",
    currencySign: "string",
    unit: "string",
    unitDisplay: "string",
    notation: "string",
    ...DIGIT_OPTIONS,
    compactDisplay: "string",
    useGrouping: "string or boolean",
    signDisplay: "string",
  },
  (locales, options) => new Intl.NumberFormat(locales, options) as NumericFormat,
  {
    resolvedOptions: (f) => f.resolvedOptions(),
    format: (f, args) => f.format(args.numeric(0)),
    formatToParts: (f, args) => f.formatToParts(args.numeric(0)),
    formatRange: (f, args) => f.formatRange(args.numeric(0), args.numeric(1)),
    formatRangeToParts: (f, args) => f.formatRangeToParts(args.numeric(0), args.numeric(1)),
  },
);

const dateTimeFormat = service<Intl.DateTimeFormat>(
  {
    localeMatcher: "string",
    calendar: "string",
    numberingSystem: "string",
    hour12: "boolean",
    hourCycle: "string",
    timeZone: "string",
    weekday: "string",
    era: "string",
    year: "string",
    month: "string",
    day: "string",
    dayPeriod: "string",
    hour: "string",
    minute: "string",
    second: "string",
    fractionalSecondDigits: "number",
    timeZoneName: "string",
    formatMatcher: "string",
    dateStyle: "string",
    timeStyle: "string",
  },
  (locales, options) =>
    new Intl.DateTimeFormat(locales, {
      timeZone: DEFAULT_TIME_ZONE,
      ...options,
    }),
  {
    resolvedOptions: (f) => f.resolvedOptions(),
    format: (f, args) => f.format(args.time(0)),
    formatToParts: (f, args) => f.formatToParts(args.time(0)),
    formatRange: (f, args) => f.formatRange(args.time(0), args.time(1)),
    formatRangeToParts: (f, args) => f.formatRangeToParts(args.time(0), args.time(1)),
  },
);

type PluralRules = Intl.PluralRules & { selectRange(start: number, end: number): string };

const pluralRules = service<PluralRules>(
  { localeMatcher: "string", type: "string", ...DIGIT_OPTIONS },
  (locales, options) => new Intl.PluralRules(locales, options) as PluralRules,
  {
    resolvedOptions: (f) => f.resolvedOptions(),
    select: (f, args) => f.select(args.number(0)),
    selectRange: (f, args) => f.selectRange(args.number(0), args.number(1)),
  },
);

/** ICU checks the unit; the library's type lists the names. */
function unit(args: IntlArguments): Intl.RelativeTimeFormatUnit {
  return args.word(1) as Intl.RelativeTimeFormatUnit;
}

const relativeTimeFormat = service<Intl.RelativeTimeFormat>(
  {
    localeMatcher: "string",
    numberingSystem: "string",
    style: "string",
    numeric: "string",
  },
  (locales, options) => new Intl.RelativeTimeFormat(locales, options),
  {
    resolvedOptions: (f) => f.resolvedOptions(),
    format: (f, args) => f.format(args.number(0), unit(args)),
    formatToParts: (f, args) => f.formatToParts(args.number(0), unit(args)),
  },
);

const listFormat = service<Intl.ListFormat>(
  { localeMatcher: "string", type: "string", style: "string" },
  (locales, options) => new Intl.ListFormat(locales, options),
  {
    resolvedOptions: (f) => f.resolvedOptions(),
    format: (f, args) => f.format(args.texts(0)),
    formatToParts: (f, args) => f.formatToParts(args.texts(0)),
  },
);

const collator = service<Intl.Collator>(
  {
    usage: "string",
    localeMatcher: "string",
    collation: "string",
    numeric: "boolean",
    caseFirst: "string",
    sensitivity: "string",
    ignorePunctuation: "boolean",
  },
  (locales, options) => new Intl.Collator(locales, options),
  {
    resolvedOptions: (f) => f.resolvedOptions(),
    compare: (f, args) => f.compare(args.normalizableText(0), args.normalizableText(1)),
  },
);

const displayNames = service<Intl.DisplayNames>(
  {
    localeMatcher: "string",
    style: "string",
    type: "string",
    fallback: "string",
    languageDisplay: "string",
  },
  (locales, options) =>
    new Intl.DisplayNames(
      locales,
      options as Partial<Intl.DisplayNamesOptions> as Intl.DisplayNamesOptions,
    ),
  {
    resolvedOptions: (f) => f.resolvedOptions(),
    of: (f, args) => f.of(args.word(0)),
  },
);

/** The ends of a text's segments, and whether each segment is word-like. */
function segmentEnds(
  segmenter: Intl.Segmenter,
  text: string,
): [number[], boolean[]] {
  const ends: number[] = [];
  const words: boolean[] = [];
  for (const { index, segment, isWordLike } of segmenter.segment(text)) {
    ends.push(index + segment.length);
    if (isWordLike !== undefined) words.push(isWordLike);
  }
  return [ends, words];
}

const segmenter = service<Intl.Segmenter>(
  { localeMatcher: "string", granularity: "string" },
  (locales, options) => new Intl.Segmenter(locales, options),
  {
    resolvedOptions: (f) => f.resolvedOptions(),
    segment: (f, args) => segmentEnds(f, args.text(0, MAX_SEGMENTED_LENGTH)),
  },
);

const LOCALE_FIELDS = [
  "baseName",
  "calendar",
  "caseFirst",
  "collation",
  "hourCycle",
  "language",
  "numberingSystem",
  "numeric",
  "region",
  "script",
] as const;

function describeLocale(locale: Intl.Locale): unknown {
  return {
    ...Object.fromEntries(LOCALE_FIELDS.map((name) => [name, locale[name]])),
    tag: locale.toString(),
    maximized: locale.maximize().toString(),
    minimized: locale.minimize().toString(),
  };
}

/** `Intl.Locale` takes its tag as an argument and returns one description. */
const locale = service<IntlOptions>(
  {
    language: "string",
    script: "string",
    region: "string",
    calendar: "string",
    collation: "string",
    hourCycle: "string",
    caseFirst: "string",
    numeric: "boolean",
    numberingSystem: "string",
  },
  (_locales, options) => options,
  {
    describe: (options, args) => describeLocale(new Intl.Locale(args.word(0), options)),
  },
  false,
);

/** The functions of `Intl` itself; `locales` is their argument. */
const functions = service<readonly string[]>(
  {},
  (locales) => locales.slice(0, -1),
  {
    getCanonicalLocales: (locales) => Intl.getCanonicalLocales([...locales]),
    supportedValuesOf: (_locales, args) =>
      Intl.supportedValuesOf(
        args.word(0) as Parameters<typeof Intl.supportedValuesOf>[0],
      ),
  },
  false,
);

type SupportedLocalesOf = (
  locales: readonly string[],
  options: IntlOptions,
) => string[];

const LOCALE_LISTS: Readonly<Record<string, SupportedLocalesOf>> = {
  NumberFormat: (locales, options) => Intl.NumberFormat.supportedLocalesOf([...locales], options),
  DateTimeFormat: (locales, options) =>
    Intl.DateTimeFormat.supportedLocalesOf([...locales], options),
  PluralRules: (locales, options) => Intl.PluralRules.supportedLocalesOf([...locales], options),
  RelativeTimeFormat: (locales, options) =>
    Intl.RelativeTimeFormat.supportedLocalesOf([...locales], options),
  ListFormat: (locales, options) => Intl.ListFormat.supportedLocalesOf([...locales], options),
  Collator: (locales, options) => Intl.Collator.supportedLocalesOf([...locales], options),
  DisplayNames: (locales, options) => Intl.DisplayNames.supportedLocalesOf([...locales], options),
  Segmenter: (locales, options) => Intl.Segmenter.supportedLocalesOf([...locales], options),
};

const supportedLocales = service<readonly [readonly string[], IntlOptions]>(
  { localeMatcher: "string" },
  (locales, options) => [locales.slice(0, -1), options],
  Object.fromEntries(
    Object.entries(LOCALE_LISTS).map(([name, list]) => [
      name,
      ([locales, options]: readonly [readonly string[], IntlOptions]) => list(locales, options),
    ]),
  ),
  false,
);

/** Case mappings that depend on the language: the requested locales decide, not the default. */
const caseMapping = service<readonly string[]>(
  {},
  (locales) => locales,
  {
    toLocaleUpperCase: (locales, args) => args.text(0).toLocaleUpperCase([...locales]),
    toLocaleLowerCase: (locales, args) => args.text(0).toLocaleLowerCase([...locales]),
  },
  false,
);

/** All services, by their names in requests. */
export const INTL_SERVICES: ReadonlyMap<string, IntlService> = new Map([
  ["NumberFormat", numberFormat],
  ["DateTimeFormat", dateTimeFormat],
  ["PluralRules", pluralRules],
  ["RelativeTimeFormat", relativeTimeFormat],
  ["ListFormat", listFormat],
  ["Collator", collator],
  ["DisplayNames", displayNames],
  ["Segmenter", segmenter],
  ["Locale", locale],
  ["Intl", functions],
  ["supportedLocalesOf", supportedLocales],
  ["String", caseMapping],
]);
