/**
 * Resolves the imports of side modules: to functions and variables of the interpreter first, then of
 * the module itself, then of the libraries that it needs. No import resolves to the host.
 *
 * @module
 */
import { Extern, Type } from "@belljar/wasm-metering/binary";
import { evaluate } from "./constant_expression.ts";
import type { FunctionTable } from "./function_table.ts";
import { LinkError, workOn } from "./link_error.ts";
import type { Import, ModuleParts } from "./module_parts.ts";
import { NOT_MAPPED, type PlacedSide, type Placement } from "./placement.ts";
import { INTERPRETER } from "./side_module.ts";

const MEMORY_BASE = "__memory_base";
const TABLE_BASE = "__table_base";
const STACK_POINTER = "__stack_pointer";
/** Module names of imports that are addresses of variables and table indexes of functions. */
const VARIABLES = "GOT.mem";
const FUNCTIONS = "GOT.func";

/** Functions of the interpreter that take the place of others, by the names of the others. */
export type Aliases = ReadonlyMap<string, string>;

/** Links the imports of side modules. */
export class Symbols {
  readonly #main: ModuleParts;
  readonly #placement: Placement;
  readonly #table: FunctionTable;
  readonly #scopes = new Map<PlacedSide, readonly PlacedSide[]>();
  readonly #hostCalls: ReadonlySet<string>;
  readonly #aliases: Aliases;

  constructor(main: ModuleParts, placement: Placement, table: FunctionTable, aliases: Aliases) {
    this.#aliases = aliases;
    this.#main = main;
    this.#placement = placement;
    this.#table = table;
    this.#hostCalls = new Set(main.functionImports.map(({ name }) => name));
    for (const side of placement.sides) this.#scopes.set(side, this.#scopeOf(side));
  }

