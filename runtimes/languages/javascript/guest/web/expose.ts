/**
 * How this environment's classes and functions appear to guests: names, enumerability and tags as
 * Web IDL prescribes, independent of the bundler.
 *
 * @module
 */
import {
  bare,
  dataDescriptor,
  ObjectGetOwnPropertyDescriptor,
  ReflectDefineProperty,
  ReflectOwnKeys,
  SymbolFor,
  SymbolToStringTag,
} from "../primordials.ts";

/** Any class. */
export type Class = abstract new (...args: never[]) => object;

/** Key of the method that defines how a console shows an object. */
export const INSPECT: unique symbol = SymbolFor("nodejs.util.inspect.custom") as typeof INSPECT;

/** `util.inspect`, as a console passes it to {@link INSPECT} methods. */
export type Inspect = (value: unknown, options?: object) => string;

function readonlyDescriptor(value: unknown): PropertyDescriptor {
  return bare({ value, writable: false, enumerable: false, configurable: true });
}

/** Sets a function's name. */
export function setName(target: object, name: string): void {
  ReflectDefineProperty(target, "name", readonlyDescriptor(name));
}

/** Names the functions of a table after their keys; the first key of a function counts. */
export function nameFunctions<Table extends object>(table: Table): Table {
  const named = new Set<unknown>();
  for (const [key, value] of Object.entries(table)) {
    if (typeof value === "function" && !named.has(value)) setName(value, key);
    named.add(value);
  }
  return table;
}

/** Sets a class's name and its instances' tag. */
export function setTag(target: Class, name: string, tag = name): void {
  setName(target, name);
  ReflectDefineProperty(target.prototype, SymbolToStringTag, readonlyDescriptor(tag));
}

/** Makes all members with ordinary names enumerable. */
export function enumerateMembers(target: object): void {
  const keys = ReflectOwnKeys(target);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    if (typeof key !== "string" || key === "constructor") continue;
    const descriptor = ObjectGetOwnPropertyDescriptor(target, key);
    if (descriptor?.configurable === true) {
      ReflectDefineProperty(target, key, bare({ ...descriptor, enumerable: true }));
    }
  }
}

/** A class as Web IDL shows an interface: name, tag, enumerable members. */
export function exposeInterface(target: Class, name: string): void {
  setTag(target, name);
  enumerateMembers(target.prototype);
}

/** Constants of an interface, on the class. */
export function defineConstants(target: Class, constants: Readonly<Record<string, number>>): void {
  for (const name of Object.keys(constants)) {
    const descriptor = bare({
      value: constants[name],
      writable: false,
      enumerable: true,
      configurable: false,
    });
    ReflectDefineProperty(target, name, descriptor);
  }
}

/** Defines a global class: not enumerable. */
export function defineGlobalClass(name: string, value: unknown): void {
  ReflectDefineProperty(globalThis, name, dataDescriptor(value));
}

/** Defines a global function or object of the platform: enumerable. */
export function defineGlobal(name: string, value: unknown): void {
  if (typeof value === "function") setName(value, name);
  ReflectDefineProperty(globalThis, name, dataDescriptor(value, true));
}

/** The text that a console shows for an object: its class and some of its values. */
export function inspectAs(
  self: object,
  name: string,
  fields: object,
  [depth, options, inspect]: readonly unknown[],
): unknown {
  if (typeof depth === "number" && depth < 0) return self;
  if (typeof inspect !== "function") return self;
  const { depth: limit } = options as { depth?: number | null };
  const inner = typeof limit === "number" ? limit - 1 : null;
  return `${name} ${(inspect as Inspect)(fields, { ...(options as object), depth: inner })}`;
}
