/**
 * Node's cryptography, for hashes and ciphers of guests. It is loaded when it is first asked for:
 * it takes 10 MB, and most programs hash nothing.
 *
 * @module
 */
import type nodeProcess from "node:process";

/** The module. */
export type NodeCrypto = typeof import("node:crypto");

/** Held before the seal takes the process object away; `node:process` cannot be imported. */
const { getBuiltinModule }: typeof nodeProcess = Reflect.get(globalThis, "process");

let loaded: NodeCrypto | undefined;

/** Loads the module once. */
export function nodeCrypto(): NodeCrypto {
  return loaded ??= getBuiltinModule("node:crypto");
}
