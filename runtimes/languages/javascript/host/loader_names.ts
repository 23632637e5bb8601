/**
 * Names under which prepared sources call the guest's loader. The host writes them into sources;
 * the guest environment defines them.
 *
 * Code in `javascript/shared/` runs on both sides, in the host and in the bundled guest
 * environment, so it imports nothing.
 *
 * @module
 */

/** Specifier → exports. Throws when there is no such module. */
export const IMPORT_FUNCTION = "__belljar_import__";
/** Implements `import(…)`: returns a promise of the exports. */
export const DYNAMIC_IMPORT_FUNCTION = "__belljar_import_async__";
/** Replaces `import.meta`. */
export const META_NAME = "__belljar_import_meta__";
/** Registers a resource of a script's top level; whether it is `await using`. Returns an object. */
export const USE_FUNCTION = "__belljar_use__";
/** Disposes of these resources. Returns a promise if one of them is `await using`. */
export const DISPOSE_FUNCTION = "__belljar_dispose__";
/** The value that a `return` at the top level throws. */
export const RETURN_NAME = "__belljar_return__";
/**
 * Replace `this` at the top level of a script and of a module. They have the same length as `this`,
 * so that what follows keeps its column, which the engine counts in bytes.
 */
export const SCRIPT_THIS_NAME = "$0s$";
export const MODULE_THIS_NAME = "$0m$";
/**
 * Receives exports: an object of functions that return their values, and the names among them that
 * may be withdrawn.
 */
export const EXPORT_FUNCTION = "__belljar_export__";
/**
 * Withdraws exports that another module does not have: types of TypeScript. Receives that module's
 * exports, and pairs of the name there and the name here.
 */
export const WITHDRAW_FUNCTION = "__belljar_withdraw__";
/** Holds the guest's parts of the package that formats values, while the environment loads. */
export const INSPECT_INTERNALS = "__belljar_inspect__";
/** Receives all exports of another module. */
export const EXPORT_ALL_FUNCTION = "__belljar_export_all__";

/** Parameters, in order, of the function that a module in the guest's files becomes. */
export const MODULE_PARAMETERS: readonly string[] = [
  IMPORT_FUNCTION,
  DYNAMIC_IMPORT_FUNCTION,
  META_NAME,
  EXPORT_FUNCTION,
  EXPORT_ALL_FUNCTION,
  WITHDRAW_FUNCTION,
];
