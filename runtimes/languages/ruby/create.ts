/**
 * Creates the Ruby engine from a build, inside the isolate.
 *
 * @module
 */
import { decodeImage } from "../../engine/image.ts";
import { type HeadPart, numberIn, numbersIn, partOf } from "../../engine/image_head.ts";
import { fillRandom, PROCESS_TIME } from "../../engine/process_services.ts";
import { RunRandom } from "../../engine/run_random.ts";
import { warmUp } from "../../engine/warm_up.ts";
import type { FileLimits } from "../../files/file_limits.ts";
import { RubyEngine } from "./engine.ts";
import type { ContextsHead, ImageHead } from "./host/instance.ts";
import { readLibrary } from "../../engine/packed_library.ts";
import { WARM_UP } from "./host/warm_up.ts";

/** A built engine, as bytes. */
export interface RubyEngineSource {
  readonly module: Uint8Array<ArrayBuffer>;
  readonly image: Uint8Array<ArrayBuffer>;
  /** The library, and the operator's packages if there are any, packed. */
  readonly extras: readonly Uint8Array<ArrayBuffer>[];
  /** Bytes of linear memory a guest may have: the maximum of the module's memory. */
  readonly memoryBytes: number;
  readonly fileLimits?: Partial<FileLimits>;
}

function readHead(head: unknown): ImageHead {
  const all = partOf(head);
  return {
    globals: numbersIn(partOf(head, "globals")),
    driver: numberIn(all, "driver"),
    run: numberIn(all, "run"),
    flushFiles: numberIn(all, "flushFiles"),
    stoppedAt: numberIn(all, "stoppedAt"),
    ...(all["askRepr"] === undefined ? {} : { askRepr: numberIn(all, "askRepr") }),
    ...(all["beginCalls"] === undefined ? {} : { beginCalls: numberIn(all, "beginCalls") }),
    ...(all["contexts"] === undefined ? {} : { contexts: readContexts(partOf(head, "contexts")) }),
  };
}

function readContexts(part: HeadPart): ContextsHead {
  return {
    prepare: numberIn(part, "prepare"),
    run: numberIn(part, "run"),
    finish: numberIn(part, "finish"),
    firstChunk: numberIn(part, "firstChunk"),
  };
}

/** Compiles the module, creates an instance from the image, and warms it up. */
export async function createRubyEngine(source: RubyEngineSource): Promise<RubyEngine> {
  const engine = new RubyEngine({
    module: await WebAssembly.compile(source.module),
    image: decodeImage(source.image, readHead),
    library: source.extras.flatMap((part) => readLibrary(part)),
    time: PROCESS_TIME,
    random: new RunRandom(fillRandom),
    ...(source.fileLimits === undefined ? {} : { fileLimits: source.fileLimits }),
  });
  warmUp(engine, WARM_UP);
  return engine;
}
