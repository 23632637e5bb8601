/**
 * The check of a display's JSON (docs/contract.md#displays). A guest writes it, so every process
 * that it passes through checks it again.
 *
 * @module
 */
import type { Display, JsonValue } from "../client/protocol/types.ts";
import { countContainers, hasMoreStructure, isNestedDeeper } from "./json_structure.ts";
import { DISPLAY_CONTAINERS } from "./limits.ts";

/** Commas, colons and opening brackets outside of strings: half a million numbers are parsed fast. */
const MAX_STRUCTURE = 512 * 1024;
/** Levels of arrays and objects, those of the display itself included. */
const MAX_DEPTH = 256;
/** Media types of one display. */
const MAX_TYPES = 32;
/** A type and a subtype as RFC 6838 restricts them, without parameters. */
const MEDIA_TYPE =
  /^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}\/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}$/;
const FIELDS: readonly string[] = ["data", "metadata", "main"];

type JsonObject = { readonly [key: string]: JsonValue };

/** Parses JSON; throws a SyntaxError. Keys such as `__proto__` are keys like any other. */
export type ParseJson = (text: string) => JsonValue;

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Whether JSON of any length has more values than the limit of displays. */
export function hasTooManyValues(json: Uint8Array): boolean {
  return hasMoreStructure(json, MAX_STRUCTURE) || containersOf(json) > DISPLAY_CONTAINERS;
}

/** Keys, arrays and objects of a display, or one more than the limit of all displays of a run. */
export function containersOf(json: Uint8Array): number {
  return countContainers(json, DISPLAY_CONTAINERS);
}

/** Reads a display from its JSON as UTF-8, whose length is bounded. Undefined when it is invalid. */
export function readDisplay(
  json: Uint8Array,
  parse: ParseJson = JSON.parse,
): Display | undefined {
  if (hasTooManyValues(json) || isNestedDeeper(json, MAX_DEPTH)) return undefined;
  const value = parsed(json, parse);
  return isDisplay(value) ? value : undefined;
}

function parsed(json: Uint8Array, parse: ParseJson): JsonValue | undefined {
  try {
    return parse(UTF8.decode(json));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Whether a value from JSON is a display. The values of its media types can be any. */
function isDisplay(value: unknown): value is Display {
  if (!isObject(value)) return false;
  if (!Object.keys(value).every((key) => FIELDS.includes(key))) return false;
  const { data } = value;
  if (!isObject(data) || !isBundle(data)) return false;
  if (Object.hasOwn(value, "metadata") && !isObject(value["metadata"])) return false;
  return !Object.hasOwn(value, "main") || value["main"] === true;
}

function isBundle(data: JsonObject): boolean {
  const types = Object.keys(data);
  return types.length > 0 && types.length <= MAX_TYPES &&
    types.every((type) => MEDIA_TYPE.test(type));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
