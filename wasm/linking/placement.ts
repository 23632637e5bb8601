/**
 * The placement of side modules: consecutive regions of memory and of the function table, and the new
 * indexes of their types, functions, globals, tags and segments in the linked module.
 *
 * @module
 */
import { LinkError } from "./link_error.ts";
import type { ModuleParts } from "./module_parts.ts";
import type { ReadSide } from "./side_module.ts";

/** A side module with its placement. */
export interface PlacedSide extends ReadSide {
  readonly memoryBase: number;
  readonly tableBase: number;
  /** New index of each type. */
  readonly typeMap: Int32Array;
  /** New index of each function, tag and global, imports first. */
  readonly functionMap: Int32Array;
  readonly tagMap: Int32Array;
  /** {@link NOT_MAPPED} for globals that are constants. */
  readonly globalMap: Int32Array;
  /** Values of the globals that are constants. */
  readonly constants: Int32Array;
  /** New index of the first data segment. */
  readonly firstData: number;
  /** Functions that the linker has evaluated. The linked module does not hold their code. */
  readonly done: Set<number>;
}

/** Bounds of the linked module. */
export interface PlacementLimits {
  /** Bytes of memory that a guest may have. */
  readonly memoryBytes: number;
}

/** The placement of all side modules. */
export interface Placement {
  readonly sides: readonly PlacedSide[];
  /** Signatures of the added types. */
  readonly addedTypes: readonly string[];
  /** Type index of each function. The interpreter's imports come first. */
  readonly functionTypes: readonly number[];
  readonly memoryEnd: number;
  readonly tableEnd: number;
}

/** An index that the linked module does not have. */
export const NOT_MAPPED = -1;
/** Maximum number of table entries, all modules together. */
const MAX_TABLE_SLOTS = 1_000_000;
/** Alignment of the C library's allocator, in bytes. */
const LEAST_ALIGNMENT = 16;

function alignUp(value: number, alignment: number): number {
  return Math.ceil(value / alignment) * alignment;
}

/** Types by signature: equal types share one index. */
class TypeTable {
  readonly #indexes = new Map<string, number>();
  readonly #first: number;
  readonly added: string[] = [];

  constructor({ layout: { types } }: ModuleParts) {
    this.#first = types.length;
    types.forEach(({ signature }, index) => {
      if (!this.#indexes.has(signature)) this.#indexes.set(signature, index);
    });
  }

  indexOf(signature: string): number {
    const known = this.#indexes.get(signature);
    if (known !== undefined) return known;
    const index = this.#first + this.added.push(signature) - 1;
    this.#indexes.set(signature, index);
    return index;
  }
}

/** A map of indexes: imports, whose new indexes are not known yet, then definitions. */
function indexes(imported: number, defined: number, first: number): Int32Array {
  return Int32Array.from(
    { length: imported + defined },
    (_, index) => index < imported ? NOT_MAPPED : first + index - imported,
  );
}

/** Type index of each function of the interpreter, imports first. */
function typesOfFunctions({ functionImports, layout }: ModuleParts): number[] {
  return [...functionImports.map(({ type }) => type), ...layout.functionTypes];
}

/** Places the sides behind the interpreter, whose heap begins at `heapBase`. Throws a LinkError. */
export function placeSides(
  main: ModuleParts,
  modules: readonly ReadSide[],
  heapBase: number,
  limits: PlacementLimits,
): Placement {
  const types = new TypeTable(main);
  const functionTypes = typesOfFunctions(main);
  let globals = main.layout.globals.length;
  let tags = main.tagImports.length + main.tags.length;
  let data = main.data.length;
  let memoryEnd = heapBase;
  let tableEnd = main.tables[0]?.limits.minimum ?? 0;
  const sides = modules.map((side): PlacedSide => {
    const { parts, dylink, module: { label } } = side;
    const { layout } = parts;
    const memoryBase = alignUp(memoryEnd, Math.max(LEAST_ALIGNMENT, dylink.memoryAlignment));
    const tableBase = alignUp(tableEnd, dylink.tableAlignment);
    memoryEnd = memoryBase + dylink.memoryBytes;
    tableEnd = tableBase + dylink.tableSlots;
    if (memoryEnd > limits.memoryBytes) {
      throw new LinkError(`${label} needs more memory (${dylink.memoryBytes} bytes) than is left`);
    }
    if (tableEnd > MAX_TABLE_SLOTS) {
      throw new LinkError(`${label} needs more entries of the function table than are left`);
    }
    const typeMap = Int32Array.from(layout.types, ({ signature }) => types.indexOf(signature));
    const imported = parts.globalImports.length;
    const own = layout.globals.length - imported;
    const placed = {
      ...side,
      memoryBase,
      tableBase,
      typeMap,
      functionMap: indexes(
        layout.importedFunctions,
        layout.functionTypes.length,
        functionTypes.length,
      ),
      tagMap: indexes(parts.tagImports.length, parts.tags.length, tags),
      globalMap: indexes(imported, own, globals),
      constants: new Int32Array(layout.globals.length),
      firstData: data,
      done: new Set<number>(),
    };
    for (const type of layout.functionTypes) functionTypes.push(typeMap[type] ?? NOT_MAPPED);
    globals += own;
    tags += parts.tags.length;
    data += parts.data.length;
    return placed;
  });
  return { sides, addedTypes: types.added, functionTypes, memoryEnd, tableEnd };
}
