/**
 * The functions through which QuickJS calls the host. QuickJS calls them by their indexes in the
 * function table, which accepts only functions that a module exports. So a small module exports
 * what it imports, in the types of the C API.
 *
 * @module
 */
import type { Value } from "./quickjs_abi.ts";

/** The functions that QuickJS calls. */
export interface HostFunctions {
  /**
   * A native function, made with the number `id`, is called. `argv` is the address of its
   * arguments, which stay the caller's.
   */
  call(id: number, argc: number, argv: number): Value;
  /** Polled by the engine. True ends the guest in a way that it cannot catch. */
  shouldInterrupt(): boolean;
  /** A promise was rejected without a handler, or got a handler later. */
  rejection(promise: Value, reason: Value, handled: boolean): void;
}

/** Indexes in the function table. */
export interface HostFunctionIndexes {
  readonly call: number;
  readonly interrupt: number;
  readonly rejection: number;
}

// deno-fmt-ignore
const MODULE = new Uint8Array([
  0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
  // types: (i32 i64 i32 i32 i32) -> i64, (i32 i32) -> i32, (i32 i64 i64 i32 i32) -> ()
  1, 24, 3, 0x60, 5, 0x7f, 0x7e, 0x7f, 0x7f, 0x7f, 1, 0x7e, 0x60, 2, 0x7f, 0x7f, 1, 0x7f,
  0x60, 5, 0x7f, 0x7e, 0x7e, 0x7f, 0x7f, 0,
  2, 19, 3, 1, 0x68, 1, 0x30, 0, 0, 1, 0x68, 1, 0x31, 0, 1, 1, 0x68, 1, 0x32, 0, 2, // imports h.0 to h.2
  7, 13, 3, 1, 0x30, 0, 0, 1, 0x31, 0, 1, 1, 0x32, 0, 2, // exports
]);
const COUNT = 3;

/** Adds the functions to a table. */
export function addHostFunctions(
  table: WebAssembly.Table,
  functions: HostFunctions,
): HostFunctionIndexes {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(MODULE), {
    h: {
      0: (_context: number, _this: Value, argc: number, argv: number, id: number) =>
        functions.call(id, argc, argv),
      1: () => functions.shouldInterrupt() ? 1 : 0,
      2: (_context: number, promise: Value, reason: Value, handled: number) =>
        functions.rejection(promise, reason, handled !== 0),
    },
  });
  const first = table.grow(COUNT);
  for (let at = 0; at < COUNT; at++) {
    const added = exports[at];
    table.set(first + at, typeof added === "function" ? added : null);
  }
  return { call: first, interrupt: first + 1, rejection: first + 2 };
}
