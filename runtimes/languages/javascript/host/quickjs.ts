/**
 * One instance of the metered QuickJS module: its memory, the functions of its C API, and transfer
 * of text and bytes in and out. It is independent of runs, limits and the guest environment.
 *
 * A {@linkcode Value} that a method returns is owned by its receiver.
 *
 * @module
 */
import type { RunClock } from "../../../engine/clock.ts";
import { MemorySize } from "../../../engine/memory_size.ts";
import {
  addHostFunctions,
  type HostFunctionIndexes,
  type HostFunctions,
} from "./host_functions.ts";
import {
  FUNCTION_WITH_NUMBER,
  isException,
  isObject,
  NUMBER_FUNCTIONS,
  OBJECT_IS_BYTECODE,
  STACK_POINTER_EXPORT,
  TABLE_EXPORT,
  UNDEFINED,
  type Value,
  VALUE_BYTES,
  VALUE_FUNCTIONS,
} from "./quickjs_abi.ts";
import { quickJsImports } from "./quickjs_imports.ts";

type Argument = number | bigint;
type Exports =
  & Readonly<Record<typeof NUMBER_FUNCTIONS[number], (...args: readonly Argument[]) => number>>
  & Readonly<Record<typeof VALUE_FUNCTIONS[number], (...args: readonly Argument[]) => Value>>;

/** Callbacks of an instance. */
export interface QuickJsHooks extends HostFunctions {
  charge(units: number): void;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const WORD = 4;
/**
 * The beginning of an encoded surrogate: no other character has this second byte after this first
 * byte.
 */
const SURROGATE_LEAD = 0xed;
const SURROGATE_SECOND = 0xa0;

function exportedFunctions(instance: WebAssembly.Instance): Exports {
  const names = [...NUMBER_FUNCTIONS, ...VALUE_FUNCTIONS];
  for (const name of names) {
    if (typeof instance.exports[name] !== "function") {
      throw new TypeError(`The module exports no function "${name}"`);
    }
  }
  return Object.fromEntries(names.map((name) => [name, instance.exports[name]])) as Exports;
}

function exported<T>(
  instance: WebAssembly.Instance,
  name: string,
  kind: abstract new (...args: never[]) => T,
): T {
  const value: unknown = instance.exports[name];
  if (value instanceof kind) return value;
  throw new TypeError(`The module exports no ${kind.name} "${name}"`);
}

function viewOf(memory: WebAssembly.Memory): Uint8Array<ArrayBuffer> {
  const { buffer } = memory;
  if (buffer instanceof ArrayBuffer) return new Uint8Array(buffer);
  throw new TypeError("The memory is shared");
}

/**
 * Writes U+FFFD over surrogates, which QuickJS encodes as three bytes, like U+FFFD itself. A text
 * may consist only of surrogates: each takes about as long as any other byte.
 */
export function replaceSurrogates(data: Uint8Array): void {
  let at = data.indexOf(SURROGATE_LEAD);
  if (at < 0) return;
  for (const { length } = data; at < length; at++) {
    if (data[at] !== SURROGATE_LEAD || (data[at + 1] ?? 0) < SURROGATE_SECOND) continue;
    data[at] = 0xef; // writes beyond the end are ignored
    data[at + 1] = 0xbf;
    data[at + 2] = 0xbd;
  }
}

/** An instance of QuickJS. */
export class QuickJs {
  readonly memory: WebAssembly.Memory;
  /** The size that the guest sees. */
  readonly size: MemorySize;
  readonly fn: Exports;
  /** Fuel left; negative once used up. */
  readonly fuel: WebAssembly.Global;
  /** The shadow stack's pointer. */
  readonly stackPointer: WebAssembly.Global;
  /** The functions that the engine calls by number. */
  readonly table: WebAssembly.Table;
  /** The host's functions in the table. */
  readonly hostFunctions: HostFunctionIndexes;
  /** Most pages of 64 KiB that its memory may have. */
  readonly maximumPages: number;
  /** JSContext and JSRuntime of the only context. */
  context = 0;
  runtime = 0;
  #bytes: Uint8Array<ArrayBuffer>;

