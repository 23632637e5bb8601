/**
 * The shape of an object on the console: the text before its braces, and the contents and keys
 * between them.
 *
 * @module
 */
import {
  append,
  createList,
  type List,
  NumberIsFinite,
  NumberPrototypeToString,
  ownDescriptor,
  ReflectGet,
  StringPrototypeToLowerCase,
  SymbolToStringTag,
  TypedArrayPrototypeGetLength,
  TypedArrayPrototypeGetSymbolToStringTag,
  uncurryThis,
} from "../primordials.ts";
import {
  DatePrototypeGetTime,
  isErrorLike,
  type Kind,
  kindOf,
  MapPrototypeGetSize,
  SetPrototypeGetSize,
  unboxed,
} from "./brands.ts";
import {
  arrayEntries,
  bufferEntries,
  iteratorEntries,
  mapEntries,
  promiseEntries,
  setEntries,
  typedArrayEntries,
} from "./collections.ts";
import {
  ARRAY_EXTRA,
  type Context,
  OBJECT_PROPERTY,
  plainText,
  type PropertyStyle,
} from "./context.ts";
import { formatError } from "./errors.ts";
import { functionText } from "./functions.ts";
import { previewIterator } from "./iterators.ts";
import { extraKeysOf, keysOf, prependKeys } from "./keys.ts";
import { objectPrefix, prefixOf } from "./names.ts";
import { formatPrimitive } from "./primitives.ts";
import type { Style } from "./context.ts";

/** An object's shape. */
export interface Shape {
  /** Shown before the braces, or alone when nothing goes between them. */
  readonly base: string;
  readonly open: string;
  readonly close: string;
  readonly keys: List<PropertyKey>;
  readonly style: PropertyStyle;
  /** Formats the contents that are not properties. */
  readonly entries?: (depth: number) => List<string>;
  /** The whole text when no key and no inherited property is shown. */
  readonly alone?: string;
  /** `base` is also shown alone when the depth is exhausted. */
  readonly aloneWhenDeep?: boolean;
}

/** The known facts of an object before its shape is determined. */
export interface Subject {
  readonly value: object;
  readonly constructor: string | null;
  readonly tag: string;
  /** The object is the buffer of a typed array that is shown with its hidden properties. */
  readonly inView: boolean;
}

const dateToIso = uncurryThis(Date.prototype.toISOString) as (date: unknown) => string;
const regExpSource = Object.getOwnPropertyDescriptor(RegExp.prototype, "source")?.get;
const regExpFlags = Object.getOwnPropertyDescriptor(RegExp.prototype, "flags")?.get;

function arrayShape(context: Context, subject: Subject, array: readonly unknown[]): Shape {
  const { constructor, tag } = subject;
  const prefix = constructor !== "Array" || tag !== ""
    ? prefixOf(constructor, tag, "Array", `(${array.length})`)
    : "";
  return {
    base: "",
    open: `${prefix}[`,
    close: "]",
    keys: extraKeysOf(context, array, array.length),
    style: ARRAY_EXTRA,
    entries: (depth) => arrayEntries(context, array, depth),
    ...(array.length === 0 ? { alone: `${prefix}[]` } : {}),
  };
}

function collectionShape(context: Context, subject: Subject, kind: "Set" | "Map"): Shape {
  const { value, constructor, tag } = subject;
  const size = kind === "Set" ? SetPrototypeGetSize(value) : MapPrototypeGetSize(value);
  const prefix = prefixOf(constructor, tag, kind, `(${size})`);
  const entries = kind === "Set" ? setEntries : mapEntries;
  return {
    base: "",
    open: `${prefix}{`,
    close: "}",
    keys: keysOf(context, value),
    style: OBJECT_PROPERTY,
    entries: (depth) => entries(context, value, depth),
    ...(size === 0 ? { alone: `${prefix}{}` } : {}),
  };
}

function typedArrayShape(context: Context, subject: Subject): Shape {
  const { value, constructor, tag } = subject;
  const size = TypedArrayPrototypeGetLength(value);
  const fallback = TypedArrayPrototypeGetSymbolToStringTag(value) ?? "";
  const prefix = prefixOf(constructor, tag, constructor === null ? fallback : "", `(${size})`);
  return {
    base: "",
    open: `${prefix}[`,
    close: "]",
    keys: extraKeysOf(context, value, size),
    style: ARRAY_EXTRA,
    entries: (depth) => typedArrayEntries(context, value, depth),
    ...(size === 0 && !context.showHidden ? { alone: `${prefix}[]` } : {}),
  };
}

function iteratorShape(
  context: Context,
  subject: Subject,
  kind: "Map Iterator" | "Set Iterator",
): Shape {
  const { value, tag } = subject;
  const { items, isEntries } = previewIterator(value, kind);
  const name = isEntries ? (kind === "Map Iterator" ? "Map Entries" : "Set Entries") : kind;
  const label = tag === kind || tag === "" ? name : `${tag}] [${name}`;
  return {
    base: "",
    open: `[${label}] {`,
    close: "}",
    keys: keysOf(context, value),
    style: OBJECT_PROPERTY,
    entries: (depth) => iteratorEntries(context, items, isEntries, depth),
  };
}

/** Braces with keys, after a base that can be shown alone. */
function basedShape(base: string, keys: List<PropertyKey>, alone: string): Shape {
  return { base, open: "{", close: "}", keys, style: OBJECT_PROPERTY, alone };
}

function dateText(value: object): string {
  return NumberIsFinite(DatePrototypeGetTime(value)) ? dateToIso(value) : "Invalid Date";
}

