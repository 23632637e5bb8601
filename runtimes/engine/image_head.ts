/**
 * Checks the parsed JSON heads of images before an engine relies on them.
 *
 * @module
 */
import { ImageFormatError } from "./image.ts";

/** A part of a head, not checked yet. */
export type HeadPart = Readonly<Record<string, unknown>>;

/** The part with a name, or the head itself without one. Throws an ImageFormatError. */
export function partOf(head: unknown, name?: string): HeadPart {
  const part: unknown = name === undefined ? head : partOf(head)[name];
  if (typeof part === "object" && part !== null) return { ...part };
  throw new ImageFormatError(`the head of the image has no ${name ?? "parts"}`);
}

/** The number with a name. Throws an ImageFormatError. */
export function numberIn(part: HeadPart, name: string): number {
  const number = part[name];
  if (typeof number === "number") return number;
  throw new ImageFormatError(`the head of the image has no ${name}`);
}

/** A part whose values are all numbers. Throws an ImageFormatError. */
export function numbersIn(part: HeadPart): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.keys(part).map((name) => [name, numberIn(part, name)]));
}
