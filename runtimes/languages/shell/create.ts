/**
 * Creates the shell from a build, inside the isolate.
 *
 * @module
 */
import { numberIn, numbersIn, partOf } from "../../engine/image_head.ts";
import { type BuiltEngine, engineParts } from "../../engine/built_engine.ts";
import { warmUp } from "../../engine/warm_up.ts";
import { ShellEngine } from "./engine.ts";
import type { ImageHead } from "./host/instance.ts";
import { WARM_UP } from "./host/warm_up.ts";

function readHead(head: unknown): ImageHead {
  return {
    globals: numbersIn(partOf(head, "globals")),
    firstChunk: numberIn(partOf(head), "firstChunk"),
  };
}

/** Creates an instance from the image, and warms it up. */
export async function createShellEngine(built: BuiltEngine): Promise<ShellEngine> {
  const engine = new ShellEngine(await engineParts(built, readHead));
  warmUp(engine, WARM_UP);
  return engine;
}
