/**
 * What the Python engine's image remembers beside memory.
 *
 * @module
 */
import { ImageFormatError } from "../image.ts";

/** Head of the image. */
export interface ImageHead {
  /** The driver's function, a Python object. */
  readonly run: number;
  /** Python's record of its one thread. */
  readonly threadState: number;
  /** Where texts of errors are put. */
  readonly errorText: number;
  /** The linear stack: it grows from its base down to its end. */
  readonly stackEnd: number;
  readonly stackBase: number;
  /** End of the heap when the image was taken. */
  readonly heapEnd: number;
  /** The module's mutable globals. */
  readonly globals: readonly (readonly [name: string, value: number])[];
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value);
}

function isGlobal(value: unknown): value is readonly [string, number] {
  return Array.isArray(value) && typeof value[0] === "string" && isNumber(value[1]);
}

/** Checks the head of an image. */
export function readImageHead(head: unknown): ImageHead {
  if (typeof head !== "object" || head === null) throw new ImageFormatError("the head is missing");
  const { run, threadState, errorText, stackEnd, stackBase, heapEnd, globals } = head as Record<
    string,
    unknown
  >;
  if (
    isNumber(run) && isNumber(threadState) && isNumber(errorText) && isNumber(stackEnd) &&
    isNumber(stackBase) &&
    isNumber(heapEnd) &&
    Array.isArray(globals) && globals.every(isGlobal)
  ) return { run, threadState, errorText, stackEnd, stackBase, heapEnd, globals };
  throw new ImageFormatError("the head is not that of a Python image");
}
