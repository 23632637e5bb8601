/**
 * JSON Schema for arguments and results of tools, by interpretation with a bounded number of steps.
 *
 * Schemas are text of callers, and values are text of programs. So a check ends after
 * {@link STEPS} steps whatever both are, and `pattern` and `format`, whose work nothing bounds, are
 * advice for readers: they are not checked. References lead into the same schema only.
 *
 * Libraries compile schemas to code by `eval`, or interpret them without a bound.
 *
 * @module
 */
import { quoted } from "../client/protocol/text.ts";
import type { JsonSchema, JsonValue } from "../client/protocol/types.ts";
import { exactDigits } from "./exact_json.ts";

/** Steps of one check: a step looks at one value by one schema. */
const STEPS = 100_000;
/** Depth of values and of chains of references. */
const DEPTH = 200;
/** Characters of a fault's place. */
const PLACE_LENGTH = 200;

const TYPES = ["null", "boolean", "object", "array", "number", "string", "integer"] as const;

/** A schema: an object, or true or false for all values or none. */
type Schema = JsonSchema | boolean;

/** The first thing that is wrong with a schema; undefined: it can be used. */
export function schemaFault(schema: JsonSchema): string | undefined {
  return faultIn(schema, schema, "", 0);
}

/** Where and how a value breaks a schema; undefined: it does not. */
export function valueFault(schema: JsonSchema, value: JsonValue): string | undefined {
  const check: Check = { root: schema, left: STEPS };
  try {
    return broken(check, schema, value, "", 0);
  } catch (thrown) {
    if (thrown instanceof TooMuchWork) return "takes too much work to check";
    throw thrown;
  }
}

class TooMuchWork extends Error {
  override readonly name = "TooMuchWork";
}

interface Check {
  readonly root: JsonSchema;
  left: number;
}

/** Keywords whose value is a schema, a list of schemas, or an object of schemas. */
const ONE = [
  "additionalProperties",
  "contains",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
];
const LIST = ["allOf", "anyOf", "oneOf", "prefixItems"];
const MAP = ["$defs", "definitions", "dependentSchemas", "properties"];
const NUMBERS = ["exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf"];
const COUNTS = [
  "maxContains",
  "maxItems",
  "maxLength",
  "maxProperties",
  "minContains",
  "minItems",
  "minLength",
  "minProperties",
];

