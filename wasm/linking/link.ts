/**
 * Links side modules (Emscripten's shared libraries) into an interpreter's module, at build time. The
 * result is one module with one memory, one function table and the interpreter's imports: nothing is
 * loaded at run time, and metering covers all code.
 *
 * `wasm/linking/` owns the linking of WebAssembly modules as bytes. It must not know of a
 * particular interpreter or of packages. Only builds use it; isolates do not contain it.
 *
 * @module
 */
import { Extern } from "@belljar/wasm-metering/binary";
import { FunctionTable } from "./function_table.ts";
import { type HeapBase, heapBaseOf } from "./heap_base.ts";
import { LinkError, workOn } from "./link_error.ts";
import { type AddedExport, writeLinked } from "./linked_writer.ts";
import { readParts } from "./module_parts.ts";
import {
  NOT_MAPPED,
  type PlacedSide,
  type Placement,
  type PlacementLimits,
  placeSides,
} from "./placement.ts";
import { type ReadSide, readSide, type SideModule } from "./side_module.ts";
import { evaluateStart } from "./start_function.ts";
import { type Aliases, Symbols } from "./symbols.ts";

/** The exports that a loader calls once, in this order: relocations, then constructors. */
const BOOT_FUNCTIONS = ["__wasm_apply_data_relocs", "__wasm_call_ctors"];
const HEAP_ALIGNMENT = 16;

/** A linked side module. */
export interface LinkedSide {
  readonly module: SideModule;
  /** Exports of the linked module that must be called once, in order. */
  readonly boot: readonly string[];
  /** Table index of the entry function; undefined when the module has none. */
  readonly entry: number | undefined;
}

/** The linked module. */
export interface LinkedModule {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The side modules, in the order in which their boot functions must be called. */
  readonly sides: readonly LinkedSide[];
  /** Start of the heap. */
  readonly heapBase: number;
}

/**
 * Links the side modules. `aliases`: functions of the interpreter that side modules get in place of
 * others. Throws a LinkError that names the faulty module.
 */
export function link(
  interpreter: Uint8Array<ArrayBuffer>,
  modules: readonly SideModule[],
  limits: PlacementLimits,
  aliases: Aliases = new Map(),
): LinkedModule {
  const main = readParts(interpreter);
  if (main.start !== undefined) throw new LinkError("The interpreter has a start function");
  const heap = heapBaseOf(interpreter);
  const placement = placeSides(main, inOrderOfNeeds(modules.map(readSide)), heap.base, limits);
  const table = new FunctionTable(main, placement.tableEnd);
  const symbols = new Symbols(main, placement, table, aliases);
  symbols.resolve();
  for (const side of placement.sides) workOn(side.module.label, () => evaluateStart(side));
  const boot = placement.sides.map(bootExports);
  const sides = placement.sides.map((side, index): LinkedSide => ({
    module: side.module,
    boot: (boot[index] ?? []).map(({ name }) => name),
    entry: entryOf(side, table),
  }));
  const moved = movedHeap(placement, heap);
  const bytes = writeLinked({ main, placement, symbols, table, exports: boot.flat(), heap: moved });
  checkResult(bytes);
  return { bytes, sides, heapBase: moved.base };
}

/** Puts libraries before the modules that need them: their constructors must be called first. */
function inOrderOfNeeds(sides: readonly ReadSide[]): readonly ReadSide[] {
  const ordered = new Set<ReadSide>();
  const begun = new Set<ReadSide>();
  const add = (side: ReadSide): void => {
    if (begun.has(side)) return;
    begun.add(side);
    for (const other of sides) {
      const isNeeded = other.module.group === side.module.group &&
        side.dylink.needed.includes(other.module.library);
      if (isNeeded) add(other);
    }
    ordered.add(side);
  };
  sides.forEach(add);
  return [...ordered];
}

function movedHeap({ memoryEnd }: Placement, { wordAt }: HeapBase): HeapBase {
  return { wordAt, base: Math.ceil(memoryEnd / HEAP_ALIGNMENT) * HEAP_ALIGNMENT };
}

function bootExports(side: PlacedSide, index: number): readonly AddedExport[] {
  return BOOT_FUNCTIONS.flatMap((name): readonly AddedExport[] => {
    const found = side.parts.layout.exportsByName.get(name);
    if (found?.kind !== Extern.function) return [];
    return [{ name: `${index}:${name}`, index: side.functionMap[found.index] ?? NOT_MAPPED }];
  });
}

function entryOf(side: PlacedSide, table: FunctionTable): number | undefined {
  const found = side.parts.layout.exportsByName.get(side.module.entry);
  if (found?.kind !== Extern.function) return undefined;
  return table.slotOf(side.functionMap[found.index] ?? NOT_MAPPED);
}

/** Validates the result. Each module is valid by itself: a failure is a fault of the linker or a rare feature. */
function checkResult(bytes: Uint8Array<ArrayBuffer>): void {
  if (!WebAssembly.validate(bytes)) {
    throw new LinkError("The modules of the wheels are valid, but cannot be linked into one");
  }
}
