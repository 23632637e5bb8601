/**
 * The npm package with the compiled module of the shell. Each version of Belljar has one of the same
 * version.
 *
 * @module
 */
import client from "../../client/deno.json" with { type: "json" };
import { digestOf, MODULE_DIGEST } from "../languages/shell/build/module_file.ts";
import type { Progress } from "./command/progress.ts";
import { CommandRefused } from "./command/refusal.ts";
import { readRegistrySettings, Registry, type RegistryVariables } from "./packages/registry.ts";
import { readTarball } from "./packages/tarball.ts";

/** Name of the package. */
export const SHELL_PACKAGE = "@belljar/shell";
/** Its version. */
export const SHELL_VERSION: string = client.version;
/** Path of the module in the package. */
export const SHELL_FILE = "shell.wasm";

const MIB = 1024 * 1024;
/** Limits of a tarball: bytes, packed and unpacked, and entries. */
const LIMITS = { bytes: 64 * MIB, entries: 100 } as const;
const OTHERWISE = "deno task shell build compiles the module";

/**
 * Takes the module from a tarball, or from the registry's package, and compares its digest.
 *
 * @param file path of a tarball; undefined for the registry.
 * @throws {CommandRefused} when there is none, or when it has another module.
 */
export async function fetchModule(
  file: string | undefined,
  variables: RegistryVariables,
  progress: Progress,
): Promise<Uint8Array<ArrayBuffer>> {
  const label = file ?? `${SHELL_PACKAGE} ${SHELL_VERSION}`;
  const tarball = file === undefined ? await download(variables, progress) : await readFile(file);
  const files = await readTarball(tarball, label, LIMITS);
  const module = files.find(({ path }) => path === SHELL_FILE);
  if (module === undefined) throw new CommandRefused(`${label} has no ${SHELL_FILE}`);
  const digest = digestOf(module.bytes);
  if (digest === MODULE_DIGEST) return new Uint8Array(module.bytes);
  throw new CommandRefused(
    `${label} has a module with the SHA-256 ${digest}, and these sources need ${MODULE_DIGEST}: ` +
      OTHERWISE,
  );
}

async function download(
  variables: RegistryVariables,
  progress: Progress,
): Promise<Uint8Array<ArrayBuffer>> {
  const registry = new Registry(await readRegistrySettings(variables));
  const listing = await registry.listing(SHELL_PACKAGE);
  if (listing === undefined || !listing.versions.includes(SHELL_VERSION)) {
    throw new CommandRefused(`The registry has no ${SHELL_PACKAGE} ${SHELL_VERSION}: ${OTHERWISE}`);
  }
  return await progress.file(
    `${SHELL_PACKAGE} ${SHELL_VERSION}`,
    (onBytes) => registry.tarball(SHELL_PACKAGE, listing.manifest(SHELL_VERSION), onBytes),
  );
}

async function readFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const info = await Deno.stat(path).catch((thrown) => {
    if (thrown instanceof Deno.errors.NotFound) {
      throw new CommandRefused(`There is no file ${path}`);
    }
    throw thrown;
  });
  if (!info.isFile) throw new CommandRefused(`${path} is no file`);
  if (info.size > LIMITS.bytes) {
    throw new CommandRefused(`${path} has more than ${LIMITS.bytes / MIB} MiB`);
  }
  return await Deno.readFile(path);
}
