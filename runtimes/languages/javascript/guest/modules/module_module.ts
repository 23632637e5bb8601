/**
 * The module `module`.
 *
 * @module
 */
import type { Loader } from "./loader.ts";

/** The options of the module: the loader, and the modules it loads. */
export function createModuleModule(loader: Loader, modules: ReadonlyMap<string, unknown>): object {
  const builtinModules = [...modules.keys(), "module"].sort();
  const isBuiltin = (id: unknown): boolean =>
    typeof id === "string" && builtinModules.includes(id.replace(/^node:/, ""));
  const createRequire = (from: unknown) => {
    const path = String(from).replace(/^file:\/\//, "");
    return loader.require(path, Reflect.get(globalThis, "module"));
  };
  class Module {}
  return Object.assign(Module, { Module, builtinModules, isBuiltin, createRequire });
}
