/**
 * Names under which prepared sources call the guest's loader: the host writes them into sources,
 * the guest's environment defines them.
 *
 * What lies in `javascript/shared/` runs on both sides, in the host and in the bundled guest
 * environment, so it imports nothing.
 *
 * @module
 */

/** Specifier → exports. Throws when there is no such module. */
export const IMPORT_FUNCTION = "__belljar_import__";
/** Behind `import(…)`: gives a promise of the exports. */
export const DYNAMIC_IMPORT_FUNCTION = "__belljar_import_async__";
/** Stands for `import.meta`. */
export const META_NAME = "__belljar_import_meta__";
/** What a `return` at the top level throws. */
export const RETURN_NAME = "__belljar_return__";
/**
 * Stand for `this` at the top level of a script and of a module: as long as the word, so that
 * what follows keeps its column, which the engine counts in bytes.
 */
export const SCRIPT_THIS_NAME = "$0s$";
export const MODULE_THIS_NAME = "$0m$";
/** Takes exports: an object of functions that give their values. */
export const EXPORT_FUNCTION = "__belljar_export__";
/** Takes all exports of another module. */
export const EXPORT_ALL_FUNCTION = "__belljar_export_all__";

/** Parameters of the function that a module in the guest's files becomes, in their order. */
export const MODULE_PARAMETERS: readonly string[] = [
  IMPORT_FUNCTION,
  DYNAMIC_IMPORT_FUNCTION,
  META_NAME,
  EXPORT_FUNCTION,
  EXPORT_ALL_FUNCTION,
];
