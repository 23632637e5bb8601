/**
 * Everything that the QuickJS module may call. This is an allow-list: a call of any other import
 * ends the run.
 *
 * @module
 */
import type { RunClock } from "../../../engine/clock.ts";
import { NUMBER_TEXT_IMPORT, powerText } from "./number_text_patch.ts";
import type { QUICKJS_IMPORTS } from "./quickjs_abi.ts";

/** Thrown through the module when it calls an import that is not allowed. */
export class ForbiddenImportError extends Error {
  override name = "ForbiddenImportError";
}

/** Parts of the instance that the imports use. */
export interface ImportHost {
  /** The instance's memory; known as soon as the module runs. */
  memory(): WebAssembly.Memory;
  readonly clock: RunClock;
  /** Charges fuel. */
  charge(units: number): void;
}

/** Fuel for reading a clock: about what its time costs. */
const CLOCK_FUEL = 3_000;
/** Fuel for the text of a number that the host writes. */
const NUMBER_FUEL = 10_000;
const ERRNO_BADF = 8;
const ERRNO_INVAL = 28;
/** Clocks of WASI: real time, and monotonic time. */
const REALTIME = 0;
const CLOCKS = 2;
const NANOSECONDS = 1e6;

function forbidden(name: string): () => never {
  return () => {
    throw new ForbiddenImportError(`the interpreter called ${name}`);
  };
}

function clockTimeGet(host: ImportHost, id: number, pointer: number): number {
  host.charge(CLOCK_FUEL);
  if (id < 0 || id >= CLOCKS) return ERRNO_INVAL;
  const ms = id === REALTIME ? host.clock.epoch() : host.clock.monotonic();
  // a product of the whole number would be inexact, and show a millisecond less
  const whole = Math.floor(ms);
  const ns = BigInt(whole) * BigInt(NANOSECONDS) + BigInt(Math.round((ms - whole) * NANOSECONDS));
  new DataView(host.memory().buffer).setBigInt64(pointer, ns, true);
  return 0;
}

function numberText(host: ImportHost, text: string, pointer: number): number {
  host.charge(NUMBER_FUEL);
  const bytes = new TextEncoder().encode(text);
  new Uint8Array(host.memory().buffer).set(bytes, pointer);
  return bytes.length;
}

type Functions<Name extends string> = Readonly<Record<Name, WebAssembly.ImportValue>>;
type Imports = typeof QUICKJS_IMPORTS;

/**
 * The import object for one instance. Host functions come in through the function table instead.
 */
export function quickJsImports(host: ImportHost): WebAssembly.Imports {
  const env: Functions<Imports["env"][number]> = {
    host_get_timezone_offset: () => 0, // the guest's only zone is UTC
    host_interrupt: forbidden("host_interrupt"),
    host_promise_rejection: forbidden("host_promise_rejection"),
    host_module_normalize: forbidden("host_module_normalize"),
    host_module_load: forbidden("host_module_load"),
    [NUMBER_TEXT_IMPORT]: (upperHalf: number, flags: number, pointer: number) =>
      numberText(host, powerText(upperHalf, flags), pointer),
  };
  const wasi: Functions<Imports["wasi_snapshot_preview1"][number]> = {
    clock_time_get: (id: number, _precision: bigint, pointer: number) =>
      clockTimeGet(host, id, pointer),
    fd_close: () => ERRNO_BADF,
    fd_fdstat_get: () => ERRNO_BADF,
    fd_seek: () => ERRNO_BADF,
    fd_write: () => ERRNO_BADF, // the text of a failed assertion, before the trap
    // the C library asks once, at boot: its memory is zero already
    random_get: () => 0,
  };
  return { env, wasi_snapshot_preview1: wasi };
}
