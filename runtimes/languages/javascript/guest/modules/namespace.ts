/**
 * Modules as `import` shows them: sealed namespaces with `default` and named exports.
 *
 * @module
 */
import {
  bare,
  ObjectCreate,
  ObjectKeys,
  ReflectDefineProperty,
  ReflectGet,
  SymbolToStringTag,
  uncurryThis,
} from "../primordials.ts";

const preventExtensions = Object.preventExtensions;
const sortNames = uncurryThis(Array.prototype.sort) as (names: string[]) => string[];
const IDENTIFIER_START = /^[A-Za-z_$]/;
const matches = uncurryThis(RegExp.prototype.exec) as (pattern: RegExp, text: string) => unknown;

function define(target: object, key: PropertyKey, value: unknown, enumerable: boolean): void {
  ReflectDefineProperty(
    target,
    key,
    bare({ value, writable: enumerable, enumerable, configurable: false }),
  );
}

/** The namespace of a module whose exports are `exported`. */
export function createNamespace(exported: unknown): object {
  const namespace = ObjectCreate(null);
  const isHolder = (typeof exported === "object" && exported !== null) ||
    typeof exported === "function";
  const names = isHolder ? sortNames(ObjectKeys(exported)) : [];
  define(namespace, "default", exported, true);
  for (let i = 0; i < names.length; i++) {
    const name = names[i] ?? "";
    if (!isHolder || name === "default" || matches(IDENTIFIER_START, name) === null) continue;
    define(namespace, name, ReflectGet(exported, name), true);
  }
  define(namespace, SymbolToStringTag, "Module", false);
  preventExtensions(namespace);
  return namespace;
}
