/**
 * `JSON.stringify` for the driver, independent of what a guest did to the prototypes.
 *
 * @module
 */
import {
  append,
  ArrayPrototype,
  createList,
  JSONStringify,
  type List,
  ObjectPrototype,
  ownDescriptor,
  ReflectDefineProperty,
  ReflectDeleteProperty,
  ReflectOwnKeys,
  RegExpPrototypeExec,
} from "./primordials.ts";

const INDEX = /^[0-9]+$/;

interface Taken {
  readonly holder: object;
  readonly key: PropertyKey;
  readonly descriptor: PropertyDescriptor;
}

/**
 * Removes properties with indexes from a prototype, because the engine's own lists would see them.
 * Indexes come first among the keys.
 */
function takeIndexes(holder: object, taken: List<Taken>): void {
  const keys = ReflectOwnKeys(holder);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] ?? "";
    if (typeof key !== "string" || RegExpPrototypeExec(INDEX, key) === null) return;
    const descriptor = ownDescriptor(holder, key);
    if (descriptor === undefined || !ReflectDeleteProperty(holder, key)) continue;
    append(taken, { holder, key, descriptor });
  }
}

/** The result of `JSON.stringify`. Throws what the value's own code and the replacer throw. */
export function jsonText(
  value: unknown,
  replace?: (key: string, value: unknown) => unknown,
): string | undefined {
  const taken = createList<Taken>();
  takeIndexes(ArrayPrototype, taken);
  takeIndexes(ObjectPrototype, taken);
  try {
    return JSONStringify(value, replace);
  } finally {
    for (let i = 0; i < taken.length; i++) {
      const entry = taken[i];
      if (entry !== undefined) ReflectDefineProperty(entry.holder, entry.key, entry.descriptor);
    }
  }
}
