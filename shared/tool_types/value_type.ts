/**
 * The type of a JSON value, read from a JSON Schema. It is advice for whoever writes a program: what it
 * cannot express is any value, and schemas are never refused.
 *
 * @module
 */
import type { JsonValue } from "../../client/protocol/types.ts";

/** A JSON Schema, unchecked. */
export type Schema = { readonly [key: string]: JsonValue };

/** A member of an object. */
export interface Field {
  readonly name: string;
  readonly type: ValueType;
  readonly isRequired: boolean;
  readonly description?: string;
}

/** The type of a JSON value. */
export type ValueType =
  | { readonly kind: "any" | "null" | "boolean" | "integer" | "number" | "string" }
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | { readonly kind: "list"; readonly item: ValueType }
  | { readonly kind: "tuple"; readonly items: readonly ValueType[] }
  /** `others`: the type of members without a field; absent if there are none. */
  | { readonly kind: "object"; readonly fields: readonly Field[]; readonly others?: ValueType }
  | { readonly kind: "union"; readonly options: readonly ValueType[] };

/** Any value. */
export const ANY: ValueType = { kind: "any" };

/** Levels of a type; what is deeper is any value. */
const MAX_LEVELS = 8;
/** Parts of a type: references make a small schema large. */
const MAX_PARTS = 500;
/** Alternatives of a type. */
const MAX_OPTIONS = 32;
/** A member with such a name would break the line that it stands in. */
const CONTROL = /[\p{Cc}\p{Cf}\u2028\u2029]/u;
const SIMPLE = ["null", "boolean", "integer", "number", "string"] as const;

/** The type that a schema describes. Takes time in proportion to its size. */
export function valueType(schema: JsonValue | undefined): ValueType {
  return new Reader(schema).read(schema, 0);
}

function isObject(value: JsonValue | undefined): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

class Reader {
  readonly #root: JsonValue | undefined;
  /** References that are being read. */
  readonly #open = new Set<string>();
  #parts = 0;

  constructor(root: JsonValue | undefined) {
    this.#root = root;
  }

  read(schema: JsonValue | undefined, level: number): ValueType {
    if (!isObject(schema) || level > MAX_LEVELS || ++this.#parts > MAX_PARTS) return ANY;
    if (typeof schema.$ref === "string") return this.#reference(schema.$ref, level);
    if ("const" in schema) return literal(schema.const);
    if (isList(schema.enum)) return union(schema.enum.slice(0, MAX_OPTIONS).map(literal));
    const options = schema.anyOf ?? schema.oneOf;
    if (isList(options)) {
      return union(options.slice(0, MAX_OPTIONS).map((option) => this.read(option, level + 1)));
    }
    if (isList(schema.allOf)) return this.#all(schema, schema.allOf, level);
    if (isList(schema.type)) {
      return union(
        schema.type.slice(0, MAX_OPTIONS).map((type) => this.#typed(type, schema, level)),
      );
    }
    return this.#typed(schema.type ?? impliedType(schema), schema, level);
  }

  #typed(type: JsonValue | undefined, schema: Schema, level: number): ValueType {
    if (type === "array") return this.#list(schema, level);
    if (type === "object") return this.#object(schema, level);
    const kind = SIMPLE.find((simple) => simple === type);
    const plain: ValueType = kind === undefined ? ANY : { kind };
    return schema.nullable === true ? union([plain, { kind: "null" }]) : plain;
  }

  #list({ prefixItems, items }: Schema, level: number): ValueType {
    if (isList(prefixItems) && prefixItems.length <= MAX_OPTIONS) {
      return { kind: "tuple", items: prefixItems.map((item) => this.read(item, level + 1)) };
    }
    return { kind: "list", item: this.read(items, level + 1) };
  }

  #object(schema: Schema, level: number): ValueType {
    const { properties, required, additionalProperties: others } = schema;
    const names = new Set(isList(required) ? required : []);
    const members = Object.entries(isObject(properties) ? properties : {})
      .filter(([name]) => !CONTROL.test(name));
    const fields = members.map(([name, field]) => ({
      name,
      type: this.read(field, level + 1),
      isRequired: names.has(name),
      ...described(field),
    }));
    const isOpen = isObject(others) || (others !== false && fields.length === 0);
    return { kind: "object", fields, ...(isOpen ? { others: this.read(others, level + 1) } : {}) };
  }

  /** The fields of all parts together, or the first part that says something. */
  #all(schema: Schema, parts: readonly JsonValue[], level: number): ValueType {
    const { allOf: _, ...own } = schema;
    const types = [own, ...parts.slice(0, MAX_OPTIONS)]
      .map((part) => this.read(part, level + 1)).filter(({ kind }) => kind !== "any");
    const objects = types.filter((type) => type.kind === "object");
    if (objects.length < 2 || objects.length < types.length) return types[0] ?? ANY;
    const fields = new Map(
      objects.flatMap((type) => type.fields.map((field) => [field.name, field])),
    );
    return { kind: "object", fields: [...fields.values()] };
  }

  /** A type that contains itself is any value there. */
  #reference(reference: string, level: number): ValueType {
    if (this.#open.has(reference)) return ANY;
    this.#open.add(reference);
    const type = this.read(this.#referred(reference), level + 1);
    this.#open.delete(reference);
    return type;
  }

  /** The part of the schema that a reference such as `#/$defs/Customer` names. */
  #referred(reference: string): JsonValue | undefined {
    if (!reference.startsWith("#")) return undefined;
    const segments = reference.slice(1).split("/").slice(1, MAX_OPTIONS);
    return segments.reduce<JsonValue | undefined>((place, segment) => {
      const name = segment.replaceAll("~1", "/").replaceAll("~0", "~");
      return isObject(place) && Object.hasOwn(place, name) ? place[name] : undefined;
    }, this.#root);
  }
}

/** Many schemas leave the type out. */
function impliedType({ properties, additionalProperties, items, prefixItems }: Schema) {
  if (properties !== undefined || additionalProperties !== undefined) return "object";
  return items === undefined && prefixItems === undefined ? undefined : "array";
}

function described(schema: JsonValue): Pick<Field, "description"> {
  const text = isObject(schema) ? schema.description : undefined;
  return typeof text === "string" ? { description: text } : {};
}

function literal(value: JsonValue | undefined): ValueType {
  if (value === null) return { kind: "null" };
  return typeof value === "object" || value === undefined ? ANY : { kind: "literal", value };
}

/** A union without doubles; of one option, that option. */
function union(types: readonly ValueType[]): ValueType {
  const flat = types.flatMap((type) => type.kind === "union" ? type.options : [type]);
  const options = [...new Map(flat.map((type) => [JSON.stringify(type), type])).values()];
  if (options.some(({ kind }) => kind === "any")) return ANY;
  const [first = ANY] = options;
  return options.length < 2 ? first : { kind: "union", options };
}
