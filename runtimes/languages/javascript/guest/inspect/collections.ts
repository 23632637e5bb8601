/**
 * The contents of arrays, sets, maps, typed arrays, buffers, iterators and promises.
 *
 * @module
 */
import {
  append,
  createList,
  type List,
  MathMax,
  MathMin,
  NumberPrototypeToString,
  ObjectKeys,
  ObjectPrototypeHasOwnProperty,
  ReflectGet,
  RegExpPrototypeExec,
  StringPrototypePadStart,
  TypedArrayPrototypeGetLength,
  uncurryThis,
} from "../primordials.ts";
import { ARRAY_ELEMENT, ARRAY_EXTRA, type Context } from "./context.ts";
import { MapPrototypeGetSize, SetPrototypeGetSize } from "./brands.ts";
import { layOut } from "./layout.ts";
import { formatBigInt, formatNumber, remainingText } from "./primitives.ts";
import { promiseState } from "./promises.ts";

const MapPrototypeForEach = uncurryThis(Map.prototype.forEach) as (
  map: unknown,
  visit: (value: unknown, key: unknown) => void,
) => void;
const SetPrototypeForEach = uncurryThis(Set.prototype.forEach) as (
  set: unknown,
  visit: (value: unknown) => void,
) => void;
const Bytes = Uint8Array;
const MAX_INDEX = 2 ** 32 - 2;

function limitOf(context: Context, length: number): number {
  return MathMin(MathMax(0, context.maxArrayLength), length);
}

function addRemaining(output: List<string>, count: number): List<string> {
  if (count > 0) append(output, remainingText(count));
  return output;
}

function emptyItems(context: Context, count: number): string {
  return context.stylize(`<${count} empty item${count > 1 ? "s" : ""}>`, "undefined");
}

/** The rest of an array with holes, from index `start` on. */
function sparseEntries(
  context: Context,
  array: readonly unknown[],
  depth: number,
  most: number,
  output: List<string>,
  start: number,
): List<string> {
  const keys = ObjectKeys(array);
  let index = start;
  for (let i = start; i < keys.length && output.length < most; i++) {
    const key = keys[i] ?? "";
    const position = +key;
    if (position > MAX_INDEX) break;
    if (`${index}` !== key) {
      if (RegExpPrototypeExec(/^(0|[1-9][0-9]*)$/, key) === null) break;
      append(output, emptyItems(context, position - index));
      index = position;
      if (output.length === most) break;
    }
    append(output, context.formatProperty(context, array, depth, key, ARRAY_ELEMENT));
    index++;
  }
  const remaining = array.length - index;
  if (output.length === most) return addRemaining(output, remaining);
  if (remaining > 0) append(output, emptyItems(context, remaining));
  return output;
}

export function arrayEntries(
  context: Context,
  array: readonly unknown[],
  depth: number,
): List<string> {
  const most = limitOf(context, array.length);
  const output = createList<string>();
  for (let i = 0; i < most; i++) {
    if (!ObjectPrototypeHasOwnProperty(array, i)) {
      return sparseEntries(context, array, depth, most, output, i);
    }
    append(output, context.formatProperty(context, array, depth, i, ARRAY_ELEMENT));
  }
  return addRemaining(output, array.length - most);
}

export function setEntries(context: Context, set: object, depth: number): List<string> {
  const size = SetPrototypeGetSize(set);
  const most = limitOf(context, size);
  const values = createList<unknown>();
  SetPrototypeForEach(set, (value) => {
    if (values.length < most) append(values, value);
  });
  return addRemaining(valueTexts(context, values, depth), size - most);
}

function valueTexts(context: Context, values: List<unknown>, depth: number): List<string> {
  const output = createList<string>();
  context.indentation += 2;
  for (let i = 0; i < values.length; i++) {
    append(output, context.formatValue(context, values[i], depth));
  }
  context.indentation -= 2;
  return output;
}

