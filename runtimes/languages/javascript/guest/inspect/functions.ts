/**
 * Functions and classes as the console names them.
 *
 * @module
 */
import {
  FunctionPrototypeSymbolHasInstance,
  FunctionPrototypeToString,
  ObjectGetPrototypeOf,
  ObjectPrototypeHasOwnProperty,
  ownDescriptor,
  ReflectGet,
  StringPrototypeStartsWith,
} from "../primordials.ts";

const AsyncFunction: object = (async () => {}).constructor;
const GeneratorFunction: object = (function* () {}).constructor;
const AsyncGeneratorFunction: object = (async function* () {}).constructor;

export function isAsyncFunction(value: unknown): boolean {
  return FunctionPrototypeSymbolHasInstance(AsyncFunction, value) ||
    FunctionPrototypeSymbolHasInstance(AsyncGeneratorFunction, value);
}

export function isGeneratorFunction(value: unknown): boolean {
  return FunctionPrototypeSymbolHasInstance(GeneratorFunction, value) ||
    FunctionPrototypeSymbolHasInstance(AsyncGeneratorFunction, value);
}

/**
 * Whether a function is a class of the guest; such a class has a `prototype` that cannot be
 * replaced.
 */
function isClass(value: object): boolean {
  return ownDescriptor(value, "prototype")?.writable === false &&
    StringPrototypeStartsWith(FunctionPrototypeToString(value), "class");
}

function classText(value: object, constructor: string | null, tag: string): string {
  const own = ObjectPrototypeHasOwnProperty(value, "name") ? ReflectGet(value, "name") : "";
  let text = `class ${own ? String(own) : "(anonymous)"}`;
  if (constructor !== "Function" && constructor !== null) text += ` [${constructor}]`;
  if (tag !== "" && constructor !== tag) text += ` [${tag}]`;
  if (constructor === null) return `[${text} extends [null prototype]]`;
  const parent = ObjectGetPrototypeOf(value);
  const parentName = parent === null ? "" : ReflectGet(parent, "name");
  return parentName ? `[${text} extends ${String(parentName)}]` : `[${text}]`;
}

/** `[Function: f]`, `[class A extends B]` and similar. */
export function functionText(value: object, constructor: string | null, tag: string): string {
  if (isClass(value)) return classText(value, constructor, tag);
  let type = "Function";
  if (isGeneratorFunction(value)) type = `Generator${type}`;
  if (isAsyncFunction(value)) type = `Async${type}`;
  let text = `[${type}`;
  if (constructor === null) text += " (null prototype)";
  const name: unknown = ReflectGet(value, "name");
  text += name === "" ? " (anonymous)]" : `: ${String(name)}]`;
  if (constructor !== type && constructor !== null) text += ` ${constructor}`;
  return tag !== "" && constructor !== tag ? `${text} [${tag}]` : text;
}
