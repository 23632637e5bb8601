/**
 * Makes the Python engine from built bytes, with the process's own clock and randomness.
 *
 * @module
 */
import { decodePythonImage } from "./artifact.ts";
import { PythonEngine, type PythonEngineParts } from "./engine.ts";
import { trampolineBytes } from "./trampoline.ts";
import { warmUp } from "./warm_up.ts";

/** The bytes of a built engine, and the memory a guest may have. */
export interface BuiltPython {
  readonly module: Uint8Array<ArrayBuffer>;
  readonly image: Uint8Array<ArrayBuffer>;
  readonly memoryBytes: number;
}

const PAGE_BYTES = 65_536;
const MAX_RANDOM_BYTES = 65_536;

/** Fills with secure random bytes; Web Crypto gives no more than 64 KiB at once. */
function fillRandom(target: Uint8Array<ArrayBuffer>): void {
  for (let at = 0; at < target.length; at += MAX_RANDOM_BYTES) {
    const part = new Uint8Array(Math.min(MAX_RANDOM_BYTES, target.length - at));
    crypto.getRandomValues(part);
    target.set(part, at);
  }
}

/** V8's own function, where the process was started with `--v8-flags=--expose-gc`. */
function garbageCollector(): Pick<PythonEngineParts, "collectGarbage"> {
  const collect: unknown = Reflect.get(globalThis, "gc");
  return typeof collect === "function" ? { collectGarbage: () => void collect() } : {};
}

/** Compiles and starts the engine. */
export async function createPythonEngine(built: BuiltPython): Promise<PythonEngine> {
  const { image, files } = decodePythonImage(built.image);
  const [module, trampoline] = await Promise.all([
    WebAssembly.compile(built.module),
    WebAssembly.compile(trampolineBytes()),
  ]);
  const engine = new PythonEngine({
    module,
    trampoline,
    image,
    readOnlyFiles: files,
    maximumPages: Math.floor(built.memoryBytes / PAGE_BYTES),
    time: { now: () => Date.now(), monotonic: () => performance.now() },
    random: fillRandom,
    ...garbageCollector(),
  });
  warmUp(engine);
  return engine;
}
