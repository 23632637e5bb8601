/**
 * Makes the Python engine's baseline image: an interpreter with the driver and the modules that
 * common programs import, taken before any guest code runs. Every boot gives the same bytes: the
 * clocks stand still, random bytes are zero, and the hash seed is fixed.
 *
 * @module
 */
import { BootError } from "../../../engine/boot_error.ts";
import { STOPPED_TIME } from "../../../engine/clock.ts";
import { WORKSPACE } from "../../../../client/protocol/paths.ts";
import { captureRanges, type MemoryImage } from "../../../engine/image.ts";
import type { PackedFile } from "../../../engine/packed_library.ts";
import { WASM_PAGE_BYTES } from "../../../../wasm/metering/wasm_page.ts";
import { type CPython, STATE_GLOBALS } from "../host/cpython.ts";
import { REMOVED_BUILTINS } from "../host/cpython_abi.ts";
import { ERROR_TEXT_BYTES } from "../host/error_calls.ts";
import { LINUX_ERRORS, SECOND_NAMES } from "../../../engine/linux_errors.ts";
import { type ImageHead, STACK_BYTES } from "../host/image_head.ts";
import { Machine, type MachineOptions, type ReadOnlyFile } from "../host/machine.ts";
import {
  constructModule,
  installNatives,
  keepLoader,
  librariesOf,
  type NativeModule,
  type NativeParts,
} from "./natives.ts";

/** Files as Python finds them. */
export const PYTHON_PATHS = {
  standardLibrary: "/lib/python314.zip",
  packages: "/lib/python3.14/site-packages",
  driver: "/lib/belljar",
} as const;

/** The options of a boot. */
export interface BootOptions {
  readonly module: WebAssembly.Module;
  readonly trampoline: WebAssembly.Module;
  readonly maximumPages: number;
  /** The standard library and packages. */
  readonly files: readonly PackedFile[];
  /** Sources of the driver, by file name. `bootstrap.py` is run and loads the others. */
  readonly driver: ReadonlyMap<string, string>;
  /** Installed packages, as errors name them. */
  readonly packages: readonly string[];
  /** Native modules, and modules to import. @default {none} */
  readonly natives?: NativeParts;
}

const NO_NATIVES: NativeParts = { modules: [], heapBase: undefined, preload: [], script: "" };

/** Name of the driver's source that defines error numbers. */
export const ERRORS_SOURCE = "linux_errors.py";
/**
 * Pages beyond the heap that are there at the start of a run. Most programs need no more, and every
 * reset compares them.
 */
const SPARE_PAGES = 64;
const INITTAB_ENTRY_BYTES = 8;
/** The only name that `errno.errorcode` prefers to an earlier one for its number. */
const USUAL_SECOND_NAME = "EDEADLOCK";

/** A machine whose time stands still and whose random bytes are all zero. */
export function bootMachine(
  parts: Omit<MachineOptions, "time" | "random">,
): { readonly machine: Machine; readonly said: () => string } {
  const said: string[] = [];
  const machine = new Machine({
    ...parts,
    time: STOPPED_TIME,
    random: (target) => void target.fill(0),
  });
  const decoder = new TextDecoder();
  machine.listen((_stream, bytes) => {
    said.push(decoder.decode(bytes));
    return true;
  });
  return { machine, said: () => said.join("") };
}

/** Removes entries from the table of built-in modules. */
function removeBuiltins(python: CPython): void {
  const { memory } = python;
  const table = memory.u32(python.address("inittab"));
  let to = table;
  for (let from = table;; from += INITTAB_ENTRY_BYTES) {
    const name = memory.u32(from);
    if (name !== 0 && REMOVED_BUILTINS.has(python.cText(name))) continue;
    memory.setU32(to, name);
    memory.setU32(to + 4, memory.u32(from + 4));
    if (name === 0) return;
    to += INITTAB_ENTRY_BYTES;
  }
}

