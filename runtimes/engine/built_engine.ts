/**
 * The parts of an engine over WASI, from its build and the services of the process.
 *
 * @module
 */
import type { FileLimits } from "../files/file_limits.ts";
import type { TimeSource } from "./clock.ts";
import { decodeImage, type MemoryImage } from "./image.ts";
import { type PackedFile, readLibrary } from "./packed_library.ts";
import { fillRandom, PROCESS_TIME } from "./process_services.ts";
import { RunRandom } from "./run_random.ts";

/** A built engine, as bytes. */
export interface BuiltEngine {
  readonly module: Uint8Array<ArrayBuffer>;
  readonly image: Uint8Array<ArrayBuffer>;
  /** The library, and the operator's packages if there are any, packed. */
  readonly extras: readonly Uint8Array<ArrayBuffer>[];
  readonly fileLimits?: Partial<FileLimits>;
}

/** The parts of an engine. */
export interface EngineParts<Head> {
  /** The metered module; its data are in the image. */
  readonly module: WebAssembly.Module;
  readonly image: MemoryImage<Head>;
  /** Read-only files: paths and bytes. */
  readonly library: readonly PackedFile[];
  readonly time: TimeSource;
  readonly random: RunRandom;
  readonly fileLimits?: Partial<FileLimits>;
}

/** Compiles the module and reads the image. Throws an `ImageFormatError`. */
export async function engineParts<Head>(
  { module, image, extras, fileLimits }: BuiltEngine,
  readHead: (head: unknown) => Head,
): Promise<EngineParts<Head>> {
  return {
    module: await WebAssembly.compile(module),
    image: decodeImage(image, readHead),
    library: extras.flatMap((part) => readLibrary(part)),
    time: PROCESS_TIME,
    random: new RunRandom(fillRandom),
    ...(fileLimits === undefined ? {} : { fileLimits }),
  };
}
