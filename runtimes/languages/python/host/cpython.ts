/**
 * An instance of the CPython module. The host calls CPython's C interface through raw exports and
 * copies strings in and out. Pyodide's bridge to JavaScript is never initialised.
 *
 * @module
 */
import { MemorySize } from "../../../engine/memory_size.ts";
import { FUEL_EXPORT } from "../../../../wasm/metering/added_exports.ts";
import { UNLIMITED_FUEL } from "../../../engine/fuel.ts";
import {
  CPYTHON_ADDRESSES,
  CPYTHON_FUNCTIONS,
  type CPythonFunction,
  OTHER_STATE_GLOBALS,
  STACK_POINTER,
} from "./cpython_abi.ts";
import type { GuestMemory } from "./guest_memory.ts";

/** A pointer to a Python object; 0 is NULL. */
export type PyObject = number;
type CFunction = (...args: readonly number[]) => number;
type WideCFunction = (...args: readonly (number | bigint)[]) => number;

/** The module is not the one that this code is written for. */
class ModuleBorderError extends Error {
  override name = "ModuleBorderError";
}

const encoder = new TextEncoder();
/** Maximum length of a file or function name that is shown. */
const MAX_ATTRIBUTE_BYTES = 1024;

function isFunction(value: unknown): value is CFunction {
  return typeof value === "function";
}

function functionsOf(exports: WebAssembly.Exports): Readonly<Record<CPythonFunction, CFunction>> {
  const found = CPYTHON_FUNCTIONS.map((name) => {
    const value: unknown = exports[name];
    if (!isFunction(value)) throw new ModuleBorderError(`The module exports no function ${name}`);
    return [name, value] as const;
  });
  return Object.fromEntries(found) as Record<CPythonFunction, CFunction>;
}

function isWideFunction(value: unknown): value is WideCFunction {
  return typeof value === "function";
}

/** The module's mutable globals. With the memory they are its whole state. */
export const STATE_GLOBALS: readonly string[] = [STACK_POINTER, ...OTHER_STATE_GLOBALS];

/** A module instance. */
export class CPython {
  readonly memory: GuestMemory;
  readonly table: WebAssembly.Table;
  readonly fuel: WebAssembly.Global;
  readonly fn: Readonly<Record<CPythonFunction, CFunction>>;
  readonly #exports: WebAssembly.Exports;

  constructor(module: WebAssembly.Module, imports: WebAssembly.Imports, memory: GuestMemory) {
    const { exports } = new WebAssembly.Instance(module, imports);
    const table = exports["__indirect_function_table"];
    const own = exports["memory"];
    const fuel = exports[FUEL_EXPORT];
    if (!(own instanceof WebAssembly.Memory) || !(table instanceof WebAssembly.Table)) {
      throw new ModuleBorderError("The module exports no memory or no table");
    }
    if (!(fuel instanceof WebAssembly.Global)) {
      throw new ModuleBorderError("The module is not metered");
    }
    memory.attach(own, new MemorySize(own, exports));
    this.memory = memory;
    this.table = table;
    this.fuel = fuel;
    this.fn = functionsOf(exports);
    this.#exports = exports;
    this.fuel.value = UNLIMITED_FUEL;
  }

  /** An exported global. */
  global(name: string): WebAssembly.Global {
    const value = this.#exports[name];
    if (value instanceof WebAssembly.Global) return value;
    throw new ModuleBorderError(`The module exports no global ${name}`);
  }

  /** Calls a function whose last parameter is a 64-bit number. */
  callWithBigInt(name: CPythonFunction, args: readonly number[], last: bigint): number {
    const callee: unknown = this.#exports[name];
    if (!isWideFunction(callee)) throw new ModuleBorderError(`There is no function ${name}`);
    return callee(...args, last);
  }

  /** Calls an exported function without parameters and results. */
  callExport(name: string): void {
    const callee: unknown = this.#exports[name];
    if (!isFunction(callee)) throw new ModuleBorderError(`There is no function ${name}`);
    callee();
  }

  /** The address of a C variable. */
  address(variable: keyof typeof CPYTHON_ADDRESSES): number {
    return Number(this.global(CPYTHON_ADDRESSES[variable]).value);
  }

  get stackPointer(): WebAssembly.Global {
    return this.global(STACK_POINTER);
  }

  /** Copies text, with a NUL at its end, into memory of the C library. The caller frees it. */
  newText(text: string): { readonly at: number; readonly length: number } {
    const bytes = encoder.encode(text);
    const at = this.fn.malloc(bytes.length + 1) >>> 0;
    if (at === 0) throw new RangeError("out of memory");
    this.memory.bytes.set(bytes, at);
    this.memory.bytes[at + bytes.length] = 0;
    return { at, length: bytes.length };
  }

  /** Calls a function with a C string that is freed after the call. */
  withText<Result>(text: string, use: (at: number, length: number) => Result): Result {
    const { at, length } = this.newText(text);
    try {
      return use(at, length);
    } finally {
      this.fn.free(at);
    }
  }

  /** The NUL-terminated text at an address. */
  cText(at: number): string {
    const { bytes } = this.memory;
    const end = bytes.indexOf(0, at >>> 0);
    return new TextDecoder().decode(bytes.subarray(at >>> 0, end < 0 ? bytes.length : end));
  }

  /** A new `bytes` object; throws a RangeError when there is no memory for it. */
  newBytes(content: Uint8Array): PyObject {
    const object = this.fn.PyBytes_FromStringAndSize(0, content.length);
    if (object === 0) throw new RangeError("out of memory");
    this.memory.span(this.fn.PyBytes_AsString(object), content.length).set(content);
    return object;
  }

  /** Whether the type of an object is exactly `bytes`, not a subclass. */
  isBytes(object: PyObject): boolean {
    const type = this.fn.PyObject_Type(object);
    this.fn.Py_DecRef(type);
    return type === this.address("bytesType");
  }

  /** The content of a `bytes` object: a view, valid until Python runs again. */
  bytesOf(object: PyObject): Uint8Array<ArrayBuffer> {
    const length = this.fn.PyBytes_Size(object);
    const at = this.fn.PyBytes_AsString(object);
    if (length < 0 || at === 0) throw new TypeError("The object is not bytes");
    return this.memory.span(at, length);
  }

  /** The first part of the text of an attribute; undefined when the attribute is not a `str`. */
  textAttribute(object: PyObject, name: string): string | undefined {
    const value = this.withText(name, (at) => this.fn.PyObject_GetAttrString(object, at));
    return value === 0 ? undefined : this.textOf(value);
  }

  /** The first part of the text of a `str`; undefined for another object. */
  textOf(object: PyObject): string | undefined {
    const encoded = this.fn.PyUnicode_AsUTF8String(object);
    if (encoded === 0) return undefined;
    return new TextDecoder().decode(this.bytesOf(encoded).subarray(0, MAX_ATTRIBUTE_BYTES));
  }

  /**
   * Runs Python source in `__main__`. False when it raised; Python has then printed the exception.
   */
  runSource(source: string): boolean {
    return this.withText(source, (at) => this.fn.PyRun_SimpleString(at)) === 0;
  }

  /** An attribute of a module; 0 when it does not exist or the import raised. */
  moduleAttribute(module: string, name: string): PyObject {
    const imported = this.withText(module, (at) => this.fn.PyImport_ImportModule(at));
    if (imported === 0) return 0;
    const value = this.withText(name, (at) => this.fn.PyObject_GetAttrString(imported, at));
    this.fn.Py_DecRef(imported);
    return value;
  }
}
