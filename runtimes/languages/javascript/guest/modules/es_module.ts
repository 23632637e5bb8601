/**
 * Modules in the guest's files. Their namespaces are live, as the language requires.
 *
 * @module
 */
import {
  bare,
  ObjectCreate,
  ObjectKeys,
  ownDescriptor,
  ReflectApply,
  ReflectDefineProperty,
  ReflectDeleteProperty,
  ReflectGet,
  ReflectHas,
  SymbolToStringTag,
  uncurryThis,
  WeakSetPrototypeAdd,
  WeakSetPrototypeHas,
} from "../primordials.ts";
import { MODULE_PARAMETERS } from "../../host/loader_names.ts";
import type { CompileFunction } from "./compile_function.ts";
import type { PreparedFile } from "./prepared_file.ts";

/** The function that a module's code calls: the loader for the file `path`. */
export interface ModuleScope {
  readonly path: string;
  readonly directory: string;
  load(id: unknown): object;
  loadLater(id: unknown): unknown;
  readonly compile: CompileFunction;
}

const { isExtensible, preventExtensions } = Object;
const sortNames = uncurryThis(Array.prototype.sort) as (names: string[]) => string[];
const namespaces = new WeakSet<object>();

/**
 * Whether an object is the namespace of one of the guest's modules, whose values come from getters.
 */
export function isLiveNamespace(value: object): boolean {
  return WeakSetPrototypeHas(namespaces, value);
}

/** The values of a namespace as an object that is printed in its place; undefined for other objects. */
export function valuesOfNamespace(value: object): object | undefined {
  if (!isLiveNamespace(value)) return undefined;
  const values = ObjectCreate(null);
  const names = sortNames(ObjectKeys(value));
  for (let i = 0; i < names.length; i++) {
    const name = names[i] ?? "";
    ReflectDefineProperty(
      values,
      name,
      bare({ value: valueOf(value, name), enumerable: true, configurable: true }),
    );
  }
  ReflectDefineProperty(values, SymbolToStringTag, bare({ value: "Module" }));
  return values;
}

/** An export; undefined while it has no value. */
function valueOf(namespace: object, name: string): unknown {
  try {
    return ReflectGet(namespace, name);
  } catch {
    return undefined; // its module has not come to the declaration
  }
}

/** Makes a new namespace; exports are added while the module runs. */
export function createLiveNamespace(): object {
  const namespace = ObjectCreate(null);
  WeakSetPrototypeAdd(namespaces, namespace);
  ReflectDefineProperty(namespace, SymbolToStringTag, bare({ value: "Module" }));
  return namespace;
}

function addExport(namespace: object, name: string, get: unknown, configurable = false): void {
  if (typeof get !== "function" || ownDescriptor(namespace, name) !== undefined) return;
  ReflectDefineProperty(
    namespace,
    name,
    bare({ get: () => get(), enumerable: true, configurable }),
  );
}

function addExports(namespace: object, getters: object, uncertain: ArrayLike<string>): void {
  const names = ObjectKeys(getters);
  for (let i = 0; i < names.length; i++) {
    const name = names[i] ?? "";
    let isUncertain = false;
    for (let j = 0; j < uncertain.length; j++) isUncertain ||= uncertain[j] === name;
    addExport(namespace, name, ReflectGet(getters, name), isUncertain);
  }
}

/**
 * Removes exports of types: `pairs` are names in another module, and those of the namespace. A module
 * that still runs may get them later.
 */
function withdraw(namespace: object, other: object, pairs: ArrayLike<ArrayLike<string>>): void {
  if (isExtensible(other)) return;
  for (let i = 0; i < pairs.length; i++) {
    const [there = "", here = ""] = [pairs[i]?.[0], pairs[i]?.[1]];
    if (!ReflectHas(other, there)) ReflectDeleteProperty(namespace, here);
  }
}

function addAll(namespace: object, other: object): void {
  const names = ObjectKeys(other);
  for (let i = 0; i < names.length; i++) {
    const name = names[i] ?? "";
    if (name !== "default") addExport(namespace, name, () => ReflectGet(other, name));
  }
}

/** The namespace of a bundled module, whose exports have a getter for each name. */
export function namespaceOfBundle(exported: unknown): unknown {
  if (typeof exported !== "object" || exported === null) return exported;
  const namespace = createLiveNamespace();
  const names = ObjectKeys(exported);
  for (let i = 0; i < names.length; i++) {
    const name = names[i] ?? "";
    addExport(namespace, name, () => ReflectGet(exported, name));
  }
  // what other bundles, and transpiled programs, recognise a module by
  ReflectDefineProperty(namespace, "__esModule", bare({ value: true }));
  preventExtensions(namespace);
  return namespace;
}

/** Ends the exports of a module. */
export function sealNamespace(namespace: object): void {
  preventExtensions(namespace);
}

/**
 * Runs a module's code. Returns a promise of its end when it awaits; then the caller seals the
 * namespace.
 */
export function runModule(file: PreparedFile, namespace: object, scope: ModuleScope): unknown {
  const { path, directory } = scope;
  const run = scope.compile({
    name: `file://${path}`,
    parameters: MODULE_PARAMETERS,
    body: file.code,
    isAsync: file.awaits,
  });
  const meta = bare({ dirname: directory, filename: path, url: `file://${path}` });
  const result = ReflectApply(run, undefined, [
    (id: unknown) => scope.load(id),
    (id: unknown) => scope.loadLater(id),
    meta,
    (getters: object, uncertain: ArrayLike<string>) => addExports(namespace, getters, uncertain),
    (other: object) => addAll(namespace, other),
    (other: object, pairs: ArrayLike<ArrayLike<string>>) => withdraw(namespace, other, pairs),
  ]);
  if (!file.awaits) sealNamespace(namespace);
  return file.awaits ? result : undefined;
}