function regExpText(value: object): string {
  const read = (getter: unknown) =>
    String(uncurryThis<unknown, [], unknown>(getter as () => unknown)(value));
  return `/${read(regExpSource)}/${read(regExpFlags)}`;
}

function leafShape(context: Context, subject: Subject, kind: "RegExp" | "Date"): Shape {
  const { value, constructor, tag } = subject;
  const text = kind === "Date" ? dateText(value) : regExpText(value);
  const prefix = prefixOf(constructor, tag, kind);
  const base = prefix === `${kind} ` ? text : `${prefix}${text}`;
  const alone = context.stylize(base, kind === "Date" ? "date" : "regexp");
  return { ...basedShape(base, keysOf(context, value), alone), aloneWhenDeep: kind === "RegExp" };
}

function boxedShape(context: Context, subject: Subject, kind: Kind): Shape {
  const { value, constructor, tag } = subject;
  const keys = kind === "String" ? extraKeysOf(context, value, 0) : keysOf(context, value);
  let base = `[${kind}`;
  if (kind !== constructor) {
    base += constructor === null ? " (null prototype)" : ` (${constructor})`;
  }
  base += `: ${formatPrimitive(plainText, unboxed(kind, value), context)}]`;
  if (tag !== "" && tag !== constructor) base += ` [${tag}]`;
  const alone = context.stylize(base, StringPrototypeToLowerCase(kind) as Style);
  return basedShape(base, keys, alone);
}

function bufferShape(context: Context, subject: Subject, kind: Kind): Shape {
  const { value, constructor, tag, inView } = subject;
  const prefix = prefixOf(constructor, tag, kind);
  const keys = keysOf(context, value);
  const length: unknown = ReflectGet(value, "byteLength");
  const alone = `${prefix}{ byteLength: ${NumberPrototypeToString(Number(length))} }`;
  return {
    base: "",
    open: `${prefix}{`,
    close: "}",
    keys: inView && keys.length === 0 ? keys : prependKeys(keys, ["byteLength"]),
    style: OBJECT_PROPERTY,
    ...(inView ? { alone } : { entries: () => bufferEntries(context, value as ArrayBuffer) }),
  };
}

function bracedShape(
  context: Context,
  subject: Subject,
  kind: Kind,
  entries?: (depth: number) => List<string>,
): Shape {
  const { value, constructor, tag } = subject;
  return {
    base: "",
    open: `${prefixOf(constructor, tag, kind)}{`,
    close: "}",
    keys: keysOf(context, value),
    style: OBJECT_PROPERTY,
    ...(entries === undefined ? {} : { entries }),
  };
}

function unknownItems(context: Context): List<string> {
  const output = createList<string>();
  append(output, context.stylize("<items unknown>", "special"));
  return output;
}

/** A namespace of a module: sealed, without prototype. */
function isModule(subject: Subject): boolean {
  return subject.constructor === null && subject.tag === "Module" &&
    ownDescriptor(subject.value, SymbolToStringTag)?.configurable === false;
}

function plainShape(context: Context, subject: Subject, kind: Kind): Shape {
  const { value, constructor, tag } = subject;
  let prefix: string;
  if (kind === "Arguments" && constructor === "Object") prefix = "[Arguments] ";
  else if (isModule(subject)) prefix = "[Module: null prototype] ";
  else if (constructor === "Object") {
    prefix = tag === "" ? "" : prefixOf(constructor, tag, "Object");
  } else prefix = objectPrefix(value, constructor, tag);
  const keys = keysOf(context, value);
  return {
    base: "",
    open: `${prefix}{`,
    close: "}",
    keys,
    style: OBJECT_PROPERTY,
    alone: `${prefix}{}`,
  };
}

function errorShape(context: Context, subject: Subject): Shape {
  const { value, constructor, tag } = subject;
  const { text, keys } = formatError(context, value, constructor, tag, keysOf(context, value));
  return basedShape(text, keys, text);
}

/**
 * The shape of `subject`. Contents are formatted later, once it is known that its depth is shown.
 */
export function shapeOf(context: Context, subject: Subject): Shape {
  const { value, constructor, tag } = subject;
  const kind = kindOf(value);
  switch (kind) {
    case "Array":
      return arrayShape(context, subject, value as readonly unknown[]);
    case "Set":
    case "Map":
      return collectionShape(context, subject, kind);
    case "TypedArray":
      return typedArrayShape(context, subject);
    case "Map Iterator":
    case "Set Iterator":
      return iteratorShape(context, subject, kind);
    case "Function": {
      const text = functionText(value, constructor, tag);
      return basedShape(text, keysOf(context, value), context.stylize(text, "special"));
    }
    case "RegExp":
    case "Date":
      return leafShape(context, subject, kind);
    case "Error":
      return errorShape(context, subject);
    case "ArrayBuffer":
    case "SharedArrayBuffer":
      return bufferShape(context, subject, kind);
    case "DataView": {
      const shape = bracedShape(context, subject, kind);
      return { ...shape, keys: prependKeys(shape.keys, ["byteLength", "byteOffset", "buffer"]) };
    }
    case "Promise":
      return bracedShape(context, subject, kind, (depth) => promiseEntries(context, value, depth));
    case "WeakSet":
    case "WeakMap":
      return bracedShape(context, subject, kind, () => unknownItems(context));
    case "Number":
    case "String":
    case "Boolean":
    case "BigInt":
    case "Symbol":
      return boxedShape(context, subject, kind);
    default:
      return isErrorLike(value) ? errorShape(context, subject) : plainShape(context, subject, kind);
  }
}
