/**
 * The compiled module of the shell in the cache folder. Its digest is in the repository, so that
 * everybody has the same bytes.
 *
 * @module
 */
import { createHash } from "node:crypto";
import facts from "../module/module.json" with { type: "json" };

/** The module is absent, damaged, or cannot be compiled. */
export class ShellModuleError extends Error {
  override readonly name = "ShellModuleError";
}

/** The version of Rust that compiles the module. */
export const TOOLCHAIN: string = facts.toolchain;
/** SHA-256 of the module, in hexadecimal digits. */
export const MODULE_DIGEST: string = facts.sha256;

/** The licence texts of the module's crates. */
export const CRATE_LICENCES: URL = new URL("../module/CRATE_LICENCES.md", import.meta.url);

/** SHA-256 of bytes, in hexadecimal digits. */
export function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Path of the module. */
function modulePath(cacheFolder: string, digest = MODULE_DIGEST): string {
  return `${cacheFolder}/${moduleName(digest)}`;
}

/** Name of the module in the cache folder. */
export function moduleName(digest = MODULE_DIGEST): string {
  return `shell-module-${digest}.wasm`;
}

/** Whether the cache folder has the module. Its bytes are checked when the engine is built. */
export function hasModule(cacheFolder: string): boolean {
  try {
    return Deno.statSync(modulePath(cacheFolder)).isFile;
  } catch {
    return false; // a folder that cannot be read has none
  }
}

/**
 * Reads the module.
 *
 * @throws {ShellModuleError} when it is absent or has other bytes.
 */
export async function readModule(cacheFolder: string): Promise<Uint8Array<ArrayBuffer>> {
  const path = modulePath(cacheFolder);
  const bytes = await Deno.readFile(path).catch((thrown) => {
    if (!(thrown instanceof Deno.errors.NotFound)) throw thrown;
    throw new ShellModuleError("its module is not there: deno task shell build makes it");
  });
  if (digestOf(bytes) === MODULE_DIGEST) return bytes;
  throw new ShellModuleError(`${path} is damaged: remove it, and deno task shell build makes it`);
}

/** Makes a digest, and the licence texts of the crates, those of the repository. */
export async function pinModule(digest: string, licences: string): Promise<void> {
  const text = `${JSON.stringify({ ...facts, sha256: digest }, undefined, 2)}\n`;
  await Deno.writeTextFile(new URL("../module/module.json", import.meta.url), text);
  await Deno.writeTextFile(CRATE_LICENCES, licences);
}

/** Writes the module with a digest, whole or not at all. Returns its path. */
export async function writeModule(
  cacheFolder: string,
  digest: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const path = modulePath(cacheFolder, digest);
  const draft = `${path}.${crypto.randomUUID()}`;
  await Deno.writeFile(draft, bytes, { createNew: true, mode: 0o644 });
  await Deno.rename(draft, path);
  return path;
}
