/**
 * The global object as in Node 20: with Node's properties, without those that only the engine has.
 *
 * @module
 */
import { dataDescriptor, ReflectDefineProperty, ReflectDeleteProperty } from "./primordials.ts";

/** Globals of the engine that Node does not have. */
const ENGINE_ONLY = [
  ...["InternalError", "print", "console_log", "scriptArgs", "std", "os", "bjson", "gc"],
  ...["Worker", "WebAssembly", "navigator"],
];

/** Defines Node's own globals and `display`, and removes the engine's. */
export function installGlobals(parts: {
  readonly console: object;
  readonly process: object;
  readonly Buffer: object;
  readonly display: (value: unknown) => unknown;
}): void {
  for (const name of ENGINE_ONLY) ReflectDeleteProperty(globalThis, name);
  for (const [name, value] of Object.entries(parts)) {
    ReflectDefineProperty(globalThis, name, dataDescriptor(value));
  }
}
