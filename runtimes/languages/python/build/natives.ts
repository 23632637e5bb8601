/**
 * Native modules of the operator's wheels, as a boot finds them in the linked module.
 *
 * @module
 */
import { BootError } from "../../../engine/boot_error.ts";
import type { CPython } from "../host/cpython.ts";
import type { Libraries } from "../host/library_table.ts";

/** A native module that is linked into the interpreter's module. */
export interface NativeModule {
  /** Path of the file that takes the place of its `.so`. */
  readonly path: string;
  /** Name of its init function and the index of that in the function table, if it has one. */
  readonly entry: string;
  readonly slot: number | undefined;
  /** Exports to call once, in order. */
  readonly boot: readonly string[];
}

/** The parts of the image in addition to the interpreter and its library. */
export interface NativeParts {
  readonly modules: readonly NativeModule[];
  /** Start of the heap, behind the native modules; undefined when there are none. */
  readonly heapBase: number | undefined;
  /** Modules to import before the image is taken. */
  readonly preload: readonly string[];
  /** Source of `native/native_modules.py`. */
  readonly script: string;
}

/** A module that the image is to hold cannot be imported. The message begins with its name. */
export class PreloadError extends BootError {
  override name = "PreloadError";
}

const SCRIPT_PATH = "/lib/belljar/native_modules.py";

/** The libraries that the dynamic linker of a guest finds. */
export function librariesOf(modules: readonly NativeModule[]): Libraries {
  return new Map(
    modules.map(({ path, entry, slot }) =>
      [path, new Map(slot === undefined ? [] : [[entry, slot]])] as const
    ),
  );
}

/** Calls the exports of a native module that must be called once. Throws a BootError that names it. */
export function constructModule(python: CPython, { path, boot }: NativeModule): void {
  try {
    for (const name of boot) python.callExport(name);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "it is not a module of this engine";
    throw new BootError(`${path} cannot be initialized: ${reason}`);
  }
}

/** Whether there is a native module or a module to preload. */
function isNeeded({ modules, preload }: NativeParts): boolean {
  return modules.length > 0 || preload.length > 0;
}

/** Saves Python's loader of native modules. Call this before the driver is loaded: it replaces the loader. */
export function keepLoader(python: CPython, parts: NativeParts): void {
  if (!isNeeded(parts)) return;
  const source = `__import__("sys").belljar_create_dynamic = __import__("_imp").create_dynamic`;
  if (!python.runSource(source)) throw new BootError("Python has no loader of native modules");
}

/**
 * Makes the native modules importable, and imports the modules to preload. Call it after the driver is
 * loaded. `said` returns what Python printed. Throws a PreloadError.
 */
export function installNatives(python: CPython, parts: NativeParts, said: () => string): void {
  if (!isNeeded(parts)) return;
  const given = JSON.stringify({
    paths: parts.modules.map(({ path }) => path),
    names: parts.preload,
  });
  const source = `exec(compile(${JSON.stringify(parts.script)}, "${SCRIPT_PATH}", "exec"), {
    "__builtins__": dict(__import__("builtins").__dict__), "__name__": "belljar_driver.native_modules",
    "given": ${JSON.stringify(given)},
})`;
  if (python.runSource(source)) return;
  const [, problem] = /^(?:[\w.]+\.)?PreloadError: (.+)$/m.exec(said()) ?? [];
  throw problem === undefined ? new BootError(said()) : new PreloadError(problem);
}
