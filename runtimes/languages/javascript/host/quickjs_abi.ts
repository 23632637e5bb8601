/**
 * The interface of the QuickJS-ng module: the functions of its C API that the engine uses, its
 * imports, and how the C API represents a value. A test compares the tables with the module.
 *
 * @module
 */

/** npm package of the module, as pinned in deno.json. */
const PACKAGE = "quickjs-wasi";
/** The module in the package. */
export const QUICKJS_MODULE: string = `${PACKAGE}/quickjs.wasm`;

/** Functions that return a pointer, a count, a state, or nothing. */
export const NUMBER_FUNCTIONS = [
  "_initialize",
  "malloc",
  "free",
  "js_malloc",
  "js_free",
  "JS_NewRuntime",
  "JS_NewContext",
  "JS_SetMemoryLimit",
  "JS_SetMaxStackSize",
  "JS_SetInterruptHandler",
  "JS_SetHostPromiseRejectionTracker",
  "JS_FreeValue",
  "JS_ToCStringLen2",
  "JS_FreeCString",
  "JS_IsArrayBuffer",
  "JS_GetArrayBuffer",
  "JS_ExecutePendingJob",
  "JS_IsFunction",
  "JS_SetPropertyStr",
  "JS_PromiseState",
  "JS_WriteObject",
] as const;

/** Functions that return a value. */
export const VALUE_FUNCTIONS = [
  "JS_DupValue",
  "JS_NewStringLen",
  "JS_NewArrayBufferCopy",
  "JS_GetPropertyStr",
  "JS_Call",
  "JS_GetException",
  "JS_Eval",
  "JS_EvalFunction",
  "JS_ReadObject",
  "JS_GetGlobalObject",
  "JS_PromiseResult",
  "JS_NewCFunction2",
] as const;

/** The stack pointer and the function table. */
export const STACK_POINTER_EXPORT = "__stack_pointer";
export const TABLE_EXPORT = "__indirect_function_table";

/** Imports of the module, by their module names. The list is complete. */
export const QUICKJS_IMPORTS = {
  env: [
    "host_get_timezone_offset",
    "host_interrupt",
    "host_promise_rejection",
    "host_module_normalize",
    "host_module_load",
    "host_call",
  ],
  wasi_snapshot_preview1: [
    "clock_time_get",
    "fd_close",
    "fd_fdstat_get",
    "fd_seek",
    "fd_write",
    "random_get",
  ],
} as const;

/**
 * A JSValue: 64 bits, with a tag in the upper half. A double has no tag of its own: its upper half
 * is none of those below. The bits are signed here, as WebAssembly passes them.
 */
export type Value = bigint;

const TAG_BITS = 32n;
const TAG_STRING = -7;
/** A string that is a tree of strings. */
const TAG_ROPE = -6;
const TAG_OBJECT = -1;
const TAG_UNDEFINED = 3;
/** A declared name without a value. */
const TAG_UNINITIALIZED = 4;
const TAG_EXCEPTION = 6;

function tagOf(value: Value): number {
  return Number(value >> TAG_BITS);
}

/** The value `undefined`. */
export const UNDEFINED: Value = BigInt(TAG_UNDEFINED) << TAG_BITS;

/** Whether a function threw instead of returning a value. */
export function isException(value: Value): boolean {
  return tagOf(value) === TAG_EXCEPTION;
}

/** Whether the value comes from a binding without a value; no other read returns such a value. */
export function isUninitialized(value: Value): boolean {
  return tagOf(value) === TAG_UNINITIALIZED;
}

/** Whether a value is a string. */
export function isString(value: Value): boolean {
  const tag = tagOf(value);
  return tag === TAG_STRING || tag === TAG_ROPE;
}

/** Whether a value is an object, which functions and promises are too. */
export function isObject(value: Value): boolean {
  return tagOf(value) === TAG_OBJECT;
}

/** The address of an object. */
export function addressOf(object: Value): number {
  return Number(BigInt.asUintN(32, object));
}

/** The object at an address. */
export function objectAt(address: number): Value {
  return (BigInt(TAG_OBJECT) << TAG_BITS) | BigInt(address);
}

/** Bytes of a value in memory. */
export const VALUE_BYTES = 8;

/** Evaluate as a global script in which `await` is allowed at the top level. */
export const EVAL_ASYNC = 128;
/** Evaluate as a global script. */
export const EVAL_GLOBAL = 0;

/** Only compile: the result is a function that is not run. */
export const EVAL_COMPILE_ONLY = 32;

/** Evaluate as a module, with its own scope. */
export const EVAL_MODULE = 1;

/** Write and read compiled scripts, not only data. */
export const OBJECT_IS_BYTECODE = 1;

/** A native function that receives the number that it was made with. */
export const FUNCTION_WITH_NUMBER = 1;

/** Promise states as the module reports them; negative for values that are no promises. */
export const PROMISE_PENDING = 0;
export const PROMISE_REJECTED = 2;
