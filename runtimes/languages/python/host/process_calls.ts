/**
 * Calls on the process itself: its memory, environment, identity and end.
 *
 * @module
 */
import { WASM_PAGE_BYTES } from "../../../../wasm/metering/wasm_page.ts";
import { type GuestProcess, stopNow } from "./guest_process.ts";

const GROW_FUEL_PER_PAGE = 100_000;
const SMALL_CALL_FUEL = 500;
const RANDOM_CALL_FUEL = 22_000;
const FUEL_PER_RANDOM_BYTE = 20;
/**
 * Memory grows by at least a fifth, if the limit allows it: growing moves no data, but each call
 * costs time.
 */
const GROWTH = 1.2;
const USER_ID = 1000;
const PROGRAM_NAME = "python3";

function resizeHeap(process: GuestProcess, bytes: number): number {
  const { size } = process.memory;
  const wanted = Math.ceil((bytes >>> 0) / WASM_PAGE_BYTES);
  const have = size.bytes / WASM_PAGE_BYTES;
  if (wanted > process.maximumPages) {
    process.memoryRefused = true;
    return 0;
  }
  const generous = Math.min(process.maximumPages, Math.ceil(have * GROWTH));
  const pages = Math.max(wanted, generous);
  process.charge((pages - have) * GROW_FUEL_PER_PAGE);
  try {
    size.bytes = pages * WASM_PAGE_BYTES;
    return 1;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    process.memoryRefused = true;
    return 0;
  }
}

/** Writes the strings of the environment and a pointer to each of them. */
function writeEnvironment(process: GuestProcess, pointers: number, text: number): void {
  const encoder = new TextEncoder();
  let at = text >>> 0;
  process.environment.forEach((entry, index) => {
    process.memory.setU32((pointers >>> 0) + index * 4, at);
    process.memory.setText(at, entry);
    at += encoder.encode(entry).length + 1;
  });
}

function callPointer(process: GuestProcess, pointer: number, args: readonly number[]): unknown {
  const callee = process.functionAt(pointer >>> 0);
  if (typeof callee !== "function") {
    return stopNow(process, { kind: "crash", reason: "a call of no function" });
  }
  return callee(...args);
}

/** The calls by their import names. */
export function processCalls(process: GuestProcess) {
  // The driver replaces `os._exit`. C code calls this when a signal kills the process.
  const exit = () => stopNow(process, { kind: "crash", reason: "exit" });
  return {
    proc_exit: exit,
    exit,
    // Native code often aborts when it is refused memory.
    _abort_js: () =>
      stopNow(
        process,
        process.memoryRefused
          ? { kind: "limit", limit: "memory" }
          : { kind: "crash", reason: "abort" },
      ),
    __assert_fail: () => stopNow(process, { kind: "crash", reason: "assertion failed" }),
    emscripten_resize_heap: (bytes: number) => resizeHeap(process, bytes),
    emscripten_get_heap_max: () => process.maximumPages * WASM_PAGE_BYTES,
    environ_sizes_get: (count: number, size: number) => {
      const encoder = new TextEncoder();
      const bytes = process.environment.map((entry) => encoder.encode(entry).length + 1);
      process.memory.setU32(count, bytes.length);
      process.memory.setU32(size, bytes.reduce((sum, length) => sum + length, 0));
      return 0;
    },
    environ_get: (pointers: number, text: number) => {
      writeEnvironment(process, pointers, text);
      return 0;
    },
    random_get: (at: number, length: number) => {
      process.charge(RANDOM_CALL_FUEL + (length >>> 0) * FUEL_PER_RANDOM_BYTE);
      process.random(process.memory.span(at, length));
      return 0;
    },
    _emscripten_get_progname: (at: number, size: number) => {
      if (size >>> 0 > PROGRAM_NAME.length) process.memory.setText(at, PROGRAM_NAME);
    },
    emscripten_runtime_keepalive_push: () => undefined,
    emscripten_runtime_keepalive_pop: () => undefined,
    _emscripten_runtime_keepalive_clear: () => undefined,
    __syscall_getuid32_js: () => {
      process.charge(SMALL_CALL_FUEL);
      return USER_ID;
    },
    __syscall_umask_js: (mask: number) => {
      process.charge(SMALL_CALL_FUEL);
      const before = process.fileModeMask;
      process.fileModeMask = mask & 0o777;
      return before;
    },
    // Asks which JavaScript runtime this is: none that Python knows.
    _Py_emscripten_runtime: () => 0,
    _Py_CheckEmscriptenSignals_Helper: () => process.alarm.arrived(),
    __call_sighandler: (handler: number, signal: number) =>
      void callPointer(process, handler, [signal]),
    _PyEM_TrampolineCall_JS: (callee: number, self: number, args: number, keywords: number) =>
      callPointer(process, callee, [self, args, keywords]),
  };
}