  constructor(
    module: WebAssembly.Module,
    options: {
      readonly clock: RunClock;
      readonly maximumPages: number;
      readonly hooks: QuickJsHooks;
    },
  ) {
    const { hooks } = options;
    const instance = new WebAssembly.Instance(
      module,
      quickJsImports({
        memory: () => this.memory,
        clock: options.clock,
        charge: (units) => hooks.charge(units),
      }),
    );
    this.fn = exportedFunctions(instance);
    this.memory = exported(instance, "memory", WebAssembly.Memory);
    this.fuel = exported(instance, "__fuel", WebAssembly.Global);
    this.stackPointer = exported(instance, STACK_POINTER_EXPORT, WebAssembly.Global);
    this.table = exported(instance, TABLE_EXPORT, WebAssembly.Table);
    this.maximumPages = options.maximumPages;
    this.hostFunctions = addHostFunctions(this.table, hooks);
    this.#bytes = viewOf(this.memory);
    this.size = new MemorySize(this.memory, instance.exports);
  }

  /** All of memory. A view becomes stale when memory grows: ask again after each call. */
  get bytes(): Uint8Array<ArrayBuffer> {
    if (this.#bytes.buffer !== this.memory.buffer) this.#bytes = viewOf(this.memory);
    return this.#bytes;
  }

  /** The part of memory that the guest sees. */
  get guestBytes(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.size.bytes);
  }

  /** A view for single words; the rule for `bytes` applies. */
  get view(): DataView<ArrayBuffer> {
    return new DataView(this.bytes.buffer);
  }

  /** Memory from the C library. Throws a RangeError when there is none. */
  allocate(bytes: number): number {
    const pointer = this.fn.malloc(bytes);
    if (pointer === 0) throw new RangeError("out of memory");
    return pointer;
  }

  /** Copies text into memory, followed by a NUL. The caller frees it. */
  newCString(text: string): { readonly pointer: number; readonly length: number } {
    const encoded = encoder.encode(text);
    return { pointer: this.newBytes(encoded), length: encoded.length };
  }

  /** Copies bytes into memory, followed by a NUL. The caller frees them. */
  newBytes(data: Uint8Array): number {
    const pointer = this.allocate(data.length + 1);
    const { bytes } = this;
    bytes.set(data, pointer);
    bytes[pointer + data.length] = 0;
    return pointer;
  }

  /** A string value. */
  newString(text: string): Value {
    const { pointer, length } = this.newCString(text);
    const value = this.fn.JS_NewStringLen(this.context, pointer, length);
    this.fn.free(pointer);
    return value;
  }

  /** An ArrayBuffer with a copy of the bytes. */
  newArrayBuffer(data: Uint8Array): Value {
    const pointer = this.newBytes(data);
    const value = this.fn.JS_NewArrayBufferCopy(this.context, pointer, data.length);
    this.fn.free(pointer);
    return value;
  }

  /** The bytes that a function returns by address and length; undefined when it throws. */
  #measured(
    read: (length: number) => number,
    limit: number,
  ): { readonly pointer: number; readonly data: Uint8Array<ArrayBuffer> } | undefined {
    const lengthAt = this.allocate(WORD);
    const pointer = read(lengthAt);
    const length = this.view.getUint32(lengthAt, true);
    this.fn.free(lengthAt);
    if (pointer === 0) return undefined;
    return { pointer, data: this.bytes.slice(pointer, pointer + Math.min(length, limit)) };
  }

