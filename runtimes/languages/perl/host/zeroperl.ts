/**
 * The exports of zeroperl's module, as typed functions: calls and values, nothing
 * about runs.
 *
 * @module
 */
import { MemorySize } from "../../../engine/memory_size.ts";
import type { WasiHost } from "../../../files/wasi/host.ts";
import { RESOLVE, RESOLVE_ELEMENT } from "./added_parts.ts";

/** npm package that carries the module. */
export const ZEROPERL_PACKAGE = "@6over3/zeroperl-ts";

/** The directory of the root in which Perl finds its library; no listing of the root showed it. */
export const LIBRARY_ROOT = "zeroperl";

/** The module is not the one that this program was written for. */
export class ZeroPerlAbiError extends Error {
  override name = "ZeroPerlAbiError";
}

/** A pointer to a zeroperl value: a counted reference to a scalar. */
export type ValueHandle = number;

/** Name under which the metered module exports its table. */
const TABLE = "__t0";
/** Void context of `zeroperl_eval`, which drops the result in any case. */
const VOID_CONTEXT = 0;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

type Callable = (...args: (number | bigint)[]) => unknown;

/** One instance of the module. */
export class ZeroPerl {
  readonly memory: WebAssembly.Memory;
  /** The size that the guest sees. */
  readonly size: MemorySize;
  readonly fuel: WebAssembly.Global;
  readonly stackPointer: WebAssembly.Global;
  /** All mutable globals except the fuel, by name: the rest of an instance's state. */
  readonly globals: ReadonlyMap<string, WebAssembly.Global>;
  /** Serves the guest's host calls: a number, a count of handles, and their address. */
  answer: (id: number, count: number, list: number) => number = () => 0;
  readonly #exports: WebAssembly.Exports;
  readonly #functions = new Map<string, Callable>();

  constructor(module: WebAssembly.Module, host: WasiHost) {
    const env = {
      call_host_function: (id: number, count: number, list: number) =>
        this.answer(id, count >>> 0, list >>> 0),
    };
    const instance = new WebAssembly.Instance(module, host.imports(module, { env }));
    this.#exports = instance.exports;
    const { memory } = instance.exports;
    if (!(memory instanceof WebAssembly.Memory)) throw new ZeroPerlAbiError("no memory");
    this.memory = memory;
    this.size = new MemorySize(memory, instance.exports);
    this.fuel = this.#global("__fuel");
    this.stackPointer = this.#global("__stack_pointer");
    const { [TABLE]: table, [RESOLVE]: resolve } = instance.exports;
    if (!(table instanceof WebAssembly.Table) || typeof resolve !== "function") {
      throw new ZeroPerlAbiError("no table, or nothing to put into it");
    }
    table.set(RESOLVE_ELEMENT, resolve);
    this.globals = new Map(
      Object.keys(instance.exports)
        .filter((name) => name === "__stack_pointer" || /^__g\d+$/.test(name))
        .map((name) => [name, this.#global(name)]),
    );
    host.attach(memory, this.size);
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    const { buffer } = this.memory;
    if (!(buffer instanceof ArrayBuffer)) throw new ZeroPerlAbiError("the memory is shared");
    return new Uint8Array(buffer);
  }

  get view(): DataView<ArrayBuffer> {
    const { buffer } = this.bytes;
    return new DataView(buffer);
  }

  /** Runs the constructors and makes the interpreter. */
  start(): void {
    this.call("_initialize");
    const status = this.call("zeroperl_init");
    if (status !== 0) throw new ZeroPerlAbiError(`zeroperl_init: ${status}`);
  }

  /** Evaluates Perl. False when it died. */
  evaluate(code: string): boolean {
    const text = this.allocate(encoder.encode(`${code}\0`));
    const status = this.call("zeroperl_eval", text, VOID_CONTEXT, 0, 0);
    this.call("free", text);
    return status === 0;
  }

  /** The first kilobyte of the error of the last evaluation. */
  lastError(): string {
    const at = this.call("zeroperl_last_error");
    const end = this.bytes.indexOf(0, at);
    return decoder.decode(this.bytes.slice(at, end));
  }

  /** Flushes buffered output. */
  flush(): void {
    this.call("zeroperl_flush");
  }

  /** A new scalar with characters from UTF-8. */
  newString(utf8: Uint8Array): ValueHandle {
    const text = this.allocate(utf8);
    const value = this.call("zeroperl_new_string", text, utf8.length);
    this.call("free", text);
    return value;
  }

  /** Assigns to a package variable. */
  setVariable(name: string, value: ValueHandle): void {
    const text = this.allocate(encoder.encode(`${name}\0`));
    this.call("zeroperl_set_var", text, value);
    this.call("free", text);
  }

  /** The scalar of a package variable: later values are seen through it too. */
  variable(name: string): ValueHandle {
    const text = this.allocate(encoder.encode(`${name}\0`));
    const value = this.call("zeroperl_get_var", text);
    this.call("free", text);
    if (value === 0) throw new ZeroPerlAbiError(`there is no variable ${name}`);
    return value;
  }

  /** The array of a package variable; 0 when there is none. */
  arrayVariable(name: string): ValueHandle {
    const text = this.allocate(encoder.encode(`${name}\0`));
    const value = this.call("zeroperl_get_array_var", text);
    this.call("free", text);
    return value;
  }

  /** A scalar as a number. */
  number(value: ValueHandle): number {
    const at = this.allocate(new Uint8Array(Float64Array.BYTES_PER_ELEMENT));
    this.call("zeroperl_to_double", value, at);
    const number = this.view.getFloat64(at, true);
    this.call("free", at);
    return number;
  }

  /** Charges fuel for work of the host. */
  charge(units: bigint): void {
    this.fuel.value = BigInt(this.fuel.value) - units;
  }

  /** Releases a handle. */
  release(value: ValueHandle): void {
    this.call("zeroperl_value_free", value);
  }

  /** The characters of a scalar as UTF-8; undefined when there are more than `limit` bytes. */
  stringBytes(value: ValueHandle, limit = Infinity): Uint8Array<ArrayBuffer> | undefined {
    const size = this.allocate(new Uint8Array(4));
    const at = this.call("zeroperl_to_string", value, size);
    const length = this.view.getUint32(size, true);
    this.call("free", size);
    return length > limit ? undefined : this.bytes.slice(at, at + length);
  }

  /** A copy of bytes in the guest's heap. */
  allocate(data: Uint8Array): number {
    const at = this.call("malloc", Math.max(1, data.length));
    if (at === 0) throw new RangeError("out of memory");
    this.bytes.set(data, at);
    return at;
  }

  /** Calls an export. A result that is not a number counts as 0; pointers are unsigned. */
  call(name: string, ...args: number[]): number {
    const result = this.#function(name)(...args);
    return typeof result === "number" ? result >>> 0 : 0;
  }

  #function(name: string): Callable {
    const known = this.#functions.get(name);
    if (known !== undefined) return known;
    const found = this.#exports[name];
    if (typeof found !== "function") throw new ZeroPerlAbiError(`no function ${name}`);
    const callable: Callable = (...args) => found(...args);
    this.#functions.set(name, callable);
    return callable;
  }

  #global(name: string): WebAssembly.Global {
    const found = this.#exports[name];
    if (found instanceof WebAssembly.Global) return found;
    throw new ZeroPerlAbiError(`no global ${name}`);
  }
}
