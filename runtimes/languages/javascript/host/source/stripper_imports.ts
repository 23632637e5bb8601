/**
 * The imports of the type stripper's module: to read the options and to build its answer,
 * by wasm-bindgen's conventions. This is an allow-list. The package's own glue offers more,
 * including `new Function` and the global object; here every other import throws.
 *
 * @module
 */
import type { HandleTable } from "./handle_table.ts";

/** Name of the only module that imports come from. */
export const IMPORT_MODULE = "__wbindgen_placeholder__";

/** The instance's memory, for carrying values in and out. */
export interface GuestMemory {
  /** The text of `length` bytes of UTF-8 at `pointer`. */
  text(pointer: number, length: number): string;
  /** Writes a text into memory that the module then owns. */
  newText(text: string): { readonly pointer: number; readonly length: number };
  setInt32(pointer: number, value: number): void;
  setFloat64(pointer: number, value: number): void;
}

type ImportFunction = (...args: readonly number[]) => number | void;

/** The module called an import that type stripping does not need, or panicked. */
export class StripperRefusal extends Error {
  override name = "StripperRefusal";
}

function member(object: unknown, key: unknown): unknown {
  return typeof object === "object" && object !== null
    ? Reflect.get(object, String(key))
    : undefined;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Questions about a value. */
function questions(handles: HandleTable): Record<string, ImportFunction> {
  const test = (holds: (value: unknown) => boolean): ImportFunction => (handle = 0) =>
    holds(handles.get(handle)) ? 1 : 0;
  return {
    __wbindgen_is_bigint: test((value) => typeof value === "bigint"),
    __wbindgen_is_falsy: test((value) => !value),
    __wbindgen_is_function: test((value) => typeof value === "function"),
    __wbindgen_is_object: test((value) => typeof value === "object" && value !== null),
    __wbindgen_is_string: test((value) => typeof value === "string"),
    __wbindgen_is_undefined: test((value) => value === undefined),
    __wbindgen_in: (key = 0, object = 0) => {
      const target = handles.get(object);
      const name = String(handles.get(key));
      return typeof target === "object" && target !== null && name in target ? 1 : 0;
    },
    // loose equality, because its only use is to test whether a value is absent
    __wbindgen_jsval_loose_eq: (left = 0, right = 0) => {
      const [a, b] = [handles.get(left), handles.get(right)];
      return a === b || isAbsent(a) && isAbsent(b) ? 1 : 0;
    },
  };
}

/** Contents of a value. */
function readers(handles: HandleTable, memory: GuestMemory): Record<string, ImportFunction> {
  return {
    __wbindgen_boolean_get: (handle = 0) => {
      const value = handles.get(handle);
      return typeof value === "boolean" ? Number(value) : 2;
    },
    __wbindgen_number_get: (result = 0, handle = 0) => {
      const value = handles.get(handle);
      memory.setFloat64(result + 8, typeof value === "number" ? value : 0);
      memory.setInt32(result, typeof value === "number" ? 1 : 0);
    },
    __wbindgen_string_get: (result = 0, handle = 0) => {
      const value = handles.get(handle);
      const { pointer, length } = typeof value === "string"
        ? memory.newText(value)
        : { pointer: 0, length: 0 };
      memory.setInt32(result + 4, length);
      memory.setInt32(result, pointer);
    },
    __wbg_entries_3265d4158b33e5dc: (handle = 0) => {
      const value = handles.get(handle);
      return handles.add(typeof value === "object" && value !== null ? Object.entries(value) : []);
    },
    __wbg_get_67b2ba62fc30de12: (object = 0, key = 0) => {
      const name = handles.get(key);
      return handles.add(typeof name === "string" ? member(handles.get(object), name) : undefined);
    },
    __wbg_get_b9b93047fe3cf45b: (list = 0, index = 0) =>
      handles.add(member(handles.get(list), index)),
    __wbg_getwithrefkey_1dc361bd10053bfe: (object = 0, key = 0) =>
      handles.add(member(handles.get(object), handles.get(key))),
    __wbg_length_e2d2a49132c1b256: (list = 0) => Number(member(handles.get(list), "length")),
  };
}

/** Values that the module creates. */
function makers(handles: HandleTable, memory: GuestMemory): Record<string, ImportFunction> {
  return {
    __wbindgen_error_new: (pointer = 0, length = 0) =>
      handles.add({ message: memory.text(pointer, length) }),
    __wbindgen_number_new: (value = 0) => handles.add(value),
    __wbindgen_string_new: (pointer = 0, length = 0) => handles.add(memory.text(pointer, length)),
    __wbindgen_object_clone_ref: (handle = 0) => handles.add(handles.get(handle)),
    __wbindgen_object_drop_ref: (handle = 0) => handles.drop(handle),
    __wbg_iterator_9a24c88df860dc65: () => handles.add(Symbol.iterator),
    __wbg_new_405e22f390576ce2: () => handles.add(Object.create(null)),
    __wbg_set_3f1d0b984ed272ed: (object = 0, key = 0, value = 0) => {
      const target = handles.get(object);
      const name = String(handles.take(key));
      const content = handles.take(value);
      if (typeof target === "object" && target !== null) Reflect.set(target, name, content);
    },
    __wbindgen_throw: (pointer = 0, length = 0) => {
      throw new StripperRefusal(memory.text(pointer, length));
    },
  };
}

/** Every import of the module: those on the list, and a function that throws for each other one. */
export function stripperImports(
  module: WebAssembly.Module,
  handles: HandleTable,
  memory: GuestMemory,
): WebAssembly.Imports {
  const allowed = new Map(
    Object.entries({
      ...questions(handles),
      ...readers(handles, memory),
      ...makers(handles, memory),
    }),
  );
  const functions: Record<string, ImportFunction> = {};
  for (const { name } of WebAssembly.Module.imports(module)) {
    functions[name] = allowed.get(name) ?? (() => {
      throw new StripperRefusal(`Not allowed: ${name}`);
    });
  }
  return { [IMPORT_MODULE]: functions };
}
