/**
 * One instance of the metered QuickJS module: its memory, its exports under readable names, and
 * transfer of text in and out. It is independent of runs, limits and the guest environment.
 *
 * A `Value` is a pointer to a JSValue in the instance's memory, owned by its receiver.
 *
 * @module
 */
import { INITIAL_PAGES, QUICKJS_EXPORTS, type QuickJsExport } from "./quickjs_abi.ts";
import { type ImportHost, quickJsImports } from "./quickjs_imports.ts";
import type { RunClock } from "../clock.ts";
import { MemorySize } from "../memory_size.ts";

/** Pointer to a JSValue. */
export type Value = number;

type WasmFunction = (...args: readonly (number | bigint)[]) => number;
type Exports = Readonly<Record<QuickJsExport, WasmFunction>>;

/** Callbacks of an instance. */
export interface QuickJsHooks {
  /** `id` is the number that the function was made with. */
  hostCall(id: number, argc: number, argv: number): Value;
  shouldInterrupt(): boolean;
  /** A promise was rejected without a handler, or got a handler later. */
  rejection(promise: bigint, reason: bigint, handled: boolean): void;
  growing(pages: number): void;
  charge(units: number): void;
}

/** Where the parts of the engine's structures lie; found at boot, see `layout.ts`. */
export interface StringLayout {
  /** Bytes from the start of a C string back to the word that holds its length. */
  readonly lengthBefore: number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const LENGTH_MASK = 0x7fffffff;
/** Tag, in the upper half of a value, of a declared name without a value. */
const UNINITIALIZED_TAG = 4n;
/** The first letters of `number`; no other type name begins with them. */
const NUMBER_INITIAL = 0x6e;
const NUMBER_SECOND = 0x75;
/**
 * The beginning of an encoded surrogate: no other character has this second byte after this first
 * byte.
 */
const SURROGATE_LEAD = 0xed;
const SURROGATE_SECOND = 0xa0;
/** The first letter of `string`; no other type name begins with it. */
const STRING_START = [0x73, 0x74] as const;

function exportedFunction(instance: WebAssembly.Instance, name: string): WasmFunction {
  const value = instance.exports[name];
  if (typeof value !== "function") throw new TypeError(`The module exports no function "${name}"`);
  return value as WasmFunction;
}

function viewOf(memory: WebAssembly.Memory): Uint8Array<ArrayBuffer> {
  const { buffer } = memory;
  if (buffer instanceof ArrayBuffer) return new Uint8Array(buffer);
  throw new TypeError("The memory is shared");
}

function exportedGlobal(instance: WebAssembly.Instance, name: string): WebAssembly.Global {
  const value = instance.exports[name];
  if (!(value instanceof WebAssembly.Global)) {
    throw new TypeError(`The module exports no global "${name}"`);
  }
  return value;
}

/**
 * A module with one function, `r`, of the type of a promise rejection tracker, which calls its
 * import. A WebAssembly table accepts only functions that a module exports.
 */
// deno-fmt-ignore
const TRACKER_MODULE = new Uint8Array([
  0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
  1, 9, 1, 0x60, 5, 0x7f, 0x7e, 0x7e, 0x7f, 0x7f, 0, // type (i32 i64 i64 i32 i32) -> ()
  2, 7, 1, 1, 0x68, 1, 0x72, 0, 0, // import h.r
  3, 2, 1, 0, // one function of that type
  7, 5, 1, 1, 0x72, 0, 1, // export r
  10, 16, 1, 14, 0, 0x20, 0, 0x20, 1, 0x20, 2, 0x20, 3, 0x20, 4, 0x10, 0, 0x0b,
]);

/** Bits as `QuickJs.bits` reads them: WebAssembly passes them as signed numbers. */
function unsigned(bits: bigint): bigint {
  return BigInt.asUintN(64, bits);
}

function trackerFunction(hooks: QuickJsHooks): WasmFunction {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(TRACKER_MODULE), {
    h: {
      r: (_context: number, promise: bigint, reason: bigint, handled: number) =>
        hooks.rejection(unsigned(promise), unsigned(reason), handled !== 0),
    },
  });
  return exportedFunction(instance, "r");
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
  /** Index of the rejection tracker in the function table. */
  readonly trackerIndex: number;
  /** Most pages of 64 KiB that its memory may have. */
  readonly maximumPages: number;
  /** JSContext and JSRuntime of the only context. */
  context = 0;
  runtime = 0;
  /** Set after the search, or from an image. */
  strings: StringLayout = { lengthBefore: 0 };
  #bytes: Uint8Array<ArrayBuffer>;

