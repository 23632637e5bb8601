/**
 * Formats any one value: primitives, proxies, objects with custom inspection, and all others by
 * their shape.
 *
 * @module
 */
import {
  append,
  ArrayPrototypeIncludes,
  createList,
  FunctionPrototypeSymbolHasInstance,
  type List,
  MapPrototypeGet,
  MapPrototypeSet,
  ObjectPrototypeHasOwnProperty,
  ObjectPrototypePropertyIsEnumerable,
  ObjectSetPrototypeOf,
  ReflectApply,
  ReflectGet,
  StringPrototypeRepeat,
  StringPrototypeSlice,
  SymbolFor,
  SymbolToStringTag,
  uncurryThis,
} from "../primordials.ts";
import { replaceText } from "../text.ts";
import { isStackOverflow } from "../stack_trace.ts";
import { MapPrototypeGetSize } from "./brands.ts";
import { ARRAY_EXTRA, type Context, OBJECT_PROPERTY } from "./context.ts";
import { layOut } from "./layout.ts";
import { constructorName, objectPrefix } from "./names.ts";
import { formatPrimitive } from "./primitives.ts";
import { type ProxyDetails, proxyDetails, unwrapProxy } from "./proxies.ts";
import { type Shape, shapeOf, type Subject } from "./shape.ts";

/** The symbol of `util.inspect.custom`. */
export const CUSTOM_INSPECT = SymbolFor("nodejs.util.inspect.custom");
/** Characters of output at one indentation after which nested values are no longer inspected. */
const BUDGET = 2 ** 27;

const sortList = uncurryThis(Array.prototype.sort) as (
  self: ArrayLike<string>,
  compare?: (left: string, right: string) => number,
) => unknown;
const ObjectConstructor: object = Object;

