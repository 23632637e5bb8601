/**
 * Side modules (shared libraries), and the checks that refuse unsuitable ones.
 *
 * @module
 */
import { Extern } from "@belljar/wasm-metering/binary";
import type { DylinkInfo } from "./dylink_section.ts";
import { LinkError, workOn } from "./link_error.ts";
import { type ModuleParts, readParts } from "./module_parts.ts";

/** A side module as the caller gives it. */
export interface SideModule {
  /** The name of the module in messages. */
  readonly label: string;
  /** The file name, by which modules of its group may need it. */
  readonly library: string;
  /** Modules of one group may import functions and variables from each other. */
  readonly group: string;
  /** The export whose table index the caller wants, if the module has it. */
  readonly entry: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A checked side module. */
export interface ReadSide {
  readonly module: SideModule;
  readonly parts: ModuleParts;
  readonly dylink: DylinkInfo;
}

/** Module name of imports from the interpreter. */
export const INTERPRETER = "env";
const MEMORY = "memory";
const TABLE = "__indirect_function_table";

/** V8's reason for refusing a module. */
function faultOf(bytes: Uint8Array<ArrayBuffer>): string {
  try {
    new WebAssembly.Module(bytes);
    return "it cannot be validated";
  } catch (error) {
    if (!(error instanceof WebAssembly.CompileError)) throw error;
    return error.message.replace(/^WebAssembly\.Module\(\): /, "");
  }
}

function checkDefinitions({ label }: SideModule, parts: ModuleParts): void {
  const imported = parts.otherImports.filter(({ kind }) => kind === Extern.memory).length;
  if (parts.layout.memories.length > imported) {
    throw new LinkError(`${label} defines a memory of its own`);
  }
  if (parts.tables.length > 0) throw new LinkError(`${label} defines a table of its own`);
  for (const { module, name, kind } of parts.otherImports) {
    const expected = kind === Extern.memory ? MEMORY : TABLE;
    if (module === INTERPRETER && name === expected) continue;
    const what = kind === Extern.memory ? "memory" : "table";
    throw new LinkError(`${label} imports another ${what}, ${module}.${name}`);
  }
}

/** Reads and checks a module. Throws a LinkError. */
export function readSide(module: SideModule): ReadSide {
  const { label, bytes } = module;
  if (!WebAssembly.validate(bytes)) {
    throw new LinkError(`${label} is not a valid WebAssembly module: ${faultOf(bytes)}`);
  }
  const parts = workOn(label, () => readParts(bytes));
  if (parts.dylink === undefined) {
    throw new LinkError(`${label} is not a side module: it has no section dylink.0`);
  }
  checkDefinitions(module, parts);
  return { module, parts, dylink: parts.dylink };
}
