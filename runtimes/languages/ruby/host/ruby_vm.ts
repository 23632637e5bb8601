/**
 * The exports of ruby.wasm's module as typed functions: calls and strings, independent of runs.
 *
 * @module
 */
import { MemorySize } from "../../../engine/memory_size.ts";
import type { WasiHost } from "../../../files/wasi/host.ts";
import {
  RUBY_EXPORTS,
  RUBY_GLOBALS,
  RubyAbiError,
  type RubyExport,
  UNWIND_PLACES,
  VALUE_IMPORTS,
  VALUE_MODULE,
} from "./ruby_abi.ts";

/** A Ruby object that the module keeps for its caller. */
export type ValueHandle = number;

/** An ID in Ruby's terms. */
export type MethodId = number;

/** The result of a call into Ruby: `state` is 0 unless an exception or a jump left it. */
export interface CallResult {
  readonly value: ValueHandle;
  readonly state: number;
}

type Callable = (...args: number[]) => unknown;

const encoder = new TextEncoder();
const POINTER_BYTES = 4;
/** No function that continues uses a frame larger than this, in bytes. */
const STACK_MARGIN_BYTES = 65_536;

/** One instance of the module. */
export class RubyVm {
  readonly memory: WebAssembly.Memory;
  /** The size that the guest sees. */
  readonly size: MemorySize;
  readonly fuel: WebAssembly.Global;
  readonly stackPointer: WebAssembly.Global;
  /** All mutable globals except the fuel, by name: the rest of an instance's state. */
  readonly globals: ReadonlyMap<string, WebAssembly.Global>;
  readonly #functions: { readonly [name in RubyExport]: Callable };

