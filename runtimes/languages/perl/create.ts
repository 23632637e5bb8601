/**
 * Creates the Perl engine from a build, inside the isolate.
 *
 * @module
 */
import { numberIn, numbersIn, partOf } from "../../engine/image_head.ts";
import { type BuiltEngine, engineParts } from "../../engine/built_engine.ts";
import { warmUp } from "../../engine/warm_up.ts";
import { PerlEngine } from "./engine.ts";
import type { ImageHead } from "./host/instance.ts";
import { WARM_UP } from "./host/warm_up.ts";

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

/** Creates an instance from the image, and warms it up. */
export async function createPerlEngine(built: BuiltEngine): Promise<PerlEngine> {
  const engine = new PerlEngine(await engineParts(built, readHead));
  warmUp(engine, WARM_UP);
  return engine;
}
