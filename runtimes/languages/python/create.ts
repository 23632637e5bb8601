/**
 * Makes the Python engine from built bytes, with the process's own clock and randomness.
 *
 * @module
 */
import { WASM_PAGE_BYTES } from "../../../wasm/metering/wasm_page.ts";
import { fillRandom, garbageCollector, PROCESS_TIME } from "../../engine/process_services.ts";
import type { FileLimits } from "../../files/file_limits.ts";
import { warmUp } from "../../engine/warm_up.ts";
import { decodePythonImage } from "./host/artifact.ts";
import { PythonEngine } from "./engine.ts";
import { trampolineBytes } from "./host/trampoline.ts";
import { PRELOADED_WARM_UP, WARM_UP } from "./host/warm_up.ts";

/** The bytes of a built engine, and the memory a guest may have. */
export interface BuiltPython {
  readonly module: Uint8Array<ArrayBuffer>;
  readonly image: Uint8Array<ArrayBuffer>;
  readonly memoryBytes: number;
  readonly fileLimits?: Partial<FileLimits>;
  /** Whether programs run on the second baseline too, if there is one. @default {false} */
  readonly warmPreloads?: boolean | undefined;
}

/**
 * Milliseconds from the start of an engine on, after which no further program for data work runs before
 * the first guest's. On a busy machine they would take up the time of an isolate to load its engine.
 */
const PRELOADED_WARM_UP_MS = 8_000;

/** Compiles and starts the engine. */
export async function createPythonEngine(built: BuiltPython): Promise<PythonEngine> {
  const latest = performance.now() + PRELOADED_WARM_UP_MS;
  const { image, preloaded, files, libraries } = decodePythonImage(built.image);
  const [module, trampoline] = await Promise.all([
    WebAssembly.compile(built.module),
    WebAssembly.compile(trampolineBytes()),
  ]);
  const engine = new PythonEngine({
    module,
    trampoline,
    image,
    preloaded,
    readOnlyFiles: files,
    libraries,
    maximumPages: Math.floor(built.memoryBytes / WASM_PAGE_BYTES),
    time: PROCESS_TIME,
    random: fillRandom,
    collectGarbage: garbageCollector(),
    ...(built.fileLimits === undefined ? {} : { fileLimits: built.fileLimits }),
  });
  warmUp(engine, WARM_UP);
  if (built.warmPreloads === true && preloaded !== undefined) {
    const hasTime = () => performance.now() < latest;
    warmUp(engine, PRELOADED_WARM_UP, { preloaded: true, hasTime });
  }
  return engine;
}
