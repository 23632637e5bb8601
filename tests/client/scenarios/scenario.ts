/**
 * The list of scenarios that the clients of all languages pass: `scenarios.json`. A step has a call
 * (`do`), its arguments, and the parts of its outcome (`expect`) or of its error (`fails`).
 *
 * @module
 */
import type { JsonValue } from "../../../client/mod.ts";
import scenarios from "./scenarios.json" with { type: "json" };

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A step of a scenario. */
export interface Step extends JsonObject {
  readonly do: string;
}

/** One scenario; its steps share a sandbox. */
export interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** All scenarios. */
export const SCENARIOS: readonly Scenario[] = scenarios.map(({ name, steps }) => ({
  name,
  steps: steps.map((step): Step => JSON.parse(JSON.stringify(step))),
}));

/** Bytes of a length, the same in all clients. */
export function bytesOf(length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, at) => (at * 7) % 251);
}

/** Whether a value is an object of JSON. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value with its references (`{"$": "name.field"}`) and repeated texts resolved. */
export function resolved(value: JsonValue, saved: ReadonlyMap<string, JsonObject>): JsonValue {
  if (!isObject(value)) return value;
  if (typeof value["$"] === "string") {
    const [name = "", field = ""] = value["$"].split(".");
    return saved.get(name)?.[field] ?? null;
  }
  const { repeat } = value;
  if (Array.isArray(repeat)) return String(repeat[0]).repeat(Number(repeat[1]));
  return value;
}

/** The first difference between the expected and the observed fields; undefined without one. */
export function difference(
  expected: JsonObject,
  observed: JsonObject,
  saved: ReadonlyMap<string, JsonObject>,
): string | undefined {
  for (const [name, raw] of Object.entries(expected)) {
    const wanted = resolved(raw, saved);
    const seen = observed[name] ?? null;
    if (name === "error" && isObject(wanted) && isObject(seen)) {
      const inner = difference(wanted, seen, saved);
      if (inner !== undefined) return `error.${inner}`;
    } else if (ordered(wanted) !== ordered(seen)) {
      return `${name}: ${JSON.stringify(seen)} and not ${JSON.stringify(wanted)}`;
    }
  }
  return undefined;
}

function ordered(value: JsonValue): string {
  return JSON.stringify(value, (_key, part) => {
    return isObject(part) ? Object.fromEntries(Object.entries(part).toSorted()) : part;
  });
}
