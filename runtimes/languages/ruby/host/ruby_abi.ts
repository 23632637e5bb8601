/**
 * The interface of ruby.wasm's module: its imports and exports, by the names that its interface
 * generator gave them. The names belong to one exact version of the package.
 *
 * @module
 */

/**
 * npm package that carries the module, and two files in it: Ruby, and the same with the standard
 * library in its memory.
 */
export const RUBY_PACKAGE = "@ruby/4.0-wasm-wasi";
export const RUBY_MODULE_FILE = "dist/ruby.wasm";
export const RUBY_LIBRARY_FILE = "dist/ruby+stdlib.wasm";

/** The directory of the root in which Ruby finds its library; no listing of the root showed it. */
export const LIBRARY_ROOT = "usr";

/** The module is not the one that this program was written for. */
export class RubyAbiError extends Error {
  override name = "RubyAbiError";
}

/** Exported functions used here: our name for it → name in the module. */
export const RUBY_EXPORTS = {
  initialize: "_initialize",
  start: "ruby-init: func(args: list<string>) -> ()",
  evaluate: "rb-eval-string-protect: func(str: string) -> tuple<handle<rb-abi-value>, s32>",
  call:
    "rb-funcallv-protect: func(recv: handle<rb-abi-value>, mid: u32, args: list<handle<rb-abi-value>>) -> tuple<handle<rb-abi-value>, s32>",
  intern: "rb-intern: func(name: string) -> u32",
  stringBytes: "rstring-ptr: func(value: handle<rb-abi-value>) -> string",
  freeStringBytes: "cabi_post_rstring-ptr",
  reallocate: "cabi_realloc",
  release: "canonical_abi_drop_rb-abi-value",
} as const;

/** Name of an exported function, as this code calls it. */
export type RubyExport = keyof typeof RUBY_EXPORTS;

/** Asyncify's functions, which unwind and rewind the native stack. */
export const ASYNCIFY_EXPORTS = {
  startUnwind: "asyncify_start_unwind",
  startRewind: "asyncify_start_rewind",
} as const;

/** Mutable globals, by the names that metering gave them. */
export const RUBY_GLOBALS = {
  stackPointer: "__g0",
  asyncifyState: "__g1",
  asyncifyBuffer: "__g2",
} as const;

/** Module name of the imports that pass values; all others besides system calls are refused. */
export const VALUE_MODULE = "canonical_abi";

/**
 * Imports that are served besides those of WASI: handles of Ruby values are the values themselves.
 * A call of any other import, including every function that reaches JavaScript, ends the run.
 */
export const VALUE_IMPORTS: WebAssembly.ModuleImports = {
  "resource_new_rb-abi-value": (value: number) => value,
  "resource_get_rb-abi-value": (value: number) => value,
};

/** Ruby's value of a small integer. */
export function integerValue(integer: number): number {
  return 2 * integer + 1;
}

/** Top of the C stack: the stack pointer between calls. */
export const STACK_TOP = 0x100_0000;
/** The area that native stacks are unwound into; the C stack has the ten megabytes above it. */
export const UNWIND_PLACES = {
  entries: { from: 0x1_0000, to: 0x3_0000 },
  scan: { from: 0x3_0000, to: 0x23_0000 },
  kept: { from: 0x23_0000, to: 0x60_0000 },
} as const;

/** Below the stack: not zero once the stack of a fiber was unwound, because the fiber was left. */
export const FIBER_LEFT = 0x8010;

/** The alarm, below the stack: whether one is set, the thread that last looked, the fuel at which it rings. */
export const ALARM = { isSet: 0x8000, thread: 0x8004, fuel: 0x8008 } as const;
