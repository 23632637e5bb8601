/**
 * The name of an object in output: the name of its constructor, with tag and size.
 *
 * @module
 */
import {
  append,
  createList,
  FunctionPrototypeSymbolHasInstance,
  type List,
  MapPrototypeGet,
  ObjectGetOwnPropertyNames,
  ObjectGetPrototypeOf,
  ObjectPrototype,
  ObjectPrototypeHasOwnProperty,
  ownDescriptor,
  ReflectGet,
  ReflectOwnKeys,
  RegExpPrototypeExec,
  SetPrototypeAdd,
  SetPrototypeHas,
  TypedArrayPrototypeGetSymbolToStringTag,
} from "../primordials.ts";
import { type Context, OBJECT_PROPERTY } from "./context.ts";
import { kindOf } from "./brands.ts";

interface WellKnown {
  readonly name: string;
  readonly constructor: object;
}

/** Names of the language's own classes. */
const builtInNames = new Set<unknown>();
const OBJECT: WellKnown = { name: "Object", constructor: Object };
/** Prototypes that keep their name even if a guest replaced their `constructor`. */
const wellKnown = new Map<object, WellKnown>([
  [ObjectPrototype, OBJECT],
  [Function.prototype, { name: "Function", constructor: Function }],
]);
const PROTOTYPE_LAYERS = 3;

const globalNames = ObjectGetOwnPropertyNames(globalThis);
for (let i = 0; i < globalNames.length; i++) {
  const name = globalNames[i] ?? "";
  if (RegExpPrototypeExec(/^[A-Z][a-zA-Z0-9]+$/, name) !== null) {
    SetPrototypeAdd(builtInNames, name);
  }
}

/** Whether a constructor, judged by its name, is one of the language's own. */
export function isBuiltIn(constructor: unknown): boolean {
  return typeof constructor === "function" &&
    SetPrototypeHas(builtInNames, ReflectGet(constructor, "name"));
}

function isInstance(value: object, constructor: (...args: never) => unknown): boolean {
  try {
    return value instanceof constructor;
  } catch {
    return false;
  }
}

function isFunction(value: unknown): value is (...args: never) => unknown {
  return typeof value === "function";
}

/** The name of an object's kind. */
function fallbackName(value: object): string {
  const kind = kindOf(value);
  if (kind === "TypedArray") return TypedArrayPrototypeGetSymbolToStringTag(value) ?? kind;
  return kind === "Arguments" || kind === "Generator" ? "Object" : kind;
}

/** The constructor name that `holder`, on the prototype chain of `value`, provides. */
function nameAt(holder: object, value: object): { name: string; own: boolean } | undefined {
  const known = holder === ObjectPrototype
    ? OBJECT
    : MapPrototypeGet(wellKnown, holder) as WellKnown | undefined;
  if (known !== undefined && FunctionPrototypeSymbolHasInstance(known.constructor, value)) {
    return { name: known.name, own: false };
  }
  const constructor: unknown = ownDescriptor(holder, "constructor")?.value;
  if (!isFunction(constructor)) return undefined;
  const name: unknown = ReflectGet(constructor, "name");
  if (name === "" || !isInstance(value, constructor)) return undefined;
  return { name: String(name), own: !isBuiltIn(constructor) };
}

/**
 * The name of the constructor; null when the object has no prototype. With `inherited`, the
 * properties of guest prototypes are formatted into it.
 */
export function constructorName(
  context: Context,
  value: object,
  depth: number,
  inherited: List<string> | undefined,
): string | null {
  let first: object | null | undefined;
  let holder: object | null = value;
  while (holder !== null) {
    const found = nameAt(holder, value);
    if (found !== undefined) {
      if (inherited !== undefined && (first !== holder || found.own)) {
        addInherited(context, value, first ?? value, depth, inherited);
      }
      return found.name;
    }
    holder = ObjectGetPrototypeOf(holder);
    if (first === undefined) first = holder;
  }
  return first === null || first === undefined
    ? null
    : complexName(context, value, first, depth, inherited);
}

/** The name of an object whose prototypes name no constructor. */
function complexName(
  context: Context,
  value: object,
  prototype: object,
  depth: number,
  inherited: List<string> | undefined,
): string {
  const name = fallbackName(value);
  if (context.depth !== null && depth > context.depth) return `${name} <Complex prototype>`;
  const above = constructorName(context, prototype, depth + 1, inherited);
  return above === null ? `${name} <${shallow(context, prototype)}>` : `${name} <${above}>`;
}

/** A prototype without its contents. */
function shallow(context: Context, value: object): string {
  const { depth, customInspect } = context;
  context.depth = -1;
  context.customInspect = false;
  try {
    return context.formatValue(context, value, 0);
  } finally {
    context.depth = depth;
    context.customInspect = customInspect;
  }
}

/** Formats what up to three layers of guest prototypes hold besides methods. */
function addInherited(
  context: Context,
  main: object,
  start: object,
  depth: number,
  output: List<string>,
): void {
  const seenKeys = new Set<PropertyKey>();
  let holder: object | null = start;
  for (let layer = 0; layer < PROTOTYPE_LAYERS; layer++) {
    if (layer !== 0 || main === holder) {
      holder = holder === null ? null : ObjectGetPrototypeOf(holder);
      if (holder === null || isBuiltIn(ownDescriptor(holder, "constructor")?.value)) return;
    }
    if (holder === null) return;
    append(context.seen, main);
    addLayer(context, main, holder, depth, seenKeys, output);
    context.seen.length--;
  }
}

function addLayer(
  context: Context,
  main: object,
  holder: object,
  depth: number,
  seenKeys: Set<PropertyKey>,
  output: List<string>,
): void {
  const keys = ReflectOwnKeys(holder);
  const fresh = createList<PropertyKey>();
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] ?? "";
    const hidden = key === "constructor" || ObjectPrototypeHasOwnProperty(main, key) ||
      SetPrototypeHas(seenKeys, key);
    if (!hidden) append(fresh, key);
    SetPrototypeAdd(seenKeys, key);
  }
  for (let i = 0; i < fresh.length; i++) {
    const key = fresh[i] ?? "";
    const descriptor = ownDescriptor(holder, key);
    if (descriptor === undefined || typeof descriptor.value === "function") continue;
    const text = context.formatProperty(
      context,
      holder,
      depth,
      key,
      OBJECT_PROPERTY,
      descriptor,
      main,
    );
    append(output, context.colors ? `\x1b[2m${text}\x1b[22m` : text);
  }
}

/** `Name(size) [tag] `, with the space before the braces. */
export function prefixOf(
  constructor: string | null,
  tag: string,
  fallback: string,
  size = "",
): string {
  if (constructor === null) {
    const name = `[${fallback}${size}: null prototype] `;
    return tag !== "" && fallback !== tag ? `${name}[${tag}] ` : name;
  }
  return tag !== "" && constructor !== tag
    ? `${constructor}${size} [${tag}] `
    : `${constructor}${size} `;
}

/** The prefix of an object that is shown by name. */
export function objectPrefix(value: object, constructor: string | null, tag: string): string {
  let fallback = "";
  if (constructor === null) {
    fallback = fallbackName(value);
    if (fallback === tag) fallback = "Object";
  }
  return prefixOf(constructor, tag, fallback);
}
