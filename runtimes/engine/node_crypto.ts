/**
 * Node's cryptography, for hashes and ciphers of guests, and hashes of their files. It is loaded on first use:
 * it takes 10 MB, and most programs do not hash.
 *
 * @module
 */
import type nodeProcess from "node:process";

/** The module. */
export type NodeCrypto = typeof import("node:crypto");

/** Kept before the seal removes the process object; `node:process` cannot be imported. */
const { getBuiltinModule }: typeof nodeProcess = Reflect.get(globalThis, "process");

let loaded: NodeCrypto | undefined;

/** Loads the module once. */
export function nodeCrypto(): NodeCrypto {
  return loaded ??= getBuiltinModule("node:crypto");
}
