/**
 * Creates the Ruby engine from a build, inside the isolate.
 *
 * @module
 */
import { type HeadPart, numberIn, numbersIn, partOf } from "../../engine/image_head.ts";
import { type BuiltEngine, engineParts } from "../../engine/built_engine.ts";
import { warmUp } from "../../engine/warm_up.ts";
import { RubyEngine } from "./engine.ts";
import type { ContextsHead, ImageHead } from "./host/instance.ts";
import { WARM_UP } from "./host/warm_up.ts";

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

/** Creates an instance from the image, and warms it up. */
export async function createRubyEngine(built: BuiltEngine): Promise<RubyEngine> {
  const engine = new RubyEngine(await engineParts(built, readHead));
  warmUp(engine, WARM_UP);
  return engine;
}
