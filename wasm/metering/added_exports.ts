/**
 * The exports that metering adds to a module.
 *
 * @module
 */
import { MAX_EXPORTS } from "./engine_limits.ts";
import { MeterError } from "./meter_error.ts";
import type { ExportTarget, ModuleLayout } from "./module_layout.ts";
import { Extern } from "./opcodes.ts";

/** Name under which the fuel counter is exported. */
export const FUEL_EXPORT = "__fuel";

/** Name under which the size that the guest sees of its memory is exported. */
export const PAGES_EXPORT = "__pages";

export interface AddedExport extends ExportTarget {
  readonly name: string;
}

/**
 * The exports to add: the fuel counter, the memory's size for the guest if it has one of its own, and
 * the state of the instance that is not exported yet.
 */
export function addedExports(layout: ModuleLayout, ownSize: boolean): AddedExport[] {
  const first = layout.globals.length;
  const added: AddedExport[] = [{ name: FUEL_EXPORT, kind: Extern.global, index: first }];
  if (ownSize) added.push({ name: PAGES_EXPORT, kind: Extern.global, index: first + 1 });
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
  const count = layout.exportsByName.size + added.length;
  if (count > MAX_EXPORTS) {
    throw new MeterError(`the module would have ${count} exports, more than ${MAX_EXPORTS}`);
  }
  for (const { name } of added) {
    if (layout.exportsByName.has(name)) {
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
