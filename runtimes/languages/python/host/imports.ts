/**
 * The allow-list of functions that the module can call. None of Pyodide's JavaScript is used, so there
 * is no bridge to close: a call of Pyodide's bridge or of its foreign function interface ends the run.
 *
 * @module
 */
import { descriptorCalls, wasiDescriptorCalls } from "./descriptor_calls.ts";
import { driverCalls } from "./driver_calls.ts";
import { errorCalls } from "./error_calls.ts";
import { type GuestProcess, stopNow } from "./guest_process.ts";
import { libraryCalls } from "./libraries.ts";
import { mappedFileCalls } from "./mapped_files.ts";
import { pathCalls } from "./path_calls.ts";
import { processCalls } from "./process_calls.ts";
import { REFUSED_CALLS, REFUSED_REFERENCES } from "./refused_calls.ts";
import { timeCalls } from "./time_calls.ts";

type HostCall = (...args: never[]) => unknown;

/** Module name of the imports that are table indexes. None of them is used. */
const FUNCTION_ADDRESSES = "GOT.func";

/** Fuel for a call that is refused. */
const REFUSED_FUEL = 3_000;

function answer(process: GuestProcess, value: number | null): HostCall {
  return () => {
    process.charge(REFUSED_FUEL);
    return value;
  };
}

/** The calls that answer, by import name. All others end the run. */
export function allowedCalls(process: GuestProcess): ReadonlyMap<string, HostCall> {
  return new Map<string, HostCall>([
    ...Object.entries(REFUSED_CALLS).map(([name, value]) =>
      [name, answer(process, value)] as const
    ),
    ...REFUSED_REFERENCES.map((name) => [name, answer(process, null)] as const),
    ...Object.entries(pathCalls(process)),
    ...Object.entries(descriptorCalls(process)),
    ...Object.entries(wasiDescriptorCalls(process)),
    ...Object.entries(mappedFileCalls(process)),
    ...Object.entries(libraryCalls(process)),
    ...Object.entries(timeCalls(process)),
    ...Object.entries(driverCalls(process)),
    ...Object.entries(processCalls(process)),
    ...Object.entries(errorCalls(process)),
  ]);
}

/** The import object of an instance. */
export function hostImports(
  module: WebAssembly.Module,
  process: GuestProcess,
): WebAssembly.Imports {
  const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {};
  const calls = allowedCalls(process);
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    const values = imports[from] ??= {};
    if (from === FUNCTION_ADDRESSES) {
      values[name] = new WebAssembly.Global({ value: "i32", mutable: true }, 0);
    } else if (kind === "function") {
      values[name] = calls.get(name) ?? forbidden(process, name);
    } else {
      throw new TypeError(`The module imports a ${kind}, ${from}.${name}`);
    }
  }
  return imports;
}

function forbidden(process: GuestProcess, name: string): HostCall {
  return () => stopNow(process, { kind: "crash", reason: `a call of ${name}` });
}
