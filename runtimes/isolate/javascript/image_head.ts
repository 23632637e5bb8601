/**
 * Reads what the JavaScript engine's image stores in addition to memory.
 *
 * @module
 */
import { numberIn, partOf } from "../image_head.ts";
import type { Driver, ImageHead } from "./instance.ts";
import type { QuickJsLayout } from "./layout.ts";

function readLayout(head: unknown): QuickJsLayout {
  const layout = partOf(head, "layout");
  return {
    stringLengthBefore: numberIn(layout, "stringLengthBefore"),
    breakAddress: numberIn(layout, "breakAddress"),
    topAddress: numberIn(layout, "topAddress"),
    globalLexicals: numberIn(layout, "globalLexicals"),
    randomState: numberIn(layout, "randomState"),
    interruptCounter: numberIn(layout, "interruptCounter"),
    rejectionTracker: numberIn(layout, "rejectionTracker"),
  };
}

function readDriver(head: unknown): Driver {
  const driver = partOf(head, "driver");
  return {
    begin: numberIn(driver, "begin"),
    fire: numberIn(driver, "fire"),
    finish: numberIn(driver, "finish"),
    describe: numberIn(driver, "describe"),
    uncaught: numberIn(driver, "uncaught"),
    prepareStackTrace: numberIn(driver, "prepareStackTrace"),
    findDeclared: numberIn(driver, "findDeclared"),
    takeDeclared: numberIn(driver, "takeDeclared"),
    restoreDeclared: numberIn(driver, "restoreDeclared"),
    ...("setClock" in driver ? { setClock: numberIn(driver, "setClock") } : {}),
  };
}

/** Checks the head of an image. Throws an ImageFormatError. */
export function readImageHead(head: unknown): ImageHead {
  const all = partOf(head);
  return {
    runtime: numberIn(all, "runtime"),
    context: numberIn(all, "context"),
    stackPointer: numberIn(all, "stackPointer"),
    heapEnd: numberIn(all, "heapEnd"),
    layout: readLayout(head),
    driver: readDriver(head),
  };
}
