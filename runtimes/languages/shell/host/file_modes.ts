/**
 * Permission bits of files, which WASI does not have: two functions of the host that the module
 * imports beside it.
 *
 * @module
 */
import { FileError } from "../../../files/file_error.ts";
import type { GuestFileSystem } from "../../../files/guest_file_system.ts";
import { decodePath } from "../../../files/path_text.ts";

/** The name under which the module imports the functions. */
export const MODES_MODULE = "belljar";

const PERMISSION_BITS = 0o7777;
const REFUSED = -1;

/** The parts of the host that the functions use. */
export interface FileModesOptions {
  readonly files: GuestFileSystem;
  /** A copy of bytes of the guest's memory; undefined when they are not in it. */
  bytes(pointer: number, length: number): Uint8Array<ArrayBuffer> | undefined;
  /** Charges fuel for so many bytes of a path. */
  charge(pathBytes: number): void;
}

/** The functions. Each returns -1 for a path that cannot be read, or has no file. */
export function fileModes(options: FileModesOptions): WebAssembly.ModuleImports {
  const { files } = options;
  const withPath = (pointer: number, length: number, work: (path: string) => number): number => {
    const size = length >>> 0;
    options.charge(Math.min(size, files.limits.pathBytes));
    if (size > files.limits.pathBytes) return REFUSED;
    const bytes = options.bytes(pointer >>> 0, size);
    if (bytes === undefined) return REFUSED;
    try {
      return work(decodePath(bytes));
    } catch (error) {
      if (error instanceof FileError) return REFUSED;
      throw error;
    }
  };
  return {
    mode: (pointer: number, length: number) =>
      withPath(pointer, length, (path) => files.stat(path).mode & PERMISSION_BITS),
    set_mode: (pointer: number, length: number, mode: number) =>
      withPath(pointer, length, (path) => {
        files.setMode(path, mode & PERMISSION_BITS);
        return 0;
      }),
  };
}
