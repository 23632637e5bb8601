/**
 * The dynamic linker. All libraries are linked into the module at build time: `dlopen` and `dlsym` only
 * look them up, and no other library can be loaded.
 *
 * @module
 */
import { FileError } from "../../../files/file_error.ts";
import { pathAt } from "./file_call.ts";
import type { GuestProcess } from "./guest_process.ts";
import type { LibrarySymbols } from "./library_table.ts";

/** Fuel for a look-up. */
const LOOKUP_FUEL = 20_000;
/** Offset of the path in the C library's record of a library. */
const PATH_IN_RECORD = 36;

/** The text at an address from the guest; undefined when there is no valid text. */
function textAt(process: GuestProcess, at: number): string | undefined {
  try {
    return pathAt(process, at);
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

function libraryOf(process: GuestProcess, record: number): LibrarySymbols | undefined {
  const path = textAt(process, (record >>> 0) + PATH_IN_RECORD);
  return path === undefined ? undefined : process.libraries.get(path);
}

/** The calls by their import names. */
export function libraryCalls(process: GuestProcess) {
  return {
    _dlopen_js: (record: number) => {
      process.charge(LOOKUP_FUEL);
      return libraryOf(process, record) === undefined ? 0 : 1;
    },
    _dlsym_js: (record: number, symbol: number) => {
      process.charge(LOOKUP_FUEL);
      const name = textAt(process, symbol);
      return name === undefined ? 0 : libraryOf(process, record)?.get(name) ?? 0;
    },
  };
}
