import { ByteReader } from "./byte_reader.ts";
import type { FunctionBody } from "./code_section.ts";
import { MeterError } from "./meter_error.ts";
import type { ModuleLayout } from "./module_layout.ts";
import { Extern, Op } from "./opcodes.ts";

const GET_STATE = "asyncify_get_state";

/**
 * Index of the global in which a module instrumented by Binaryen's Asyncify keeps its state: 0 while it runs
 * as usual, else while it unwinds or rewinds the stack. Undefined for other modules. It is read from the
 * function that returns it.
 */
export function findAsyncifyState(
  source: Uint8Array,
  layout: ModuleLayout,
  bodies: readonly FunctionBody[],
): number | undefined {
  const exported = layout.exportsByName.get(GET_STATE);
  if (exported === undefined || exported.kind !== Extern.function) return undefined;
  const body = bodies[exported.index - layout.importedFunctions];
  if (body !== undefined) {
    const reader = new ByteReader(source, body.start, body.end);
    if (reader.u8() === 0 && reader.u8() === Op.globalGet) {
      const global = reader.u32();
      if (reader.u8() === Op.end) return global;
    }
  }
  throw new MeterError(`the state of Asyncify is not to be read from "${GET_STATE}"`, body?.start);
}