function faultIn(
  root: JsonSchema,
  schema: JsonValue,
  place: string,
  depth: number,
): string | undefined {
  const at = place === "" ? "" : ` at ${place.slice(0, PLACE_LENGTH)}`;
  if (typeof schema === "boolean") return undefined;
  if (!isObject(schema)) return `is no JSON Schema${at}`;
  if (depth > DEPTH) return "is nested too deeply";
  for (const [keyword, part] of Object.entries(schema)) {
    const inner = `${place}/${keyword}`;
    if (keyword === "type" && !isType(part)) return `has an unknown type${at}`;
    if (keyword === "required" && !isTexts(part)) return `has a bad required${at}`;
    if (keyword === "enum" && !Array.isArray(part)) return `has a bad enum${at}`;
    if (keyword === "$ref" && resolved(root, part) === undefined) {
      return `has a reference${at} to nothing in it: ${quoted(String(part))}`;
    }
    if (NUMBERS.includes(keyword) && typeof part !== "number") return `has a bad ${keyword}${at}`;
    if (COUNTS.includes(keyword) && !(Number.isInteger(part) && Number(part) >= 0)) {
      return `has a bad ${keyword}${at}`;
    }
    const parts: readonly JsonValue[] | undefined = ONE.includes(keyword)
      ? [part]
      : LIST.includes(keyword)
      ? Array.isArray(part) ? part : undefined
      : MAP.includes(keyword)
      ? isObject(part) ? Object.values(part) : undefined
      : [];
    if (parts === undefined) return `has a bad ${keyword}${at}`;
    for (const each of parts) {
      const fault = faultIn(root, each, inner, depth + 1);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

function isType(part: JsonValue): boolean {
  const names: readonly string[] = TYPES;
  const isName = (name: JsonValue) => typeof name === "string" && names.includes(name);
  return Array.isArray(part) ? part.length > 0 && part.every(isName) : isName(part);
}

function isTexts(part: JsonValue): boolean {
  return Array.isArray(part) && part.every((name) => typeof name === "string");
}

/** A schema that a reference names by its JSON pointer. */
function resolved(root: JsonSchema, reference: JsonValue): Schema | undefined {
  if (typeof reference !== "string" || !reference.startsWith("#")) return undefined;
  let at: JsonValue | undefined = root;
  for (const step of reference === "#" ? [] : reference.slice(2).split("/")) {
    const name = decoded(step);
    if (Array.isArray(at)) at = at[Number(name)];
    else at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return typeof at === "boolean" || isObject(at) ? at : undefined;
}

function decoded(step: string): string {
  const text = step.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // it names nothing, unless a property has that very name
  }
}

/** Checks one value by one schema. `place` names the value. */
function broken(
  check: Check,
  schema: JsonValue | undefined,
  value: JsonValue,
  place: string,
  depth: number,
): string | undefined {
  if (--check.left < 0 || depth > DEPTH) throw new TooMuchWork();
  if (schema === undefined || schema === true) return undefined;
  if (schema === false) return `${name(place)} is not allowed`;
  if (!isObject(schema)) return undefined;
  const test = (inner: JsonValue | undefined, part: JsonValue = value, at: string = place) =>
    broken(check, inner, part, at, depth + 1);
  return ofReference(check, schema, test) ?? ofValue(check, schema, value, place) ??
    ofCombination(schema, test, place) ??
    (Array.isArray(value) ? ofArray(check, schema, value, place, test) : undefined) ??
    (isObject(value) && toNumber(value) === undefined
      ? ofObject(schema, value, place, test)
      : undefined);
}

type Test = (
  schema: JsonValue | undefined,
  value?: JsonValue,
  place?: string,
) => string | undefined;

function ofReference({ root }: Check, schema: JsonSchema, test: Test): string | undefined {
  const { $ref } = schema;
  return $ref === undefined ? undefined : test(resolved(root, $ref));
}

function ofValue(
  check: Check,
  schema: JsonSchema,
  value: JsonValue,
  place: string,
): string | undefined {
  const { type, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (type !== undefined) {
    const types = Array.isArray(type) ? type : [type];
    if (!types.some((one) => hasType(value, one))) {
      return `${name(place)} must be ${types.join(" or ")}`;
    }
  }
  const { enum: values } = schema;
  if (Array.isArray(values) && !values.some((one) => isSame(check, one, value))) {
    return `${name(place)} must be one of the values of its enum`;
  }
  if (schema["const"] !== undefined && !isSame(check, schema["const"], value)) {
    return `${name(place)} must be the value of its const`;
  }
  const number = toNumber(value);
  if (number !== undefined) {
    if (typeof minimum === "number" && number < minimum) {
      return `${name(place)} must be at least ${minimum}`;
    }
    if (typeof maximum === "number" && number > maximum) {
      return `${name(place)} must be at most ${maximum}`;
    }
    if (typeof exclusiveMinimum === "number" && number <= exclusiveMinimum) {
      return `${name(place)} must be more than ${exclusiveMinimum}`;
    }
    if (typeof exclusiveMaximum === "number" && number >= exclusiveMaximum) {
      return `${name(place)} must be less than ${exclusiveMaximum}`;
    }
    if (typeof multipleOf === "number" && !Number.isInteger(number / multipleOf)) {
      return `${name(place)} must be a multiple of ${multipleOf}`;
    }
  }
  if (typeof value === "string") {
    const { minLength, maxLength } = schema;
    const length = typeof minLength === "number" || typeof maxLength === "number"
      ? [...value].length
      : 0;
    return bounds(length, minLength, maxLength, `${name(place)} must have`, "characters");
  }
  return undefined;
}

function ofCombination(schema: JsonSchema, test: Test, place: string): string | undefined {
  const { allOf, anyOf, oneOf, not, if: condition } = schema;
  for (const each of list(allOf)) {
    const fault = test(each);
    if (fault !== undefined) return fault;
  }
  if (Array.isArray(anyOf) && !anyOf.some((each) => test(each) === undefined)) {
    return `${name(place)} fits none of its schemas`;
  }
  if (Array.isArray(oneOf) && oneOf.filter((each) => test(each) === undefined).length !== 1) {
    return `${name(place)} must fit exactly one of its schemas`;
  }
  if (not !== undefined && test(not) === undefined) return `${name(place)} is not allowed`;
  if (condition === undefined) return undefined;
  return test(test(condition) === undefined ? schema["then"] : schema["else"]);
}

function ofArray(
  check: Check,
  schema: JsonSchema,
  value: readonly JsonValue[],
  place: string,
  test: Test,
): string | undefined {
  const { minItems, maxItems, items, contains, minContains = 1, maxContains } = schema;
  const length = bounds(value.length, minItems, maxItems, `${name(place)} must have`, "items");
  if (length !== undefined) return length;
  const first = list(schema["prefixItems"]);
  for (const [index, item] of value.entries()) {
    const fault = test(index < first.length ? first[index] : items, item, `${place}/${index}`);
    if (fault !== undefined) return fault;
  }
  if (contains !== undefined) {
    const fitting = value.filter((item) => test(contains, item) === undefined).length;
    const fault = bounds(
      fitting,
      minContains,
      maxContains,
      `${name(place)} must contain`,
      "such items",
    );
    if (fault !== undefined) return fault;
  }
  if (schema["uniqueItems"] !== true) return undefined;
  const texts = new Set(value.map((item) => canonicalJson(item, check)));
  return texts.size === value.length ? undefined : `${name(place)} has an item twice`;
}

function ofObject(
  schema: JsonSchema,
  value: { readonly [key: string]: JsonValue },
  place: string,
  test: Test,
): string | undefined {
  const { required, properties, additionalProperties, propertyNames } = schema;
  const known = isObject(properties) ? properties : {};
  const names = Object.keys(value);
  for (const key of list(required)) {
    if (typeof key === "string" && !Object.hasOwn(value, key)) {
      return `${name(place)} lacks ${quoted(key)}`;
    }
  }
  const { minProperties, maxProperties, dependentRequired, dependentSchemas } = schema;
  const size = bounds(
    names.length,
    minProperties,
    maxProperties,
    `${name(place)} must have`,
    "properties",
  );
  if (size !== undefined) return size;
  for (const key of names) {
    const at = `${place}/${key.slice(0, PLACE_LENGTH)}`;
    const fault = (propertyNames === undefined ? undefined : test(propertyNames, key, at)) ??
      test(Object.hasOwn(known, key) ? known[key] : additionalProperties, value[key], at);
    if (fault !== undefined) return fault;
  }
  for (
    const [key, others] of Object.entries(isObject(dependentRequired) ? dependentRequired : {})
  ) {
    if (!Object.hasOwn(value, key)) continue;
    const missing = list(others).find((other) => !Object.hasOwn(value, String(other)));
    if (missing !== undefined) return `${name(place)} lacks ${quoted(String(missing))}`;
  }
  for (const [key, inner] of Object.entries(isObject(dependentSchemas) ? dependentSchemas : {})) {
    const fault = Object.hasOwn(value, key) ? test(inner) : undefined;
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function bounds(
  count: number,
  least: JsonValue | undefined,
  most: JsonValue | undefined,
  subject: string,
  unit: string,
): string | undefined {
  if (typeof least === "number" && count < least) return `${subject} at least ${least} ${unit}`;
  if (typeof most === "number" && count > most) return `${subject} at most ${most} ${unit}`;
  return undefined;
}

function hasType(value: JsonValue, type: JsonValue): boolean {
  const number = toNumber(value);
  if (type === "number") return number !== undefined;
  if (type === "integer") return number !== undefined && Number.isInteger(number);
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return number === undefined && isObject(value);
  if (type === "string") return typeof value === "string";
  return typeof value === "boolean";
}

/** A number, also one whose digits `parseExactJson` keeps. */
function toNumber(value: JsonValue): number | undefined {
  if (typeof value === "number") return value;
  const digits = typeof value === "object" && value !== null ? exactDigits(value) : undefined;
  return digits === undefined ? undefined : Number(digits);
}

function isSame(check: Check, one: JsonValue, other: JsonValue): boolean {
  if (typeof one !== "object" || one === null) {
    return one === other || (typeof one === "number" && one === toNumber(other));
  }
  return canonicalJson(one, check) === canonicalJson(other, check);
}

/** JSON with the keys of objects in order, so that equal values have equal texts. */
export function canonicalJson(value: JsonValue, check?: { left: number }): string {
  if (check !== undefined && --check.left < 0) throw new TooMuchWork();
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, check)).join()}]`;
  if (!isObject(value) || toNumber(value) !== undefined) return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => a < b ? -1 : 1);
  return `{${
    entries.map(([key, part]) => `${JSON.stringify(key)}:${canonicalJson(part, check)}`).join()
  }}`;
}

function isObject(value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function name(place: string): string {
  return place === "" ? "the value" : place.slice(0, PLACE_LENGTH);
}
