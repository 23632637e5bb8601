/**
 * The parts of the Python engine's image besides memory.
 *
 * @module
 */
import { ImageFormatError } from "../../../engine/image.ts";

/**
 * Bytes of the linear stack that Python may use. A padded frame is about as large as its frame on
 * V8's stack, which is at most 1.9 times larger, so `--stack-size=12500` is enough for V8. Three
 * thousand calls through C code take this much; at that depth Python itself raises.
 */
export const STACK_BYTES = 6_400_000;

/** Head of the image. */
export interface ImageHead {
  /** The driver's functions, Python objects. */
  readonly begin: number;
  readonly resume: number;
  readonly fail: number;
  readonly lineOf: number;
  /** Python's record of its one thread. */
  readonly threadState: number;
  /** Address of the buffer for the texts of errors. */
  readonly errorText: number;
  /** The linear stack. It grows from its base down to its end. */
  readonly stackEnd: number;
  readonly stackBase: number;
  /** Start of the heap, if it differs from the stack's base: native modules lie between the two. */
  readonly heapBase?: number;
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

const NUMBERS = [
  "begin",
  "resume",
  "fail",
  "lineOf",
  "threadState",
  "errorText",
  "stackEnd",
  "stackBase",
  "heapEnd",
] as const satisfies readonly (keyof ImageHead)[];

function isImageHead(head: object): head is ImageHead {
  const globals: unknown = Reflect.get(head, "globals");
  const heapBase: unknown = Reflect.get(head, "heapBase");
  return NUMBERS.every((name) => isNumber(Reflect.get(head, name))) &&
    (heapBase === undefined || isNumber(heapBase)) &&
    Array.isArray(globals) && globals.every(isGlobal);
}

/** Checks the head of an image. */
export function readImageHead(head: unknown): ImageHead {
  if (typeof head !== "object" || head === null) throw new ImageFormatError("the head is missing");
  if (isImageHead(head)) return head;
  throw new ImageFormatError("the head is not that of a Python image");
}