function initialise(python: CPython): void {
  const { fn } = python;
  const config = fn.PyInitConfig_Create();
  const integers = {
    use_hash_seed: 1,
    hash_seed: 0,
    utf8_mode: 1,
    use_environment: 0,
    buffered_stdio: 0,
    install_signal_handlers: 1,
    write_bytecode: 0,
    pathconfig_warnings: 0,
    parse_argv: 0,
    faulthandler: 0,
  };
  for (const [name, value] of Object.entries(integers)) {
    python.withText(name, (at) => check(python, config, setInteger(python, config, at, value)));
  }
  const texts = { home: "/", executable: "/usr/bin/python3", program_name: "python3" };
  for (const [name, value] of Object.entries(texts)) {
    python.withText(name, (at) =>
      python.withText(
        value,
        (text) => check(python, config, fn.PyInitConfig_SetStr(config, at, text)),
      ));
  }
  setTexts(python, config, "module_search_paths", [
    WORKSPACE,
    PYTHON_PATHS.standardLibrary,
    PYTHON_PATHS.packages,
  ]);
  check(python, config, fn.Py_InitializeFromInitConfig(config));
}

/** Sets an integer option: `PyInitConfig_SetInt` takes a 64-bit number. */
function setInteger(python: CPython, config: number, name: number, value: number): number {
  return python.callWithBigInt("PyInitConfig_SetInt", [config, name], BigInt(value));
}

function setTexts(
  python: CPython,
  config: number,
  name: string,
  values: readonly string[],
): void {
  const texts = values.map((value) => python.newText(value).at);
  const list = python.fn.malloc(texts.length * 4);
  texts.forEach((at, index) => python.memory.setU32(list + index * 4, at));
  python.withText(name, (at) => {
    const { PyInitConfig_SetStrList: set } = python.fn;
    check(python, config, set(config, at, texts.length, list));
  });
  for (const at of [...texts, list]) python.fn.free(at);
}

function check(python: CPython, config: number, result: number): void {
  if (result === 0) return;
  const slot = python.fn.malloc(4);
  python.fn.PyInitConfig_GetError(config, slot);
  throw new BootError(`Python refused its configuration: ${python.cText(python.memory.u32(slot))}`);
}

/** Triples: name, Linux's number, the C library's. Of two names for a number the usual one is first. */
function errorNumbers(): readonly (readonly [name: string, linux: number, libc: number])[] {
  const seconds = new Map(Object.entries(SECOND_NAMES).map(([second, name]) => [name, second]));
  return LINUX_ERRORS.flatMap(({ name, number, emscripten }) => {
    const second = seconds.get(name);
    if (second === undefined) return [[name, number, emscripten] as const];
    const names = second === USUAL_SECOND_NAME ? [second, name] : [name, second];
    return names.map((each) => [each, number, emscripten] as const);
  });
}

/**
 * Starts Python on a machine. `errors` is the source that defines Linux's error numbers. The
 * constructors of native modules are called once Python has started, because some make Python
 * objects. Throws a BootError that names the module whose constructor fails.
 */
export function startPython(
  machine: Machine,
  errors: string,
  modules: readonly NativeModule[] = [],
): void {
  const { python } = machine;
  python.fn.__wasm_call_ctors();
  machine.errorTextAt = python.fn.malloc(ERROR_TEXT_BYTES) >>> 0;
  const offset = machine.memory.u32(python.address("trampolineOffset"));
  machine.memory.setU32(python.address("runtime") + offset, machine.trampoline);
  removeBuiltins(python);
  initialise(python);
  for (const module of modules) constructModule(python, module);
  if (!python.runSource(`${errors}\ninstall(${JSON.stringify(errorNumbers())})\n`)) {
    throw new BootError("Python refused Linux's error numbers");
  }
}

