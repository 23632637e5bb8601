/**
 * The global object as Node 20 has it: with Node's properties, without the engine's own.
 *
 * @module
 */
import { dataDescriptor, ReflectDefineProperty, ReflectDeleteProperty } from "./primordials.ts";

/** Globals of the engine that Node has not. */
const ENGINE_ONLY = [
  ...["InternalError", "print", "console_log", "scriptArgs", "std", "os", "bjson", "gc"],
  ...["Worker", "WebAssembly", "navigator"],
];

/** Defines Node's own globals and takes the engine's away. */
export function installGlobals(parts: {
  readonly console: object;
  readonly process: object;
  readonly Buffer: object;
}): void {
  for (const name of ENGINE_ONLY) ReflectDeleteProperty(globalThis, name);
  for (const [name, value] of Object.entries(parts)) {
    ReflectDefineProperty(globalThis, name, dataDescriptor(value));
  }
}