  /** Resolves all imports. Throws a LinkError. */
  resolve(): void {
    const { sides } = this.#placement;
    for (const side of sides) this.#resolveFunctions(side);
    for (const side of sides) this.#resolveTags(side);
    for (const side of sides) this.#placeFunctions(side);
    for (const side of sides) {
      workOn(side.module.label, () => this.#resolveGlobals(side));
    }
  }

  /** A side module and the libraries that it needs, in search order. */
  #scopeOf(side: PlacedSide): readonly PlacedSide[] {
    const { group } = side.module;
    const needed = side.dylink.needed.flatMap((name) =>
      this.#placement.sides.filter(({ module }) =>
        module.group === group && module.library === name
      )
    );
    return [side, ...needed];
  }

  /** The modules, except the interpreter, whose export of a name a side module can see. */
  #exporterOf(side: PlacedSide, name: string, kind: number): PlacedSide | undefined {
    const exporters = (this.#scopes.get(side) ?? []).filter(({ parts }) =>
      parts.layout.exportsByName.get(name)?.kind === kind
    );
    const [first, second] = exporters;
    if (first !== side && second !== undefined) {
      throw new LinkError(
        `${side.module.label} imports ${name}, which both ${first?.module.library} and ` +
          `${second.module.library} export`,
      );
    }
    return first;
  }

  #functionNamed(side: PlacedSide, wanted: string): number | undefined {
    const name = this.#aliases.get(wanted) ?? wanted;
    const found = this.#main.layout.exportsByName.get(name);
    if (found?.kind === Extern.function && found.index >= this.#main.layout.importedFunctions) {
      return found.index;
    }
    const exporter = this.#exporterOf(side, name, Extern.function);
    const index = exporter?.parts.layout.exportsByName.get(name)?.index;
    return index === undefined ? undefined : exporter?.functionMap[index];
  }

  #missing(side: PlacedSide, { module, name }: Import): LinkError {
    const why = this.#hostCalls.has(name)
      ? "a call of the host, which no package can make"
      : "which neither the interpreter nor a library of its wheel exports";
    return new LinkError(`${side.module.label} imports ${module}.${name}, ${why}`);
  }

  #resolveFunctions(side: PlacedSide): void {
    const { functionTypes } = this.#placement;
    side.parts.functionImports.forEach((wanted, index) => {
      const found = wanted.module === INTERPRETER
        ? this.#functionNamed(side, wanted.name)
        : undefined;
      if (found === undefined || found === NOT_MAPPED) throw this.#missing(side, wanted);
      if (functionTypes[found] !== side.typeMap[wanted.type]) {
        throw new LinkError(
          `${side.module.label} imports ${wanted.name} as a function of another type than it is`,
        );
      }
      side.functionMap[index] = found;
    });
  }

  #resolveTags(side: PlacedSide): void {
    side.parts.tagImports.forEach((wanted, index) => {
      const found = this.#main.layout.exportsByName.get(wanted.name);
      if (found?.kind !== Extern.tag || wanted.module !== INTERPRETER) {
        throw this.#missing(side, wanted);
      }
      side.tagMap[index] = found.index;
    });
  }

  /** Records the functions that a side module's segments put into its region of the function table. */
  #placeFunctions(side: PlacedSide): void {
    const { parts, tableBase, dylink, functionMap, module: { label } } = side;
    for (const { offset, functions } of parts.elements) {
      if (offset === undefined) continue;
      const from = this.offsetOf(side, offset);
      if (from < tableBase || from + functions.length > tableBase + dylink.tableSlots) {
        throw new LinkError(`${label} puts functions outside of its region of the function table`);
      }
      this.#table.place(functions.map((index) => functionMap[index] ?? NOT_MAPPED), from);
    }
  }

  /** The start of a segment. Throws a LinkError when it depends on another global. */
  offsetOf(side: PlacedSide, offset: ModuleParts["initialValues"][number]): number {
    const { label } = side.module;
    return workOn(label, () => evaluate(side.parts, offset, (index) => baseOf(side, index))) >>> 0;
  }

  #resolveGlobals(side: PlacedSide): void {
    side.parts.globalImports.forEach((wanted, index) => {
      const { module, name, type } = wanted;
      if (module === INTERPRETER && name === STACK_POINTER) {
        side.globalMap[index] = this.#main.layout.exportsByName.get(name)?.index ?? NOT_MAPPED;
        return;
      }
      const value = type === Type.i32 ? this.#valueOf(side, wanted) : undefined;
      if (value === undefined) throw this.#missing(side, wanted);
      side.constants[index] = value;
    });
  }

  /** The value of an imported global, which never changes. */
  #valueOf(side: PlacedSide, { module, name }: Import): number | undefined {
    if (module === VARIABLES) return this.#addressNamed(side, name);
    if (module === FUNCTIONS) {
      const found = this.#functionNamed(side, name);
      return found === undefined ? undefined : this.#table.slotOf(found);
    }
    if (module !== INTERPRETER) return undefined;
    if (name === MEMORY_BASE) return side.memoryBase;
    return name === TABLE_BASE ? side.tableBase : undefined;
  }

  #addressNamed(side: PlacedSide, name: string): number | undefined {
    const found = this.#main.layout.exportsByName.get(name);
    if (found?.kind === Extern.global) {
      return valueOfGlobal(this.#main, found.index, () => NaN);
    }
    const exporter = this.#exporterOf(side, name, Extern.global);
    const index = exporter?.parts.layout.exportsByName.get(name)?.index;
    if (exporter === undefined || index === undefined) return undefined;
    const value = valueOfGlobal(exporter.parts, index, (global) => baseOf(exporter, global));
    return value === undefined ? undefined : exporter.memoryBase + value;
  }
}

/** The base of a side module's region of memory or of the table, by the name of its global. */
function baseOf(side: PlacedSide, index: number): number {
  const name = side.parts.globalImports[index]?.name;
  if (name === MEMORY_BASE) return side.memoryBase;
  if (name === TABLE_BASE) return side.tableBase;
  throw new LinkError(`${side.module.label} has an address that depends on ${name ?? "a global"}`);
}

/** The initial value of a defined global that never changes. */
function valueOfGlobal(
  parts: ModuleParts,
  index: number,
  globalValue: (index: number) => number,
): number | undefined {
  const range = parts.initialValues[index - parts.globalImports.length];
  if (range === undefined || parts.layout.globals[index]?.mutable !== false) return undefined;
  return evaluate(parts, range, globalValue);
}