export function mapEntries(context: Context, map: object, depth: number): List<string> {
  const size = MapPrototypeGetSize(map);
  const most = limitOf(context, size);
  const pairs = createList<unknown>();
  MapPrototypeForEach(map, (value, key) => {
    if (pairs.length >= most * 2) return;
    append(pairs, key);
    append(pairs, value);
  });
  const texts = valueTexts(context, pairs, depth);
  const output = createList<string>();
  for (let i = 0; i < texts.length; i += 2) append(output, `${texts[i]} => ${texts[i + 1]}`);
  return addRemaining(output, size - most);
}

const VIEW_PROPERTIES = ["BYTES_PER_ELEMENT", "length", "byteLength", "byteOffset", "buffer"];

export function typedArrayEntries(context: Context, view: object, depth: number): List<string> {
  const length = TypedArrayPrototypeGetLength(view);
  const most = limitOf(context, length);
  const output = createList<string>();
  for (let i = 0; i < most; i++) {
    const value: unknown = ReflectGet(view, i);
    append(
      output,
      typeof value === "bigint"
        ? formatBigInt(context.stylize, value, context.numericSeparator)
        : formatNumber(context.stylize, Number(value), context.numericSeparator),
    );
  }
  addRemaining(output, length - most);
  if (context.showHidden) addViewProperties(context, view, depth, output);
  return output;
}

function addViewProperties(
  context: Context,
  view: object,
  depth: number,
  output: List<string>,
): void {
  context.indentation += 2;
  for (let i = 0; i < VIEW_PROPERTIES.length; i++) {
    const key = VIEW_PROPERTIES[i] ?? "";
    append(output, `[${key}]: ${context.formatValue(context, ReflectGet(view, key), depth, true)}`);
  }
  context.indentation -= 2;
}

export function bufferEntries(context: Context, buffer: ArrayBuffer): List<string> {
  const output = createList<string>();
  let bytes: Uint8Array;
  try {
    bytes = new Bytes(buffer);
  } catch {
    append(output, context.stylize("(detached)", "special"));
    return output;
  }
  const length = TypedArrayPrototypeGetLength(bytes);
  const most = limitOf(context, length);
  let text = "";
  for (let i = 0; i < most; i++) {
    const byte = StringPrototypePadStart(NumberPrototypeToString(bytes[i] ?? 0, 16), 2, "0");
    text += i === 0 ? byte : ` ${byte}`;
  }
  if (length > most) text += ` ${remainingText(length - most, "byte")}`;
  append(output, `${context.stylize("[Uint8Contents]", "special")}: <${text}>`);
  return output;
}

/** The remaining entries of an iterator; pairs are in brackets. */
export function iteratorEntries(
  context: Context,
  items: List<unknown>,
  isEntries: boolean,
  depth: number,
): List<string> {
  const most = limitOf(context, items.length);
  const shown = createList<unknown>();
  for (let i = 0; i < most; i++) append(shown, items[i]);
  if (!isEntries) return addRemaining(valueTexts(context, shown, depth), items.length - most);
  const output = createList<string>();
  for (let i = 0; i < shown.length; i++) {
    const pair = shown[i] as List<unknown>;
    const texts = valueTexts(context, pair, depth);
    context.indentation += 2;
    append(
      output,
      layOut(context, texts, { base: "", open: "[", close: "]" }, ARRAY_EXTRA, depth),
    );
    context.indentation -= 2;
  }
  return addRemaining(output, items.length - most);
}

export function promiseEntries(context: Context, promise: object, depth: number): List<string> {
  const output = createList<string>();
  const settled = promiseState(promise);
  if (settled.state === "pending") {
    append(output, context.stylize("<pending>", "special"));
    return output;
  }
  context.indentation += 2;
  const text = context.formatValue(context, settled.result, depth);
  context.indentation -= 2;
  const mark = settled.state === "rejected" ? `${context.stylize("<rejected>", "special")} ` : "";
  append(output, `${mark}${text}`);
  return output;
}
