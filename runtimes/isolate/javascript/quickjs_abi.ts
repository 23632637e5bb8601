/**
 * The interface of the QuickJS-ng module: its imports and exports, by the names that the package's
 * build gave them. The names belong to one exact version of the package; a test compares both
 * tables with the package's own loader.
 *
 * @module
 */

/** npm package of the module, as pinned in deno.json. */
export const QUICKJS_PACKAGE = "@jitl/quickjs-ng-wasmfile-release-sync";

/** Exported functions used here: our name for it → name in the module. */
export const QUICKJS_EXPORTS = {
  construct: "v",
  malloc: "w",
  free: "N",
  runtimeSetMemoryLimit: "z",
  runtimeSetMaxStackSize: "E",
  getUndefined: "F",
  newRuntime: "L",
  newContext: "O",
  freeValue: "Q",
  freeValueRuntime: "R",
  freeVoidPointer: "S",
  freeCString: "T",
  dupValue: "U",
  newArrayBuffer: "Y",
  newString: "$",
  getString: "aa",
  getArrayBuffer: "ba",
  getArrayBufferLength: "ca",
  executePendingJob: "ha",
  getProp: "ia",
  setProp: "ka",
  call: "na",
  resolveException: "oa",
  evaluate: "qa",
  typeOf: "sa",
  getGlobalObject: "va",
  promiseState: "xa",
  promiseResult: "ya",
  newFunction: "Ea",
  argument: "Fa",
  enableInterruptHandler: "Ga",
} as const;

/** Module name under which everything is imported. */
export const IMPORT_MODULE = "a";

/** Imports of the module: our name for it → name in the module. The list is complete. */
export const QUICKJS_IMPORTS = {
  memory: "a",
  assertFail: "b",
  fdWrite: "c",
  fdClose: "d",
  environGet: "e",
  environSizesGet: "f",
  normalizeModule: "g",
  loadModuleSource: "h",
  shouldInterrupt: "i",
  setTimer: "j",
  resizeHeap: "k",
  keepaliveClear: "l",
  localTime: "m",
  setTimeZone: "n",
  fdSeek: "o",
  dateNow: "p",
  clockTimeGet: "q",
  abort: "r",
  procExit: "s",
  callFunction: "t",
  freeHostRef: "u",
} as const;

/** Name of an exported function, as this code calls it. */
export type QuickJsExport = keyof typeof QUICKJS_EXPORTS;

/** The module's initial memory, in pages of 64 KiB. */
export const INITIAL_PAGES = 256;

/** Evaluate as a global script in which `await` is allowed at the top level. */
export const EVAL_ASYNC = 128;
/** Evaluate as a global script. */
export const EVAL_GLOBAL = 0;

/** Only compile: the result is a function that is not run. */
export const EVAL_COMPILE_ONLY = 32;

/** Evaluate as a module, with its own scope. */
export const EVAL_MODULE = 1;

/** Promise states as the module reports them. */
export const PROMISE_PENDING = 0;
export const PROMISE_REJECTED = 2;
