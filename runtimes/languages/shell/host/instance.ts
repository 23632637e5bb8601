/**
 * An instance of the shell's module, and its functions.
 *
 * @module
 */
import { UNLIMITED_FUEL } from "../../../engine/fuel.ts";
import { MemorySize } from "../../../engine/memory_size.ts";
import type { WasiHost } from "../../../files/wasi/host.ts";
import { LanguageCommands } from "./commands.ts";
import { fileModes, MODES_MODULE } from "./file_modes.ts";

/** Bytes of the stack, which lies at the start of memory. The linker gets this size. */
export const MODULE_STACK_BYTES: number = 4 * 1024 * 1024;
/** Longest working directory that is read. */
const MAX_DIRECTORY_BYTES = 4096;
/** No function that continues uses a frame larger than this, in bytes. */
const STACK_MARGIN_BYTES = 65_536;
/** Fuel for a call of the host that WASI does not have, and for a byte of its path. */
const CALL_FUEL = 24_000;
const PATH_BYTE_FUEL = 64;
/** Bytes before a chunk of the heap that hold its size. */
const CHUNK_HEAD_BYTES = 8;

/** The parts of an image besides memory. */
export interface ImageHead {
  readonly globals: Readonly<Record<string, number>>;
  /** Address of a chunk of the heap that is never freed. */
  readonly firstChunk: number;
}

/** A program with its surroundings. */
export interface ShellProgram {
  readonly code: string;
  readonly stdin: Uint8Array;
  readonly env: ReadonlyMap<string, string>;
  /** Where it begins; empty: where the program before ended. */
  readonly directory: string;
}

/** The module has no part that is needed. */
class ShellAbiError extends Error {
  override readonly name = "ShellAbiError";
}

/** The only mutable global of the module, under the name that the metering gives it. */
const STACK_POINTER = "__g0";

type Callable = (...args: number[]) => unknown;

const encoder = new TextEncoder();

/** One instance. */
export class Instance {
  readonly memory: WebAssembly.Memory;
  readonly size: MemorySize;
  readonly fuel: WebAssembly.Global;
  /** All mutable globals except the fuel, by name: the rest of an instance's state. */
  readonly globals: ReadonlyMap<string, WebAssembly.Global>;
  readonly commands: LanguageCommands;
  readonly #exports: WebAssembly.Exports;

  constructor(module: WebAssembly.Module, host: WasiHost) {
    const modes = fileModes({
      files: host.files,
      bytes: (pointer, length) => this.#copyOut(pointer, length),
      charge: (bytes) => this.charge(BigInt(CALL_FUEL + bytes * PATH_BYTE_FUEL)),
    });
    this.commands = new LanguageCommands({
      files: host.files,
      bytes: (pointer, length) => this.#copyOut(pointer, length),
      put: (pointer, bytes) => this.#put(pointer, bytes),
      fuel: () => Number(this.fuel.value),
      charge: (units) => this.charge(BigInt(Math.ceil(units))),
    });
    const imports = host.imports(module, {
      [MODES_MODULE]: { ...modes, ...this.commands.imports },
    });
    const { exports } = new WebAssembly.Instance(module, imports);
    const { memory, __fuel: fuel } = exports;
    if (!(memory instanceof WebAssembly.Memory)) throw new ShellAbiError("no memory");
    if (!(fuel instanceof WebAssembly.Global)) throw new ShellAbiError("no fuel");
    this.#exports = exports;
    this.memory = memory;
    this.fuel = fuel;
    this.size = new MemorySize(memory, exports);
    this.globals = new Map(
      Object.entries(exports).flatMap(([name, value]) =>
        value instanceof WebAssembly.Global && name.startsWith("__g") ? [[name, value]] : []
      ),
    );
    if (!this.globals.has(STACK_POINTER)) throw new ShellAbiError("no stack pointer");
    this.fuel.value = UNLIMITED_FUEL;
    host.attach(memory, this.size);
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    const { buffer } = this.memory;
    if (!(buffer instanceof ArrayBuffer)) throw new ShellAbiError("the memory is shared");
    return new Uint8Array(buffer);
  }

  /** After a trap: true when the stack had reached the end of memory. */
  get outOfStack(): boolean {
    return Number(this.globals.get(STACK_POINTER)?.value) < STACK_MARGIN_BYTES;
  }

  /** Charges fuel for work of the host. */
  charge(units: bigint): void {
    this.fuel.value = BigInt(this.fuel.value) - units;
  }

  /** Runs the constructors and makes the shell. Returns the address of a chunk that stays. */
  boot(): number {
    if ("_initialize" in this.#exports) this.#call("_initialize");
    const stays = this.#call("shell_alloc", CHUNK_HEAD_BYTES);
    this.#call("shell_boot");
    return stays - CHUNK_HEAD_BYTES;
  }

  /** Runs a program and returns its exit code. */
  run({ code, stdin, env, directory }: ShellProgram): number {
    const pairs = [...env].map(([name, value]) => `${name}=${value}\0`).join("");
    const parts = [encoder.encode(code), stdin, encoder.encode(pairs), encoder.encode(directory)];
    const exitCode = this.#call("shell_run", ...parts.flatMap((part) => this.#copyIn(part)));
    return exitCode & 0xff;
  }

  /** The working directory; undefined when the guest gives none that can be read. */
  directory(): string | undefined {
    const at = this.#call("shell_directory");
    const length = this.#call("shell_directory_length");
    if (length > MAX_DIRECTORY_BYTES) return undefined;
    const bytes = this.#copyOut(at, length);
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
  }

  /** Gives the heap so many bytes that are free. */
  reserve(bytes: number): void {
    const stays = this.#call("shell_alloc", bytes);
    this.#call("shell_release", stays, bytes);
  }

  /** Clears the stack: between calls nothing on it is in use. */
  clearStack(): void {
    this.bytes.fill(0, 0, MODULE_STACK_BYTES);
  }

  /** Address and length of a copy, which the module frees. */
  #copyIn(data: Uint8Array): readonly [number, number] {
    const at = this.#call("shell_alloc", data.length);
    this.bytes.set(data, at);
    return [at, data.length];
  }

  #put(pointer: number, bytes: Uint8Array): boolean {
    if (pointer + bytes.length > this.size.bytes) return false;
    this.bytes.set(bytes, pointer);
    return true;
  }

  #copyOut(pointer: number, length: number): Uint8Array<ArrayBuffer> | undefined {
    if (pointer + length > this.size.bytes) return undefined;
    return this.bytes.slice(pointer, pointer + length);
  }

  /** Calls an export. A result that is not a number counts as 0; pointers are unsigned. */
  #call(name: string, ...args: number[]): number {
    const found = this.#exports[name];
    if (typeof found !== "function") throw new ShellAbiError(`no function ${name}`);
    const callable: Callable = (...all) => found(...all);
    const result = callable(...args);
    return typeof result === "number" ? result >>> 0 : 0;
  }
}
