/**
 * Shapes of answers, for tools without an `outputSchema`: types and names of members, and no values
 * (docs/tools.md#observed-shapes). They are advice, and live in the memory of the process.
 *
 * Names of members may be data of a customer, so a name is shown once two answers have had it. An object
 * with many different names is a map: only the type of its values is shown.
 *
 * @module
 */
import type { JsonSchema, JsonValue } from "../client/protocol/types.ts";

/** Levels of a shape. Deeper values can be anything. */
const LEVELS = 4;
/** Names of an object; with more it is a map. */
const NAMES = 32;
/** Characters of a name; an object with a longer one is a map. */
const NAME_LENGTH = 64;
/** Places in the shape of one tool. */
const PLACES = 256;
/** Values of one answer that are looked at. */
const VALUES = 2_000;
/** Elements of one list that are looked at. */
const ELEMENTS = 50;
/** Answers of more characters are not looked at: they would have to be parsed again. */
const ANSWER_LENGTH = 256 * 1024;
/** Answers after which a name is shown. */
const SHOWN_AFTER = 2;
/** Tools of a tenant, and tenants. Of more, those that were observed last. */
const TOOLS = 256;
const TENANTS = 256;

/** The kinds of values that were at one place. */
interface Place {
  /** JSON Schema's names of the types but for lists and objects. */
  readonly simple: Set<string>;
  list?: Place | undefined;
  object?: ObjectPlace;
}

interface ObjectPlace {
  /** Objects that were here. */
  count: number;
  /** By name; undefined: it is a map. */
  members: Map<string, Member> | undefined;
  /** Any value of a map. */
  value?: Place;
}

interface Member {
  readonly place: Place;
  /** Objects that had it. */
  count: number;
  /** Answers that had it, and the last of them. */
  answers: number;
  last: number;
}

/** The observed answers of one tool. */
class ToolShape {
  readonly #root: Place = newPlace();
  #places = 1;
  #answers = 0;
  #values = 0;
  #schema: JsonSchema | undefined;

  get schema(): JsonSchema {
    return this.#schema ??= schemaOf(this.#root);
  }

  add(value: JsonValue): void {
    this.#answers++;
    this.#values = 0;
    this.#schema = undefined;
    this.#see(this.#root, value, 1);
  }

  #see(place: Place, value: JsonValue, level: number): void {
    if (++this.#values > VALUES) return;
    if (typeof value !== "object" || value === null) {
      place.simple.add(simpleType(value));
    } else if (level > LEVELS) {
      place.simple.add("any");
    } else if (isList(value)) {
      const items = place.list ??= this.#newPlace();
      if (items === undefined) return void place.simple.add("any");
      for (const item of value.slice(0, ELEMENTS)) this.#see(items, item, level + 1);
    } else {
      this.#seeObject(place.object ??= { count: 0, members: new Map() }, value, level);
    }
  }

  #seeObject(
    object: ObjectPlace,
    value: { readonly [name: string]: JsonValue },
    level: number,
  ): void {
    const names = Object.keys(value);
    object.count++;
    if (names.length > NAMES) this.#makeMap(object);
    for (const name of names.slice(0, ELEMENTS)) {
      const item = value[name] ?? null;
      const member = this.#member(object, name);
      if (member === undefined) {
        this.#see(object.value ??= this.#newPlace() ?? newPlace(), item, level + 1);
        continue;
      }
      member.count++;
      if (member.last !== this.#answers) member.answers++;
      member.last = this.#answers;
      this.#see(member.place, item, level + 1);
    }
  }

  /** The member of a name. Undefined: the object is a map, perhaps from now on. */
  #member(object: ObjectPlace, name: string): Member | undefined {
    const { members } = object;
    const known = members?.get(name);
    if (members === undefined || known !== undefined) return known;
    const hasRoom = members.size < NAMES && name.length <= NAME_LENGTH;
    const place = hasRoom ? this.#newPlace() : undefined;
    if (place === undefined) return this.#makeMap(object);
    const member = { place, count: 0, answers: 0, last: 0 };
    members.set(name, member);
    return member;
  }

  #makeMap(object: ObjectPlace): undefined {
    const before = placesBelow(object);
    makeMap(object);
    this.#places += placesBelow(object) - before;
  }

  /** Undefined when the shape has too many. */
  #newPlace(): Place | undefined {
    if (this.#places >= PLACES) return undefined;
    this.#places++;
    return newPlace();
  }
}

