/**
 * Packages that are in the image from the start.
 *
 * @module
 */
import type { LibraryFile } from "../../../engine/packed_library.ts";
import { createGuestFileSystem } from "../../../files/memory_file_system.ts";
import type { HostServices } from "../host/host_calls.ts";
import { createFileService } from "../host/host_fs.ts";
import { HASH_SERVICE } from "../host/host_hash.ts";
import { TEXT_SERVICE } from "../host/host_text.ts";
import { IMPORT_FUNCTION } from "../host/loader_names.ts";

/** The operator's packages, for an image. */
export interface PreloadedPackages {
  readonly files: readonly LibraryFile[];
  /** Packages to load, as programs name them. */
  readonly preload: readonly string[];
  /** The source of the globals that are loaded on demand. */
  readonly onDemand: string;
}

/** A package cannot be loaded into the image. The message is one line. */
export class PackageError extends Error {
  override readonly name = "PackageError";
}

/** Things that packages use when they are loaded: their files, and globals that are loaded on demand. */
export function preloadServices(
  { files, onDemand }: PreloadedPackages,
): Pick<HostServices, "files" | "hashes" | "onDemand" | "texts"> {
  const system = createGuestFileSystem({
    now: () => 0,
    streams: { output: () => undefined },
  });
  system.addReadOnly(files);
  return { files: createFileService(system), hashes: HASH_SERVICE, texts: TEXT_SERVICE, onDemand };
}

/** A program that loads a package in both ways. Its value is the line of an error, or empty. */
export function preloadProgram(name: string): string {
  const id = JSON.stringify(name);
  return `(() => {
    try {
      globalThis[${JSON.stringify(IMPORT_FUNCTION)}](${id});
      require(${id});
      return "";
    } catch (error) {
      return String(error).split("\\n", 1)[0];
    }
  })()`;
}