/** Bounds Python's recursion, so that Python raises before V8's stack overflows. */
function protectStack(python: CPython): Pick<ImageHead, "threadState" | "stackEnd" | "stackBase"> {
  const { fn } = python;
  const stackBase = fn.emscripten_stack_get_base() >>> 0;
  const stackEnd = fn.emscripten_stack_get_end() >>> 0;
  const threadState = fn.PyThreadState_Get() >>> 0;
  fn.PyUnstable_ThreadState_SetStackProtection(threadState, stackBase - STACK_BYTES, STACK_BYTES);
  return { threadState, stackEnd, stackBase };
}

/** A machine with a started interpreter, its driver and its preloaded modules. */
function bootDriver(parts: BootOptions) {
  const encoder = new TextEncoder();
  const sources = [...parts.driver, ["packages.json", JSON.stringify(parts.packages)] as const];
  const driver = sources.map(([name, text]) =>
    [`${PYTHON_PATHS.driver}/${name}`, encoder.encode(text)] as const
  );
  const natives = parts.natives ?? NO_NATIVES;
  const { machine, said } = bootMachine({
    ...parts,
    libraries: librariesOf(natives.modules),
    readOnlyFiles: [...parts.files, ...driver],
  });
  const { python } = machine;
  startPython(machine, parts.driver.get(ERRORS_SOURCE) ?? "", natives.modules);
  const thread = protectStack(python);
  keepLoader(python, natives);
  if (!python.runSource(parts.driver.get("bootstrap.py") ?? "")) throw new BootError(said());
  installNatives(python, natives, said);
  return { machine, said, thread };
}

/**
 * Files that a program writes to a folder, by their names: for packages whose caches take long to make.
 * Throws a BootError with Python's output when the program fails.
 */
export function filesOfProgram(
  parts: BootOptions,
  program: string,
  folder: string,
): readonly ReadOnlyFile[] {
  const { machine, said } = bootDriver(parts);
  if (!machine.python.runSource(program)) throw new BootError(said());
  return machine.files.entries(folder).map((inode): ReadOnlyFile => {
    const bytes = new Uint8Array(inode.kind === "file" ? inode.content.size : 0);
    if (inode.kind === "file") machine.files.data.read(inode, 0, bytes);
    return [inode.entryName, bytes];
  });
}

/** Boots the module with the driver and takes the image. */
export function bootImage(parts: BootOptions): MemoryImage<ImageHead> {
  const { machine, said, thread } = bootDriver(parts);
  const { python } = machine;
  const begin = takeFromSys(python, "belljar_begin");
  const resume = takeFromSys(python, "belljar_resume");
  const fail = takeFromSys(python, "belljar_fail");
  const lineOf = takeFromSys(python, "belljar_line");
  const functions = { begin, resume, fail, lineOf };
  if (Object.values(functions).includes(0)) throw new BootError(said());
  const { heapBase } = parts.natives ?? NO_NATIVES;
  return takeImage(machine, {
    ...thread,
    ...functions,
    errorText: machine.errorTextAt,
    ...(heapBase === undefined ? {} : { heapBase }),
  });
}

/** Removes and returns an attribute of the sys module; 0 when it does not exist. */
function takeFromSys(python: CPython, name: string): number {
  const value = python.moduleAttribute("sys", name);
  return python.runSource(`import sys\ndel sys.${name}, sys`) ? value >>> 0 : 0;
}

function takeImage(
  machine: Machine,
  known: Omit<ImageHead, "heapEnd" | "globals">,
): MemoryImage<ImageHead> {
  const { python, memory } = machine;
  const stackPointer = Number(python.stackPointer.value);
  memory.bytes.fill(0, known.stackEnd, stackPointer);
  const heapEnd = memory.u32(python.fn.emscripten_get_sbrk_ptr());
  const globals = STATE_GLOBALS.map((name) => [name, Number(python.global(name).value)] as const);
  return {
    head: { ...known, heapEnd, globals },
    pages: Math.ceil(heapEnd / WASM_PAGE_BYTES) + SPARE_PAGES,
    ranges: captureRanges(memory.bytes, [[0, known.stackEnd], [stackPointer, heapEnd]]),
  };
}