  constructor(
    module: WebAssembly.Module,
    options: {
      readonly clock: RunClock;
      readonly pages?: number;
      readonly maximumPages: number;
      readonly hooks: QuickJsHooks;
    },
  ) {
    this.memory = new WebAssembly.Memory({
      initial: options.pages ?? INITIAL_PAGES,
      maximum: options.maximumPages,
    });
    const { hooks } = options;
    const host: ImportHost = {
      memory: this.memory,
      size: () => this.size,
      clock: options.clock,
      hostCall: (id, argc, argv) => hooks.hostCall(id, argc, argv),
      shouldInterrupt: () => hooks.shouldInterrupt(),
      growing: (pages) => hooks.growing(pages),
      charge: (units) => hooks.charge(units),
    };
    const instance = new WebAssembly.Instance(module, quickJsImports(host));
    const names = Object.entries(QUICKJS_EXPORTS);
    this.fn = Object.fromEntries(
      names.map(([ours, theirs]) => [ours, exportedFunction(instance, theirs)]),
    ) as Record<QuickJsExport, WasmFunction>;
    this.fuel = exportedGlobal(instance, "__fuel");
    this.stackPointer = exportedGlobal(instance, "__g0");
    const table = instance.exports["__t0"];
    if (!(table instanceof WebAssembly.Table)) throw new TypeError("The module exports no table");
    this.table = table;
    this.maximumPages = options.maximumPages;
    this.trackerIndex = table.grow(1);
    table.set(this.trackerIndex, trackerFunction(hooks));
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

  /** Copies text into memory, followed by a NUL. The caller frees it. */
  newCString(text: string): { readonly pointer: number; readonly length: number } {
    const encoded = encoder.encode(text);
    return { pointer: this.newBytes(encoded), length: encoded.length };
  }

  /** Copies bytes into memory, followed by a NUL. The caller frees them. */
  newBytes(data: Uint8Array): number {
    const pointer = this.fn.malloc(data.length + 1);
    if (pointer === 0) throw new RangeError("out of memory");
    const bytes = this.bytes;
    bytes.set(data, pointer);
    bytes[pointer + data.length] = 0;
    return pointer;
  }

  /** A string value. The text must hold no NUL. */
  newString(text: string): Value {
    const { pointer } = this.newCString(text);
    const value = this.fn.newString(this.context, pointer);
    this.fn.free(pointer);
    return value;
  }

  /** An ArrayBuffer with a copy of the bytes. */
  newArrayBuffer(data: Uint8Array): Value {
    return this.fn.newArrayBuffer(this.context, this.newBytes(data), data.length);
  }

  /**
   * A value's string conversion in UTF-8, lone surrogates as U+FFFD; at most `limit` bytes.
   * Undefined when the conversion throws.
   */
  stringBytes(value: Value, limit = Infinity): Uint8Array<ArrayBuffer> | undefined {
    const pointer = this.fn.getString(this.context, value);
    if (pointer === 0) return undefined;
    const length = this.view.getUint32(pointer - this.strings.lengthBefore, true) & LENGTH_MASK;
    const data = this.bytes.slice(pointer, pointer + Math.min(length, limit));
    this.fn.freeCString(this.context, pointer);
    replaceSurrogates(data);
    return data;
  }

  /** Text of a value's string conversion; undefined when the conversion throws. */
  text(value: Value): string | undefined {
    const data = this.stringBytes(value);
    return data === undefined ? undefined : decoder.decode(data);
  }

  /** A copy of an ArrayBuffer's bytes; undefined for other values. */
  arrayBufferBytes(value: Value): Uint8Array<ArrayBuffer> | undefined {
    const length = this.fn.getArrayBufferLength(this.context, value);
    const pointer = this.fn.getArrayBuffer(this.context, value);
    if (pointer === 0 || length < 0) return undefined;
    const data = this.bytes.slice(pointer, pointer + length);
    this.fn.free(pointer); // the module returned a copy
    return data;
  }

  /** Property of an object. */
  property(object: Value, name: string): Value {
    const key = this.newString(name);
    const value = this.fn.getProp(this.context, object, key);
    this.release(key);
    return value;
  }

  /** Sets a property of an object. */
  setProperty(object: Value, name: string, value: Value): void {
    const key = this.newString(name);
    this.fn.setProp(this.context, object, key, value);
    this.release(key);
  }

  /** Calls a function with `this` undefined; the arguments stay the caller's. */
  call(callee: Value, args: readonly Value[]): Value {
    const argv = this.fn.malloc(Math.max(4, args.length * 4));
    const view = this.view;
    args.forEach((value, index) => view.setUint32(argv + index * 4, value, true));
    const result = this.fn.call(this.context, callee, this.fn.getUndefined(), args.length, argv);
    this.fn.free(argv);
    return result;
  }

  /** The exception, if `value` represents one; 0 otherwise. */
  exception(value: Value): Value {
    return this.fn.resolveException(this.context, value);
  }

  /** A native function of the host, identified by `id` when it is called. */
  newFunction(name: string, parameters: number, id: number): Value {
    const { pointer } = this.newCString(name);
    const value = this.fn.newFunction(this.context, pointer, parameters, 0, id);
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
    const result = this.fn.evaluate(this.context, pointer, length, name.pointer, 0, flags);
    this.fn.free(name.pointer);
    return result;
  }

  /** The JSValue that a pointer points to, as its 64 bits. */
  bits(value: Value): bigint {
    return this.view.getBigUint64(value, true);
  }

  /** Whether a value is a number stored as a double; most small integers are not. */
  isDouble(value: Value): boolean {
    const pointer = this.fn.typeOf(this.context, value);
    const isNumber = this.bytes[pointer] === NUMBER_INITIAL &&
      this.bytes[pointer + 1] === NUMBER_SECOND;
    this.fn.free(pointer);
    return isNumber && this.bits(value) >> 32n !== 0n;
  }

  /** Whether a value is a string. */
  isString(value: Value): boolean {
    const pointer = this.fn.typeOf(this.context, value);
    const found = STRING_START.every((byte, index) => this.bytes[pointer + index] === byte);
    this.fn.free(pointer);
    return found;
  }

  /** Whether the value comes from a binding without a value; no other read returns such a value. */
  isUninitialized(value: Value): boolean {
    return this.bits(value) >> 32n === UNINITIALIZED_TAG;
  }

  /** An owned value with the given bits, which must be those of a live value. */
  valueFromBits(bits: bigint): Value {
    const scratch = this.fn.malloc(8);
    this.view.setBigUint64(scratch, bits, true);
    const value = this.fn.dupValue(this.context, scratch);
    this.fn.free(scratch);
    return value;
  }

  /** Releases a value. */
  release(value: Value): void {
    this.fn.freeValue(this.context, value);
  }
}
