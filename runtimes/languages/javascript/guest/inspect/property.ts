/**
 * One property: its key, and its value or a label for an accessor.
 *
 * @module
 */
import {
  ownDescriptor,
  ReflectApply,
  ReflectGet,
  RegExpPrototypeExec,
  StringPrototypeRepeat,
  SymbolPrototypeToString,
} from "../primordials.ts";
import { isLiveNamespace } from "../modules/es_module.ts";
import { ARRAY_ELEMENT, type Context, OBJECT_PROPERTY, type PropertyStyle } from "./context.ts";
import { escapeText, quote } from "./escape.ts";
import { formatPrimitive } from "./primitives.ts";
import { widthOf } from "./width.ts";

const IDENTIFIER = /^[a-zA-Z_][a-zA-Z_0-9]*$/;

function keyText(context: Context, key: PropertyKey, enumerable: boolean): string {
  if (typeof key === "symbol") {
    return `[${context.stylize(escapeText(SymbolPrototypeToString(key), true), "symbol")}]`;
  }
  const name = `${key}`;
  if (name === "__proto__") return "['__proto__']";
  if (!enumerable) return `[${escapeText(name, true)}]`;
  return RegExpPrototypeExec(IDENTIFIER, name) === null
    ? context.stylize(quote(name), "string")
    : context.stylize(name, "name");
}

function wantsGetter(context: Context, hasSetter: boolean): boolean {
  const { getters } = context;
  return getters === true || (getters === "get" && !hasSetter) || (getters === "set" && hasSetter);
}

/** The value that a getter returns, for callers that ask for it. */
function getterValue(
  context: Context,
  label: string,
  getter: unknown,
  original: object,
  depth: number,
): string {
  const special = (text: string) => context.stylize(text, "special");
  try {
    const value = ReflectApply(getter, original, []);
    context.indentation += 2;
    try {
      if (value !== null && typeof value === "object") {
        return `${special(`[${label}]`)} ${context.formatValue(context, value, depth)}`;
      }
      const text = value === null
        ? context.stylize("null", "null")
        : formatPrimitive(context.stylize, value, context);
      return `${special(`[${label}:`)} ${text}${special("]")}`;
    } finally {
      context.indentation -= 2;
    }
  } catch (error) {
    const message = `<Inspection threw (${ReflectGet(Object(error), "message")})>`;
    return `${special(`[${label}:`)} ${message}${special("]")}`;
  }
}

/** The value that a module exports under a name. */
function exportText(context: Context, getter: unknown, original: object, depth: number): string {
  let value: unknown;
  try {
    value = ReflectApply(getter, original, []);
  } catch {
    return context.stylize("<uninitialized>", "special");
  }
  context.indentation += 2;
  const text = context.formatValue(context, value, depth);
  context.indentation -= 2;
  return text;
}

function accessorText(
  context: Context,
  descriptor: PropertyDescriptor,
  original: object,
  depth: number,
): string {
  if (descriptor.get === undefined) return context.stylize("[Setter]", "special");
  if (isLiveNamespace(original)) return exportText(context, descriptor.get, original, depth);
  const hasSetter = descriptor.set !== undefined;
  const label = hasSetter ? "Getter/Setter" : "Getter";
  return wantsGetter(context, hasSetter)
    ? getterValue(context, label, descriptor.get, original, depth)
    : context.stylize(`[${label}]`, "special");
}

/** Formats the property `key` of `holder`; getters are not called unless asked for. */
export function formatProperty(
  context: Context,
  holder: object,
  depth: number,
  key: PropertyKey,
  style: PropertyStyle,
  descriptor: PropertyDescriptor = ownDescriptor(holder, key) ??
    { value: ReflectGet(holder, key), enumerable: true },
  original: object = holder,
): string {
  let text: string;
  let space = " ";
  if (descriptor.get === undefined && descriptor.set === undefined) {
    const indent = context.compact !== true || style !== OBJECT_PROPERTY ? 2 : 3;
    context.indentation += indent;
    text = context.formatValue(context, descriptor.value, depth);
    if (indent === 3 && context.breakLength < widthOf(text)) {
      space = `\n${StringPrototypeRepeat(" ", context.indentation)}`;
    }
    context.indentation -= indent;
  } else {
    text = accessorText(context, descriptor, original, depth);
  }
  if (style === ARRAY_ELEMENT) return text;
  return `${keyText(context, key, descriptor.enumerable !== false)}:${space}${text}`;
}
