/**
 * The input of rewriting: one record for the module, and one for each function.
 *
 * @module
 */
import type { Asyncify } from "./asyncify.ts";
import type { FunctionBody } from "./code_section.ts";
import type { FunctionType } from "./module_layout.ts";
import type { MergeLimits } from "./regions.ts";
import type { Surcharges } from "./function_scanner.ts";
import type { StackPadding } from "./stack_padding.ts";

/** Input that all functions of a module share. */
export interface RewriteSettings {
  readonly fuelGlobal: number;
  /** Index of the global with the first memory's size for the guest, if it has one of its own. */
  readonly pagesGlobal: number | undefined;
  readonly merging: MergeLimits;
  /** Largest entry cost that callers pay. */
  readonly prepayMax: number;
  readonly surcharges: Surcharges;
  readonly padding: StackPadding | undefined;
  /** Functions that are padded like another one: index → that of the other. */
  readonly copies: ReadonlyMap<number, number>;
  /** Index of the stack pointer, where frames are to be padded. */
  readonly stackPointer: number | undefined;
  /** In modules that have it, where frames are to be padded. */
  readonly asyncify: Asyncify | undefined;
}

/** One function to rewrite. */
export interface FunctionTask {
  /** In the index space of all functions. */
  readonly index: number;
  readonly body: FunctionBody;
  readonly type: FunctionType;
  /** The callers may pay for the entry. */
  readonly prepayable: boolean;
  /** The frame is to be padded, if the function calls anything. */
  readonly pad: boolean;
  /**
   * Offsets of the constants that hold the size of the function's own frame, where it can be made
   * larger.
   */
  readonly frame: Int32Array | undefined;
}
