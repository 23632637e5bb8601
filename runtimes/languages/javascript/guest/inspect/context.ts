/**
 * Options of `util.inspect` and the state of one inspection.
 *
 * @module
 */
import {
  bare,
  createList,
  type List,
  ObjectKeys,
  ObjectSetPrototypeOf,
  ReflectGet,
  ReflectSet,
} from "../primordials.ts";

/** Name of a color in `inspect.styles`. */
export type Style =
  | "special"
  | "number"
  | "bigint"
  | "boolean"
  | "undefined"
  | "null"
  | "string"
  | "symbol"
  | "date"
  | "regexp"
  | "module"
  | "name";

export type Stylize = (text: string, style: Style) => string;
export type Comparator = (left: string, right: string) => number;

/**
 * The options, with Node's meanings. Lengths are in characters, depth is in levels; null means no
 * limit.
 */
export interface InspectOptions {
  showHidden: boolean;
  depth: number | null;
  colors: boolean;
  customInspect: boolean;
  showProxy: boolean;
  maxArrayLength: number | null;
  maxStringLength: number | null;
  breakLength: number;
  compact: boolean | number;
  sorted: boolean | Comparator;
  getters: boolean | "get" | "set";
  numericSeparator: boolean;
}

/** Formats one value at a depth. `inView` is set for the buffer of a typed array. */
export type FormatValue = (
  context: Context,
  value: unknown,
  depth: number,
  inView?: boolean,
) => string;

/** Formats one property of `holder`; `original` is the object shown, for getters. */
export type FormatProperty = (
  context: Context,
  holder: object,
  depth: number,
  key: PropertyKey,
  style: PropertyStyle,
  descriptor?: PropertyDescriptor,
  original?: object,
) => string;

/** The two functions that call each other throughout an inspection. */
export interface Formatters {
  readonly formatValue: FormatValue;
  readonly formatProperty: FormatProperty;
}

/** How a property is written: `key: value`, the value alone, or as an extra key of an array. */
export const OBJECT_PROPERTY = 0;
export const ARRAY_ELEMENT = 1;
export const ARRAY_EXTRA = 2;
export type PropertyStyle =
  | typeof OBJECT_PROPERTY
  | typeof ARRAY_ELEMENT
  | typeof ARRAY_EXTRA;

/** One inspection. */
export interface Context extends InspectOptions, Formatters {
  maxArrayLength: number;
  maxStringLength: number;
  stylize: Stylize;
  /** Characters of output so far by indentation, to stop at values that would never end. */
  readonly budget: Record<number, number>;
  indentation: number;
  /** Objects being formatted, outermost first. */
  readonly seen: List<object>;
  currentDepth: number;
  /** Objects that refer to themselves → their number. */
  circular: Map<object, number> | undefined;
  /** What the caller passed, if it has keys that are not options. */
  userOptions: object | undefined;
}

/** The defaults of all options; guests may change them. */
export const DEFAULT_OPTIONS: InspectOptions = bare({
  showHidden: false,
  depth: 2,
  colors: false,
  customInspect: true,
  showProxy: false,
  maxArrayLength: 100,
  maxStringLength: 10000,
  breakLength: 80,
  compact: 3,
  sorted: false,
  getters: false,
  numericSeparator: false,
});

export function plainText(text: string): string {
  return text;
}

/** A context's own fields. The options come from its prototype until they are set. */
class Inspection {
  stylize: Stylize = plainText;
  readonly budget: Record<number, number> = createList<number>();
  indentation = 0;
  readonly seen: List<object> = createList<object>();
  currentDepth = 0;
  circular: Map<object, number> | undefined = undefined;
  userOptions: object | undefined = undefined;
  readonly formatValue: FormatValue;
  readonly formatProperty: FormatProperty;

  constructor(formatters: Formatters) {
    this.formatValue = formatters.formatValue;
    this.formatProperty = formatters.formatProperty;
  }
}
ObjectSetPrototypeOf(Inspection.prototype, DEFAULT_OPTIONS);

function isContext(inspection: object): inspection is Context {
  return "maxArrayLength" in inspection;
}

/** A context with the default options. */
export function createContext(formatters: Formatters): Context {
  const inspection = new Inspection(formatters);
  if (!isContext(inspection)) throw new TypeError("The default options are missing");
  return inspection;
}

/** Copies the caller's options; unknown keys are kept for custom inspection. */
export function applyOptions(context: Context, options: object): void {
  const keys = ObjectKeys(options);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] ?? "";
    if (key in DEFAULT_OPTIONS || key === "stylize") {
      ReflectSet(context, key, ReflectGet(options, key));
    } else context.userOptions = options;
  }
}
