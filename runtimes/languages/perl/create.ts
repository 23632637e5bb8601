/**
 * Creates the Perl engine from a build, inside the isolate.
 *
 * @module
 */
import { decodeImage } from "../../engine/image.ts";
import { numberIn, numbersIn, partOf } from "../../engine/image_head.ts";
import { readLibrary } from "../../engine/packed_library.ts";
import { fillRandom, PROCESS_TIME } from "../../engine/process_services.ts";
import { RunRandom } from "../../engine/run_random.ts";
import { warmUp } from "../../engine/warm_up.ts";
import type { FileLimits } from "../../files/file_limits.ts";
import { PerlEngine } from "./engine.ts";
import type { ImageHead } from "./host/instance.ts";
import { WARM_UP } from "./host/warm_up.ts";

/** A built engine, as bytes. */
export interface PerlEngineSource {
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
  const layout = partOf(head, "layout");
  const orders = partOf(head, "orders");
  return {
    globals: numbersIn(partOf(head, "globals")),
    layout: {
      evaluationCounter: numberIn(layout, "evaluationCounter"),
      endBlocks: numberIn(layout, "endBlocks"),
      arenas: numberIn(layout, "arenas"),
    },
    orders: {
      depthFirst: numberIn(orders, "depthFirst"),
      c3: numberIn(orders, "c3"),
    },
    outcome: numberIn(all, "outcome"),
    list: numberIn(all, "list"),
  };
}

/** Compiles the module, creates an instance from the image, and warms it up. */
export async function createPerlEngine(source: PerlEngineSource): Promise<PerlEngine> {
  const engine = new PerlEngine({
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
