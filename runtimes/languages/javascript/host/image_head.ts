/**
 * Reads what the JavaScript engine's image stores in addition to memory.
 *
 * @module
 */
import { numberIn, partOf } from "../../../engine/image_head.ts";
import { type Driver, DRIVER_FUNCTIONS, type ImageHead } from "./instance.ts";
import type { QuickJsLayout } from "./layout.ts";

function readLayout(head: unknown): QuickJsLayout {
  const layout = partOf(head, "layout");
  return {
    topAddress: numberIn(layout, "topAddress"),
    globalLexicals: numberIn(layout, "globalLexicals"),
    randomState: numberIn(layout, "randomState"),
    interruptCounter: numberIn(layout, "interruptCounter"),
    jobs: numberIn(layout, "jobs"),
  };
}

function readDriver(head: unknown): Driver<number> {
  const driver = partOf(head, "driver");
  const entries = DRIVER_FUNCTIONS.map((name) => [name, numberIn(driver, name)] as const);
  return Object.fromEntries(entries) as Driver<number>;
}

/** Checks the head of an image. Throws an ImageFormatError. */
export function readImageHead(head: unknown): ImageHead {
  const all = partOf(head);
  return {
    runtime: numberIn(all, "runtime"),
    context: numberIn(all, "context"),
    stackPointer: numberIn(all, "stackPointer"),
    layout: readLayout(head),
    driver: readDriver(head),
  };
}