/** The shapes of all tenants. */
export class ObservedShapes {
  /** By tenant, then by tool; the ones that were observed last are the last. */
  readonly #tenants = new Map<string, Map<string, ToolShape>>();

  /** Looks at the answer of a tool, given as JSON. `revision`: of the target of the tool. */
  add(tenant: string, tool: ObservedTool, json: string): void {
    if (json.length > ANSWER_LENGTH) return;
    const shapes = this.#tenants.get(tenant) ?? new Map<string, ToolShape>();
    const key = keyOf(tool);
    const shape = shapes.get(key) ?? new ToolShape();
    shape.add(JSON.parse(json));
    putLast(shapes, key, shape, TOOLS);
    putLast(this.#tenants, tenant, shapes, TENANTS);
  }

  /** The shapes of a tenant's tools as JSON Schemas. Undefined: none of its tools was observed. */
  of(tenant: string): ((tool: ObservedTool) => JsonSchema | undefined) | undefined {
    const shapes = this.#tenants.get(tenant);
    return shapes && ((tool) => shapes.get(keyOf(tool))?.schema);
  }
}

/** A tool with one target. */
export interface ObservedTool {
  readonly name: string;
  readonly revision: string;
}

function keyOf({ name, revision }: ObservedTool): string {
  return `${name} ${revision}`;
}

function putLast<V>(map: Map<string, V>, key: string, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [first] = map.keys();
  if (map.size > most && first !== undefined) map.delete(first);
}

function newPlace(): Place {
  return { simple: new Set() };
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function simpleType(value: string | number | boolean | null): string {
  if (value === null) return "null";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

/** A place and those below it. */
function placesOf({ list, object }: Place): number {
  const items = list === undefined ? 0 : placesOf(list);
  return 1 + items + (object === undefined ? 0 : placesBelow(object));
}

function placesBelow({ members, value }: ObjectPlace): number {
  const places = [...members?.values() ?? []].map(({ place }) => place);
  return [...places, ...value === undefined ? [] : [value]]
    .reduce((sum, place) => sum + placesOf(place), 0);
}

/** The values of all members have one type from now on. */
function makeMap(object: ObjectPlace): void {
  const { members } = object;
  object.members = undefined;
  for (const { place } of members?.values() ?? []) merge(object.value ??= newPlace(), place);
}

/** Adds the kinds of values of another place. */
function merge(place: Place, { simple, list, object }: Place): void {
  for (const type of simple) place.simple.add(type);
  if (list !== undefined) merge(place.list ??= newPlace(), list);
  if (object !== undefined) mergeObject(place.object ??= { count: 0, members: new Map() }, object);
}

function mergeObject(object: ObjectPlace, { count, members, value }: ObjectPlace): void {
  object.count += count;
  if (members === undefined) makeMap(object);
  for (const [name, member] of members ?? []) {
    const known = object.members?.get(name);
    if (object.members === undefined) {
      merge(object.value ??= newPlace(), member.place);
    } else if (known !== undefined) {
      merge(known.place, member.place);
      known.count += member.count;
      known.answers = Math.max(known.answers, member.answers);
      known.last = Math.max(known.last, member.last);
    } else {
      object.members.set(name, member);
      if (object.members.size > NAMES) makeMap(object);
    }
  }
  if (value !== undefined) merge(object.value ??= newPlace(), value);
}

/** The shape as a JSON Schema. An empty one: it can be any value. */
function schemaOf({ simple, list, object }: Place): JsonSchema {
  if (simple.has("any")) return {};
  // every integer is a number
  const types = [...simple].filter((type) => type !== "integer" || !simple.has("number")).sort();
  const options = [
    ...types.map((type) => ({ type })),
    ...(list === undefined ? [] : [{ type: "array", items: schemaOf(list) }]),
    ...(object === undefined ? [] : [objectSchema(object)]),
  ];
  const [only, ...others] = options;
  return others.length === 0 ? only ?? {} : { anyOf: options };
}

function objectSchema({ count, members, value }: ObjectPlace): JsonSchema {
  if (members === undefined) {
    return { type: "object", additionalProperties: value === undefined ? {} : schemaOf(value) };
  }
  const shown = [...members].filter(([, { answers }]) => answers >= SHOWN_AFTER);
  if (shown.length === 0) return { type: "object" };
  return {
    type: "object",
    properties: Object.fromEntries(shown.map(([name, { place }]) => [name, schemaOf(place)])),
    required: shown.filter(([, member]) => member.count === count).map(([name]) => name),
  };
}