function isInspectable(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

function isBeyond(context: Context, depth: number): boolean {
  return context.depth !== null && depth > context.depth;
}

function formatProxy(context: Context, details: ProxyDetails, depth: number): string {
  if (isBeyond(context, depth)) return context.stylize("Proxy [Array]", "special");
  context.indentation += 2;
  const parts = createList<string>();
  append(parts, context.formatValue(context, details.target, depth + 1));
  append(parts, context.formatValue(context, details.handler, depth + 1));
  context.indentation -= 2;
  return layOut(context, parts, { base: "", open: "Proxy [", close: "]" }, ARRAY_EXTRA, depth + 1);
}

/**
 * The options that a custom inspection gets; without a prototype for objects that do not inherit
 * from this realm's `Object`.
 */
function optionsFor(context: Context, isForeign: boolean): object {
  const options = {
    showHidden: context.showHidden,
    depth: context.depth,
    colors: context.colors,
    customInspect: context.customInspect,
    showProxy: context.showProxy,
    maxArrayLength: context.maxArrayLength,
    maxStringLength: context.maxStringLength,
    breakLength: context.breakLength,
    compact: context.compact,
    sorted: context.sorted,
    getters: context.getters,
    numericSeparator: context.numericSeparator,
    ...context.userOptions,
    stylize: context.stylize,
  };
  if (isForeign) ObjectSetPrototypeOf(options, null);
  return options;
}

/** The result of the object's own inspection; undefined when it has none. */
function customText(
  context: Context,
  value: object,
  target: object,
  depth: number,
  inspect: unknown,
): string | undefined {
  const custom: unknown = ReflectGet(target, CUSTOM_INSPECT);
  if (typeof custom !== "function" || custom === inspect) return undefined;
  const constructor: unknown = ReflectGet(target, "constructor");
  if (isInspectable(constructor) && ReflectGet(constructor, "prototype") === target) {
    return undefined;
  }
  const left = context.depth === null ? null : context.depth - depth;
  const isForeign = target !== value ||
    !FunctionPrototypeSymbolHasInstance(ObjectConstructor, value);
  const result = ReflectApply(custom, value, [left, optionsFor(context, isForeign), inspect]);
  if (result === value) return undefined;
  if (typeof result !== "string") return context.formatValue(context, result, depth);
  return replaceText(result, "\n", `\n${StringPrototypeRepeat(" ", context.indentation)}`);
}

function circularText(context: Context, value: object): string {
  const known = context.circular ??= new Map<object, number>();
  let index = MapPrototypeGet(known, value);
  if (index === undefined) {
    index = MapPrototypeGetSize(known) + 1;
    MapPrototypeSet(known, value, index);
  }
  return context.stylize(`[Circular *${index}]`, "special");
}

/** The tag of an object, unless it is already shown as a property. */
function tagOf(context: Context, value: object): string {
  const tag: unknown = ReflectGet(value, SymbolToStringTag);
  if (typeof tag !== "string" || tag === "") return "";
  const isShown = context.showHidden
    ? ObjectPrototypeHasOwnProperty
    : ObjectPrototypePropertyIsEnumerable;
  return isShown(value, SymbolToStringTag) ? "" : tag;
}

/** Contents, then properties, then the properties of the guest's prototypes. */
function entriesOf(
  context: Context,
  value: object,
  shape: Shape,
  depth: number,
  inherited: List<string> | undefined,
): List<string> {
  const output = shape.entries === undefined ? createList<string>() : shape.entries(depth);
  const { keys, style } = shape;
  const properties = createList<string>();
  for (let i = 0; i < keys.length; i++) {
    append(properties, context.formatProperty(context, value, depth, keys[i] ?? "", style));
  }
  const { sorted } = context;
  const compare = sorted === true || sorted === false ? undefined : sorted;
  if (sorted !== false && style !== OBJECT_PROPERTY) sortList(properties, compare);
  for (let i = 0; i < properties.length; i++) append(output, properties[i] ?? "");
  if (inherited !== undefined) {
    for (let i = 0; i < inherited.length; i++) append(output, inherited[i] ?? "");
  }
  if (sorted !== false && style === OBJECT_PROPERTY) sortList(output, compare);
  return output;
}

function withReference(context: Context, value: object, shape: Shape): Shape {
  if (context.circular === undefined) return shape;
  const index = MapPrototypeGet(context.circular, value);
  if (index === undefined) return shape;
  const reference = context.stylize(`<ref *${index}>`, "special");
  return context.compact === true
    ? { ...shape, open: `${reference} ${shape.open}` }
    : { ...shape, base: shape.base === "" ? reference : `${reference} ${shape.base}` };
}

function interrupted(context: Context, subject: Subject): string {
  const { value, constructor, tag } = subject;
  const name = StringPrototypeSlice(objectPrefix(value, constructor, tag), 0, -1);
  const text = `[${name}: Inspection interrupted prematurely. Maximum call stack size exceeded.]`;
  return context.stylize(text, "special");
}

function spend(context: Context, text: string): void {
  const used = (context.budget[context.indentation] ?? 0) + text.length;
  context.budget[context.indentation] = used;
  if (used > BUDGET) context.depth = -1;
}

function formatContents(
  context: Context,
  subject: Subject,
  shape: Shape,
  depth: number,
  inherited: List<string> | undefined,
): string {
  const { value } = subject;
  const { indentation, seen } = context;
  const level = seen.length;
  append(seen, value);
  context.currentDepth = depth;
  try {
    const entries = entriesOf(context, value, shape, depth, inherited);
    const framed = withReference(context, value, shape);
    seen.length = level;
    const text = layOut(context, entries, framed, shape.style, depth, value as ArrayLike<unknown>);
    spend(context, text);
    return text;
  } catch (error) {
    if (!isStackOverflow(error)) throw error;
    seen.length = level;
    context.indentation = indentation;
    return interrupted(context, subject);
  }
}

function formatObject(context: Context, value: object, depth: number, inView: boolean): string {
  const shown = context.showHidden && !isBeyond(context, depth);
  const found = shown ? createList<string>() : undefined;
  const constructor = constructorName(context, value, depth, found);
  const inherited = found === undefined || found.length === 0 ? undefined : found;
  const subject = { value, constructor, tag: tagOf(context, value), inView };
  const shape = shapeOf(context, subject);
  const isBare = shape.keys.length === 0 && inherited === undefined;
  if (shape.alone !== undefined && isBare) return shape.alone;
  if (isBeyond(context, depth)) {
    if (shape.alone !== undefined && shape.aloneWhenDeep === true) return shape.alone;
    const name = StringPrototypeSlice(objectPrefix(value, constructor, subject.tag), 0, -1);
    return context.stylize(constructor === null ? name : `[${name}]`, "special");
  }
  return formatContents(context, subject, shape, depth + 1, inherited);
}

let publicInspect: unknown;

/** Sets the function that custom inspections get as their third argument. */
export function usePublicInspect(inspect: unknown): void {
  publicInspect = inspect;
}

/** Formats any value at a depth. */
export function formatValue(
  context: Context,
  value: unknown,
  depth: number,
  inView = false,
): string {
  if (!isInspectable(value)) {
    return value === null
      ? context.stylize("null", "null")
      : formatPrimitive(context.stylize, value, context);
  }
  let target: object | null = value;
  const details = proxyDetails(value);
  if (details !== undefined) {
    if (context.showProxy && details.target !== null) return formatProxy(context, details, depth);
    target = unwrapProxy(value);
    if (target === null) return context.stylize("<Revoked Proxy>", "special");
  }
  if (context.customInspect) {
    const text = customText(context, value, target, depth, publicInspect);
    if (text !== undefined) return text;
  }
  if (ArrayPrototypeIncludes(context.seen, target)) return circularText(context, target);
  return formatObject(context, target, depth, inView);
}