  /**
   * A value's string conversion in UTF-8, lone surrogates as U+FFFD; at most `limit` bytes.
   * Undefined when the conversion throws.
   */
  stringBytes(value: Value, limit = Infinity): Uint8Array<ArrayBuffer> | undefined {
    const found = this.#measured(
      (length) => this.fn.JS_ToCStringLen2(this.context, length, value, 0),
      limit,
    );
    if (found === undefined) {
      this.#dropException();
      return undefined;
    }
    this.fn.JS_FreeCString(this.context, found.pointer);
    replaceSurrogates(found.data);
    return found.data;
  }

  /** Text of a value's string conversion; undefined when the conversion throws. */
  text(value: Value): string | undefined {
    const data = this.stringBytes(value);
    return data === undefined ? undefined : decoder.decode(data);
  }

  /** A copy of an ArrayBuffer's bytes; undefined for other values. */
  arrayBufferBytes(value: Value): Uint8Array<ArrayBuffer> | undefined {
    if (this.fn.JS_IsArrayBuffer(value) === 0) return undefined;
    const found = this.#measured(
      (length) => this.fn.JS_GetArrayBuffer(this.context, length, value),
      Infinity,
    );
    if (found === undefined) this.#dropException();
    return found?.data ?? new Uint8Array(); // one without bytes has no address
  }

  /** Property of an object. */
  property(object: Value, name: string): Value {
    const { pointer } = this.newCString(name);
    const value = this.fn.JS_GetPropertyStr(this.context, object, pointer);
    this.fn.free(pointer);
    return value;
  }

  /** Sets a property of an object. The value stays the caller's. */
  setProperty(object: Value, name: string, value: Value): void {
    const { pointer } = this.newCString(name);
    this.fn.JS_SetPropertyStr(this.context, object, pointer, this.dup(value));
    this.fn.free(pointer);
  }

  /** Calls a function with `this` undefined; the arguments stay the caller's. */
  call(callee: Value, args: readonly Value[]): Value {
    const argv = this.allocate(Math.max(1, args.length) * VALUE_BYTES);
    const { view } = this;
    args.forEach((value, index) => view.setBigInt64(argv + index * VALUE_BYTES, value, true));
    const result = this.fn.JS_Call(this.context, callee, UNDEFINED, args.length, argv);
    this.fn.free(argv);
    return result;
  }

  /** The nth of the arguments at an address; it stays the caller's. */
  argument(argv: number, index: number): Value {
    return this.view.getBigInt64(argv + index * VALUE_BYTES, true);
  }

  /** The exception, if `value` represents one. */
  exception(value: Value): Value | undefined {
    return isException(value) ? this.fn.JS_GetException(this.context) : undefined;
  }

  #dropException(): void {
    this.release(this.fn.JS_GetException(this.context));
  }

  /** A native function of the host, identified by `id` when it is called. */
  newFunction(name: string, parameters: number, id: number): Value {
    const { pointer } = this.newCString(name);
    const { call } = this.hostFunctions;
    const value = this.fn.JS_NewCFunction2(
      ...[this.context, call, pointer, parameters, FUNCTION_WITH_NUMBER, id],
    );
    this.fn.free(pointer);
    return value;
  }

  /** Evaluates a script. */
  evaluate(code: string, fileName: string, flags: number): Value {
    const source = this.newCString(code);
    const result = this.evaluateAt(source, fileName, flags);
    this.fn.free(source.pointer);
    return result;
  }

  /** Evaluates a script in memory, which a NUL follows. */
  evaluateAt(
    { pointer, length }: { readonly pointer: number; readonly length: number },
    fileName: string,
    flags: number,
  ): Value {
    const name = this.newCString(fileName);
    const result = this.fn.JS_Eval(this.context, pointer, length, name.pointer, flags);
    this.fn.free(name.pointer);
    return result;
  }

  /** A compiled script as bytecode; undefined when it cannot be written. */
  writeBytecode(compiled: Value): Uint8Array<ArrayBuffer> | undefined {
    const found = this.#measured(
      (length) => this.fn.JS_WriteObject(this.context, length, compiled, OBJECT_IS_BYTECODE),
      Infinity,
    );
    if (found !== undefined) this.fn.js_free(this.context, found.pointer);
    return found?.data;
  }

  /** The compiled script that bytecode in memory describes. */
  readBytecode(
    { pointer, length }: { readonly pointer: number; readonly length: number },
  ): Value {
    return this.fn.JS_ReadObject(this.context, pointer, length, OBJECT_IS_BYTECODE);
  }

  /** Whether a value is a function. */
  isFunction(value: Value): boolean {
    return this.fn.JS_IsFunction(this.context, value) !== 0;
  }

  /** The state of a promise; negative for other values. */
  promiseState(value: Value): number {
    return isObject(value) ? this.fn.JS_PromiseState(this.context, value) : -1;
  }

  /** The value or the reason of a settled promise. */
  promiseResult(promise: Value): Value {
    return this.fn.JS_PromiseResult(this.context, promise);
  }

  /** The value once more. */
  dup(value: Value): Value {
    return this.fn.JS_DupValue(this.context, value);
  }

  /** Releases a value. */
  release(value: Value): void {
    this.fn.JS_FreeValue(this.context, value);
  }
}
