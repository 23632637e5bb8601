/**
 * Everything that the QuickJS module may call. This is an allow-list: a call of any other import
 * ends the run.
 *
 * @module
 */
import type { RunClock } from "../clock.ts";
import type { MemorySize } from "../memory_size.ts";
import { WASM_PAGE_BYTES } from "../wasm_page.ts";
import { IMPORT_MODULE, QUICKJS_IMPORTS } from "./quickjs_abi.ts";

/** Thrown through the module when it calls an import that is not allowed. */
export class ForbiddenImportError extends Error {
  override name = "ForbiddenImportError";
}

/** What the imports need from the instance that they serve. */
export interface ImportHost {
  readonly memory: WebAssembly.Memory;
  /** The memory's size for the guest; known as soon as the module runs. */
  size(): MemorySize;
  readonly clock: RunClock;
  /** A call of a host function: returns a pointer to a JSValue, or 0 for undefined. */
  hostCall(id: number, argc: number, argv: number): number;
  /** Polled by the engine. True ends the guest in a way that it cannot catch. */
  shouldInterrupt(): boolean;
  /** Called before memory grows, so that growth can be charged. */
  growing(pages: number): void;
  /** Charges fuel. */
  charge(units: number): void;
}

/** Fuel for reading a clock, and for a calendar date: about what their time costs. */
const CLOCK_FUEL = 3_000;
const CALENDAR_FUEL = 8_000;
/** WASI errno for an operation that a stream does not support. */
const ERRNO_SPIPE = 70;
const ERRNO_BADF = 8;
const ERRNO_INVAL = 28;

function forbidden(name: string): () => never {
  return () => {
    throw new ForbiddenImportError(`the interpreter called ${name}`);
  };
}

/** Grows memory to hold `bytes`, plus a fifth if the limit allows it. */
function resizeHeap(host: ImportHost, bytes: number): number {
  const wanted = Math.ceil((bytes >>> 0) / WASM_PAGE_BYTES);
  const size = host.size();
  const have = size.bytes / WASM_PAGE_BYTES;
  for (const pages of [Math.max(wanted, Math.ceil(have * 1.2)), wanted]) {
    try {
      host.growing(pages - have);
      size.bytes = pages * WASM_PAGE_BYTES;
      return 1;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return 0;
}

/** Fills a C `struct tm` for a time in UTC, the only zone the guest has. */
function localTime(memory: WebAssembly.Memory, seconds: bigint, pointer: number): void {
  const date = new Date(Number(seconds) * 1000);
  const yearStart = Date.UTC(date.getUTCFullYear(), 0, 1);
  const fields = [
    date.getUTCSeconds(),
    date.getUTCMinutes(),
    date.getUTCHours(),
    date.getUTCDate(),
    date.getUTCMonth(),
    date.getUTCFullYear() - 1900,
    date.getUTCDay(),
    Math.floor((date.getTime() - yearStart) / 86_400_000),
    0,
    0,
  ];
  new Int32Array(memory.buffer, pointer, fields.length).set(fields);
}

/** Writes time zone offset 0, no daylight saving, and the name UTC twice. */
function setTimeZone(
  memory: WebAssembly.Memory,
  pointers: readonly [offset: number, daylight: number, standard: number, summer: number],
): void {
  const view = new DataView(memory.buffer);
  view.setUint32(pointers[0], 0, true);
  view.setInt32(pointers[1], 0, true);
  const name = new TextEncoder().encode("UTC\0");
  new Uint8Array(memory.buffer).set(name, pointers[2]);
  new Uint8Array(memory.buffer).set(name, pointers[3]);
}

function clockTimeGet(host: ImportHost, id: number, pointer: number): number {
  host.charge(CLOCK_FUEL);
  if (id < 0 || id > 3) return ERRNO_INVAL;
  const ms = id === 0 ? host.clock.epoch() : host.clock.monotonic();
  const ns = BigInt(Math.round(ms * 1e6));
  new DataView(host.memory.buffer).setBigInt64(pointer, ns, true);
  return 0;
}

/** The import object for one instance. */
export function quickJsImports(host: ImportHost): WebAssembly.Imports {
  const byName: Record<keyof typeof QUICKJS_IMPORTS, WebAssembly.ImportValue> = {
    memory: host.memory,
    assertFail: forbidden("assert"),
    fdWrite: forbidden("fd_write"),
    fdClose: () => ERRNO_BADF,
    environGet: () => 0,
    environSizesGet: (count: number, size: number) => {
      const view = new DataView(host.memory.buffer);
      view.setUint32(count, 0, true);
      view.setUint32(size, 0, true);
      return 0;
    },
    normalizeModule: () => 0,
    loadModuleSource: () => 0,
    shouldInterrupt: () => (host.shouldInterrupt() ? 1 : 0),
    setTimer: forbidden("setitimer"),
    resizeHeap: (bytes: number) => resizeHeap(host, bytes),
    keepaliveClear: () => undefined,
    localTime: (seconds: bigint, pointer: number) => {
      host.charge(CALENDAR_FUEL);
      localTime(host.memory, seconds, pointer);
    },
    setTimeZone: (a: number, b: number, c: number, d: number) =>
      setTimeZone(host.memory, [a, b, c, d]),
    fdSeek: () => ERRNO_SPIPE,
    dateNow: () => {
      host.charge(CLOCK_FUEL);
      return Math.floor(host.clock.epoch());
    },
    clockTimeGet: (id: number, _precision: bigint, pointer: number) =>
      clockTimeGet(host, id, pointer),
    abort: forbidden("abort"),
    procExit: forbidden("exit"),
    callFunction: (
      _context: number,
      _self: number,
      argc: number,
      argv: number,
      id: number,
    ) => host.hostCall(id, argc, argv),
    freeHostRef: () => undefined,
  };
  const entries = Object.entries(byName).map((
    [name, value],
  ) => [QUICKJS_IMPORTS[name as keyof typeof QUICKJS_IMPORTS], value]);
  return { [IMPORT_MODULE]: Object.fromEntries(entries) };
}
