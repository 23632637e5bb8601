/**
 * Creates the shell from a build, inside the isolate.
 *
 * @module
 */
import { decodeImage } from "../../engine/image.ts";
import { numberIn, numbersIn, partOf } from "../../engine/image_head.ts";
import { fillRandom, PROCESS_TIME } from "../../engine/process_services.ts";
import { RunRandom } from "../../engine/run_random.ts";
import { warmUp } from "../../engine/warm_up.ts";
import type { FileLimits } from "../../files/file_limits.ts";
import { ShellEngine } from "./engine.ts";
import type { ImageHead } from "./host/instance.ts";
import { WARM_UP } from "./host/warm_up.ts";

/** A built engine, as bytes. */
export interface ShellEngineSource {
  readonly module: Uint8Array<ArrayBuffer>;
  readonly image: Uint8Array<ArrayBuffer>;
  readonly fileLimits?: Partial<FileLimits>;
}

function readHead(head: unknown): ImageHead {
  return {
    globals: numbersIn(partOf(head, "globals")),
    firstChunk: numberIn(partOf(head), "firstChunk"),
  };
}

/** Compiles the module, creates an instance from the image, and warms it up. */
export async function createShellEngine(source: ShellEngineSource): Promise<ShellEngine> {
  const engine = new ShellEngine({
    module: await WebAssembly.compile(source.module),
    image: decodeImage(source.image, readHead),
    time: PROCESS_TIME,
    random: new RunRandom(fillRandom),
    ...(source.fileLimits === undefined ? {} : { fileLimits: source.fileLimits }),
  });
  warmUp(engine, WARM_UP);
  return engine;
}
