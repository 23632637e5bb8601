/**
 * Puts the Ruby engine together from what a build made, inside the isolate.
 *
 * @module
 */
import { decodeImage } from "../image.ts";
import { numberIn, numbersIn, partOf } from "../image_head.ts";
import { RubyEngine } from "./engine.ts";
import type { ImageHead } from "./interpreter.ts";
import { readLibrary } from "./library.ts";
import { WARM_UP } from "./warm_up.ts";

/** A built engine, as bytes. */
export interface RubyEngineSource {
  readonly module: Uint8Array<ArrayBuffer>;
  readonly image: Uint8Array<ArrayBuffer>;
  /** The library, packed. */
  readonly extras: readonly Uint8Array<ArrayBuffer>[];
  /** Bytes of linear memory a guest may have; the module was built for as many. */
  readonly memoryBytes: number;
}

const WARM_UP_LIMITS = {
  fuel: 10_000_000_000,
  outputBytes: 10_000,
  outputLines: 1_000,
  resultBytes: 10_000,
  tracebackBytes: 10_000,
  wallMs: 10_000,
};

function readHead(head: unknown): ImageHead {
  const all = partOf(head);
  return {
    globals: numbersIn(partOf(head, "globals")),
    driver: numberIn(all, "driver"),
    run: numberIn(all, "run"),
    stoppedAt: numberIn(all, "stoppedAt"),
  };
}

/** Compiles the module, makes an instance from the image, and runs what most runs will need. */
export async function createRubyEngine(source: RubyEngineSource): Promise<RubyEngine> {
  const engine = new RubyEngine({
    module: await WebAssembly.compile(source.module),
    image: decodeImage(source.image, readHead),
    library: readLibrary(source.extras[0]),
    time: { now: () => Date.now(), monotonic: () => performance.now() },
    random: (into) => void crypto.getRandomValues(into),
  });
  for (const code of WARM_UP) {
    engine.run({ code, env: new Map(), typescript: false, limits: WARM_UP_LIMITS }, () => true);
    engine.reset();
  }
  return engine;
}
