/**
 * Where a value has integers that numbers of JavaScript cannot hold, and its schema says integer: a
 * program in JavaScript gets these as BigInt.
 *
 * @module
 */
import type { JsonSchema, JsonValue } from "../client/protocol/types.ts";
import { exactDigits, hasLongNumber, parseExactJson } from "../shared/exact_json.ts";
import type { IntegerPlaces } from "../shared/run_calls.ts";
import { type ValueType, valueType } from "../shared/tool_types/value_type.ts";

/** Parts of a value that are looked at; integers of a larger one are numbers. */
const MOST_PARTS = 100_000;

/** The places in a value, given as JSON. Undefined: there are none. */
export function integerPlaces(schema: JsonSchema, json: string): IntegerPlaces | undefined {
  if (!hasLongNumber(json)) return undefined;
  const search = { left: MOST_PARTS };
  const places = placesIn(search, valueType(schema), parseExactJson(json));
  return search.left < 0 ? undefined : places;
}

function placesIn(
  search: { left: number },
  type: ValueType,
  value: JsonValue | undefined,
): IntegerPlaces | undefined {
  if (--search.left < 0 || typeof value !== "object" || value === null) return undefined;
  if (type.kind === "union") {
    for (const option of type.options) {
      const places = placesIn(search, option, value);
      if (places !== undefined) return places;
    }
    return undefined;
  }
  const digits = exactDigits(value);
  if (digits !== undefined) return type.kind === "integer" ? digits : undefined;
  const typeOf = partType(type);
  if (typeOf === undefined) return undefined;
  const places: { [key: string]: IntegerPlaces } = Object.create(null);
  for (const [key, part] of Object.entries<JsonValue>(value)) {
    const inner = typeOf(key);
    const found = inner && placesIn(search, inner, part);
    if (found !== undefined) places[key] = found;
    if (search.left < 0) return undefined;
  }
  return Object.keys(places).length === 0 ? undefined : places;
}

/** The types of a value's parts, by key or index. */
function partType(type: ValueType): ((key: string) => ValueType | undefined) | undefined {
  switch (type.kind) {
    case "list":
      return () => type.item;
    case "tuple":
      return (index) => type.items[Number(index)];
    case "object": {
      const fields = new Map(type.fields.map((field) => [field.name, field.type]));
      return (key) => fields.get(key) ?? type.others;
    }
    default:
      return undefined;
  }
}
