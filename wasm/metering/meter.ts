/**
 * Metering of a Wasm module: settings, result, and the rewriting itself.
 *
 * `wasm/metering/` owns the rewriting of WebAssembly modules as bytes: fuel, padded
 * frames, bounded memories, and changes in place. It must not know of any interpreter, nor how
 * a module is run.
 *
 * @module
 */
import { ByteReader } from "./byte_reader.ts";
import { findAsyncify } from "./asyncify.ts";
import { type FunctionBody, readBodies } from "./code_section.ts";
import { rewriteCode } from "./code_rewriter.ts";
import { MAX_GLOBALS, MAX_TYPES } from "./engine_limits.ts";
import type { RewriteCounts } from "./function_rewriter.ts";
import { MAX_PAGES } from "./limits.ts";
import { MeterError } from "./meter_error.ts";
import { type ModuleLayout, readLayout } from "./module_layout.ts";
import { writeModule } from "./module_writer.ts";
import { SectionId } from "./opcodes.ts";
import type { StackPadding } from "./stack_padding.ts";
import { findStackPointer } from "./stack_pointer.ts";
import { WrapperTypes } from "./wrapper_types.ts";

export interface MeterOptions {
  /**
   * The dominating region charges for regions of at most this many units; 0 is off.
   * @default {32}
   */
  readonly mergeMax?: number;
  /**
   * The same for regions in which something is called: often they run rarely, and one charge more is
   * little beside a call.
   * @default {mergeMax}
   */
  readonly mergeCallMax?: number;
  /** Most units one region takes over from others. @default {256} */
  readonly mergeBudget?: number;
  /**
   * Entry costs of at most this many units are paid by the callers, for functions reached by direct
   * calls only; 0 is off. The sum is the same, with fewer charges.
   * @default {128}
   */
  readonly prepayMax?: number;
  /**
   * Units for a store of 64 bits, above the one of each instruction. For modules that fill memory
   * with a loop of such stores instead of `memory.fill`.
   * @default {0}
   */
  readonly wideStoreUnits?: number;
  /**
   * Units for a multiplication or division of floats of 64 bits, above the one of each instruction:
   * with denormal numbers they take some hundred times as long.
   * @default {0}
   */
  readonly floatUnits?: number;
  /**
   * Units for a look-up in a hash table at a place of 16,384 or above, and as many again at each
   * doubling of that: the larger a table is, the fewer of its places are in a cache. A table is
   * recognized by its index, `hash & mask`, with a mask that is not constant.
   * @default {0}
   */
  readonly lookupUnits?: number;
  /**
   * Units for each call that begins to unwind or to rewind the native stack, where frames are
   * padded and Asyncify has changed the module.
   * @default {0}
   */
  readonly unwindUnits?: number;
  /** Sets or lowers the maximum of every memory, defined or imported, in pages of 64 KiB. */
  readonly maximumPages?: number;
  /** Lowers the minimum of every imported memory, in pages. Only together with a maximum. */
  readonly minimumPages?: number;
  /**
   * The guest sees a size of its own of the first memory: `memory.size` reads the global that is
   * exported as `__pages`, and `memory.grow` changes it, and the memory only where that is smaller.
   * A memory cannot shrink, but the host can put this size back.
   * @default {false}
   */
  readonly ownSize?: boolean;
  /** Moves the stack pointer of the guest by an estimate of each native frame. */
  readonly stackPadding?: StackPadding;
  /**
   * Functions that may leave the frame which another one has entered: index → that of the other.
   * Both are padded alike.
   */
  readonly copies?: ReadonlyMap<number, number>;
}

export interface MeterStats extends Readonly<RewriteCounts> {
  readonly sourceBytes: number;
  readonly bytes: number;
  /** Names of the exports added. */
  readonly exports: readonly string[];
  /** Index of the global the padding moves. */
  readonly stackPointer: number | undefined;
}

export interface MeteredModule {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly stats: MeterStats;
}