  constructor(module: WebAssembly.Module, host: WasiHost) {
    const imports = host.imports(module, { [VALUE_MODULE]: VALUE_IMPORTS });
    const { exports } = new WebAssembly.Instance(module, imports);
    const { memory } = exports;
    if (!(memory instanceof WebAssembly.Memory)) throw new RubyAbiError("no memory");
    this.memory = memory;
    this.size = new MemorySize(memory, exports);
    this.fuel = globalOf(exports, "__fuel");
    this.stackPointer = globalOf(exports, RUBY_GLOBALS.stackPointer);
    this.globals = new Map(
      Object.values(RUBY_GLOBALS).map((name) => [name, globalOf(exports, name)]),
    );
    this.#functions = {
      initialize: functionOf(exports, "initialize"),
      start: functionOf(exports, "start"),
      evaluate: functionOf(exports, "evaluate"),
      call: functionOf(exports, "call"),
      intern: functionOf(exports, "intern"),
      stringBytes: functionOf(exports, "stringBytes"),
      freeStringBytes: functionOf(exports, "freeStringBytes"),
      reallocate: functionOf(exports, "reallocate"),
      release: functionOf(exports, "release"),
    };
    host.attach(memory, this.size);
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    const { buffer } = this.memory;
    if (!(buffer instanceof ArrayBuffer)) throw new RubyAbiError("the memory is shared");
    return new Uint8Array(buffer);
  }

  get view(): DataView<ArrayBuffer> {
    return new DataView(this.bytes.buffer);
  }

  /** True when a call came back while the native stack was being unwound. */
  get unwinding(): boolean {
    return this.#global("asyncifyState") !== 0;
  }

  /**
   * After a trap: makes calls run that would otherwise continue to unwind a stack that no longer
   * exists, and gives them the space of its unwound part.
   */
  forgetUnwinding(): void {
    const state = this.globals.get("asyncifyState");
    if (state !== undefined) state.value = 0;
    this.view.setUint32(UNWIND_PLACES.entries.from, 0, true);
  }

  /** After a trap: true when the buffer that the native stack was unwound to was too small. */
  get unwoundTooFar(): boolean {
    const at = this.#global("asyncifyBuffer") >>> 0;
    if (at === 0 || at + 2 * POINTER_BYTES > this.bytes.length) return false;
    return this.view.getUint32(at, true) > this.view.getUint32(at + POINTER_BYTES, true);
  }

  /** After a trap: true when the C stack had reached the end of memory. */
  get outOfStack(): boolean {
    return Number(this.stackPointer.value) < STACK_MARGIN_BYTES;
  }

  /** Runs the constructors and makes the interpreter, with a command line. */
  start(args: readonly string[]): void {
    this.#functions.initialize();
    const list = this.#allocate(args.length * 2 * POINTER_BYTES, POINTER_BYTES);
    args.forEach((arg, index) => {
      const bytes = encoder.encode(`${arg}\0`);
      const at = list + index * 2 * POINTER_BYTES;
      const text = this.#copyIn(bytes);
      this.view.setUint32(at, text, true);
      this.view.setUint32(at + POINTER_BYTES, bytes.length, true);
    });
    this.#functions.start(list, args.length);
  }

  /** Evaluates Ruby code, which must not contain NUL. */
  evaluate(code: string): CallResult {
    const bytes = encoder.encode(`${code}\0`);
    return this.#called(this.#functions.evaluate(this.#copyIn(bytes), bytes.length - 1));
  }

  /** Calls a method, with an argument or without. */
  call(receiver: ValueHandle, method: MethodId, argument?: ValueHandle): CallResult {
    if (argument === undefined) return this.#called(this.#functions.call(receiver, method, 0, 0));
    const list = this.#allocate(POINTER_BYTES, POINTER_BYTES);
    this.view.setUint32(list, argument, true);
    const called = this.#called(this.#functions.call(receiver, method, list, 1));
    this.#free(list);
    return called;
  }

  /** Evaluates Ruby code as {@linkcode evaluate} does, and leaves no memory behind. */
  evaluateCleanly(code: string): CallResult {
    const bytes = encoder.encode(`${code}\0`);
    const at = this.#copyIn(bytes);
    const called = this.#called(this.#functions.evaluate(at, bytes.length - 1));
    this.#free(at);
    return called;
  }

  /** Gives back a value that a call returned, so that it can be collected. */
  release(value: ValueHandle): void {
    this.#functions.release(value);
  }

  /** The id of a method's name. */
  intern(name: string): MethodId {
    const bytes = encoder.encode(`${name}\0`);
    return numberOf(this.#functions.intern(this.#copyIn(bytes), bytes.length - 1));
  }

  /** Makes sure that the heap has this many contiguous free bytes. */
  reserve(bytes: number): void {
    const at = this.#allocate(bytes, 2 * POINTER_BYTES);
    this.#functions.reallocate(at, bytes, 2 * POINTER_BYTES, 2 * POINTER_BYTES);
  }

  /** The bytes of a Ruby string. */
  stringBytes(value: ValueHandle): Uint8Array<ArrayBuffer> {
    const result = numberOf(this.#functions.stringBytes(value));
    const { view } = this;
    const at = view.getUint32(result, true);
    const bytes = this.bytes.slice(at, at + view.getUint32(result + POINTER_BYTES, true));
    this.#functions.freeStringBytes(result);
    return bytes;
  }

  #called(result: unknown): CallResult {
    const at = numberOf(result);
    const { view } = this;
    return { value: view.getUint32(at, true), state: view.getUint32(at + POINTER_BYTES, true) };
  }

  #global(name: keyof typeof RUBY_GLOBALS): number {
    return Number(this.globals.get(RUBY_GLOBALS[name])?.value ?? 0);
  }

  #copyIn(bytes: Uint8Array): number {
    const at = this.#allocate(bytes.length, 1);
    this.bytes.set(bytes, at);
    return at;
  }

  /** The function that frees the bytes of a string frees any block. */
  #free(at: number): void {
    const { from } = UNWIND_PLACES.scan; // no stack is unwound between calls
    this.view.setUint32(from, at, true);
    this.view.setUint32(from + POINTER_BYTES, 1, true);
    this.#functions.freeStringBytes(from);
  }

  #allocate(bytes: number, alignment: number): number {
    return numberOf(this.#functions.reallocate(0, 0, alignment, Math.max(bytes, 1)));
  }
}

function numberOf(result: unknown): number {
  if (typeof result !== "number") throw new RubyAbiError("a call returned no number");
  return result >>> 0;
}

function globalOf(exports: WebAssembly.Exports, name: string): WebAssembly.Global {
  const found = exports[name];
  if (found instanceof WebAssembly.Global) return found;
  throw new RubyAbiError(`no global ${name}`);
}

function functionOf(exports: WebAssembly.Exports, name: RubyExport): Callable {
  const found = exports[RUBY_EXPORTS[name]];
  if (typeof found !== "function") throw new RubyAbiError(`no function ${RUBY_EXPORTS[name]}`);
  return (...args) => found(...args);
}
