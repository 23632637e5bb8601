/**
 * Types of values as a language spells them in one line.
 *
 * @module
 */
import type { Field, ValueType } from "./value_type.ts";

/** A field whose type is spelled. */
export interface SpelledField extends Omit<Field, "type"> {
  readonly type: string;
}

/** How a language spells types. */
export interface Spelling {
  readonly any: string;
  readonly null: string;
  readonly boolean: string;
  readonly integer: string;
  readonly number: string;
  readonly string: string;
  literal(value: string | number | boolean): string;
  list(item: string): string;
  tuple(items: readonly string[]): string;
  /** `others`: the type of members without a field; absent if there are none. */
  object(fields: readonly SpelledField[], others: string | undefined): string;
  union(options: readonly string[]): string;
}

/** Spells a type. */
export function spell(type: ValueType, spelling: Spelling): string {
  const inner = (part: ValueType) => spell(part, spelling);
  switch (type.kind) {
    case "literal":
      return spelling.literal(type.value);
    case "list":
      return spelling.list(inner(type.item));
    case "tuple":
      return spelling.tuple(type.items.map(inner));
    case "object":
      return spelling.object(
        spellFields(type.fields, spelling),
        type.others === undefined ? undefined : inner(type.others),
      );
    case "union":
      return spelling.union([...new Set(type.options.map(inner))]);
    default:
      return spelling[type.kind];
  }
}

/** Spells the types of fields. */
export function spellFields(fields: readonly Field[], spelling: Spelling): SpelledField[] {
  return fields.map((field) => ({ ...field, type: spell(field.type, spelling) }));
}