/**
 * Rewrites a core Wasm module so that it counts what it executes and stops when its fuel is used
 * up.
 *
 * The counter is a mutable i64 global, exported as `__fuel`. An instruction costs one unit, a call
 * and a turn of a loop one more; bulk memory 3 per byte, table operations one per element, memory
 * growth 100,000 per page. The module traps with `unreachable` once the counter is negative; checks
 * stand at loop headers, at the entries of functions that recursion or an indirect call can reach,
 * and at operations charged by length.
 *
 * Costs of small branches are charged where they are decided (`mergeMax`), except the arms of a
 * `br_table` and the code behind them, of which most does not run. A small region that ends in a
 * `br_table` is paid and checked in its arms. So the sum is an upper bound of what ran (for interpreters
 * 1.1 to 1.5 times as much), and the same on every run. Without merging it is exact, except for
 * code that an exception skips. An exception that leaves a module in which nothing catches any may
 * leave `mergeMax` units of each frame unpaid.
 *
 * State that the module does not export yet is exported: mutable globals as `__g<index>`, tables as
 * `__t<index>`, memories as `__m<index>`.
 *
 * Throws `MeterError`, and nothing else, for a module that is malformed or uses GC types, 64-bit
 * memories or other unknown features.
 */
export function meterModule(
  source: Uint8Array,
  options: MeterOptions,
): MeteredModule {
  checkPages(options.maximumPages);
  const layout = readLayout(source);
  const bodies = findBodies(source, layout);
  const stackPointer = options.stackPadding === undefined
    ? undefined
    : findStackPointer(source, layout, bodies, options.stackPadding.global);
  const wrappers = new WrapperTypes(layout.types);
  const mergeMax = options.mergeMax ?? 32;
  const ownSize = options.ownSize === true;
  if (ownSize && layout.memories.length === 0) {
    throw new MeterError("a module without a memory has no size of its own");
  }
  const { code, counts } = rewriteCode(source, layout, bodies, {
    fuelGlobal: layout.globals.length,
    pagesGlobal: ownSize ? layout.globals.length + 1 : undefined,
    merging: {
      max: mergeMax,
      callMax: Math.min(mergeMax, options.mergeCallMax ?? mergeMax),
      budget: options.mergeBudget ?? 256,
    },
    prepayMax: options.prepayMax ?? 128,
    surcharges: {
      wideStoreUnits: options.wideStoreUnits ?? 0,
      floatUnits: options.floatUnits ?? 0,
      lookupUnits: options.lookupUnits ?? 0,
      unwindUnits: options.unwindUnits ?? 0,
    },
    padding: options.stackPadding,
    copies: options.copies ?? new Map(),
    stackPointer,
    asyncify: stackPointer === undefined ? undefined : findAsyncify(source, layout, bodies),
  }, wrappers);
  checkCounts(layout, wrappers, ownSize ? 2 : 1);
  const { maximumPages: maximum } = options;
  const { bytes, exports } = writeModule(source, layout, {
    code,
    wrappers,
    pageBounds: maximum === undefined ? undefined : { minimum: options.minimumPages, maximum },
    ownSize,
  });
  return {
    bytes,
    stats: { ...counts, sourceBytes: source.length, bytes: bytes.length, exports, stackPointer },
  };
}

function checkPages(pages: number | undefined): void {
  if (pages === undefined) return;
  if (!Number.isInteger(pages) || pages < 0 || pages > MAX_PAGES) {
    throw new MeterError(
      `maximumPages is ${pages}, not a whole number from 0 to ${MAX_PAGES}`,
    );
  }
}

/** Throws if the additions exceed V8's limits. */
function checkCounts(layout: ModuleLayout, wrappers: WrapperTypes, addedGlobals: number): void {
  const types = layout.types.length + wrappers.added;
  if (types > MAX_TYPES) {
    throw new MeterError(`the module would have ${types} types, more than ${MAX_TYPES}`);
  }
  const globals = layout.globals.length + addedGlobals;
  if (globals > MAX_GLOBALS) {
    throw new MeterError(`the module would have ${globals} globals, more than ${MAX_GLOBALS}`);
  }
}

function findBodies(source: Uint8Array, layout: ModuleLayout): FunctionBody[] {
  const section = layout.sections.find(({ id }) => id === SectionId.code);
  const functions = layout.functionTypes.length;
  if (section === undefined) {
    if (functions > 0) {
      throw new MeterError(
        `${functions} functions are declared, but there is no code section`,
      );
    }
    return [];
  }
  const reader = new ByteReader(source, section.start, section.end);
  const bodies = readBodies(reader, functions);
  if (reader.pos !== section.end) {
    reader.fail("code section has bytes behind its last entry");
  }
  return bodies;
}
