import { MeterError } from "./meter_error.ts";
import type { ModuleLayout } from "./module_layout.ts";
import { Extern } from "./opcodes.ts";

/** Name under which the fuel counter is exported. */
export const FUEL_EXPORT = "__fuel";

export interface AddedExport {
  readonly name: string;
  /** Kind of export (`Extern`). */
  readonly kind: number;
  readonly index: number;
}

/** The exports to add: the fuel counter, and the state of the instance that is not exported yet. */
export function addedExports(layout: ModuleLayout): AddedExport[] {
  const added: AddedExport[] = [{
    name: FUEL_EXPORT,
    kind: Extern.global,
    index: layout.globals.length,
  }];
  layout.globals.forEach((global, index) => {
    // The host holds the imported ones already.
    if (!global.mutable || global.importedAs !== undefined) return;
    if (!isExported(layout, Extern.global, index)) {
      added.push({ name: `__g${index}`, kind: Extern.global, index });
    }
  });
  for (let index = 0; index < layout.tables; index++) {
    if (!isExported(layout, Extern.table, index)) {
      added.push({ name: `__t${index}`, kind: Extern.table, index });
    }
  }
  for (let index = 0; index < layout.memories.length; index++) {
    if (!isExported(layout, Extern.memory, index)) {
      added.push({ name: `__m${index}`, kind: Extern.memory, index });
    }
  }
  for (const { name } of added) {
    if (layout.exportNames.has(name)) {
      throw new MeterError(`the module already has an export named "${name}"`);
    }
  }
  return added;
}

function isExported(
  layout: ModuleLayout,
  kind: number,
  index: number,
): boolean {
  return layout.exports.get(kind)?.has(index) === true;
}
