/**
 * Heads of images as JSON gave them back, checked before an engine builds on them.
 *
 * @module
 */
import { ImageFormatError } from "./image.ts";

/** A part of a head, of which nothing is known yet. */
export type HeadPart = Readonly<Record<string, unknown>>;

/** A part by its name; the head itself when none is given. Throws an ImageFormatError. */
export function partOf(head: unknown, name?: string): HeadPart {
  const part: unknown = name === undefined ? head : partOf(head)[name];
  if (typeof part === "object" && part !== null) return { ...part };
  throw new ImageFormatError(`the head of the image has no ${name ?? "parts"}`);
}

/** A number by its name. Throws an ImageFormatError. */
export function numberIn(part: HeadPart, name: string): number {
  const number = part[name];
  if (typeof number === "number") return number;
  throw new ImageFormatError(`the head of the image has no ${name}`);
}

/** A part of nothing but numbers. Throws an ImageFormatError. */
export function numbersIn(part: HeadPart): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.keys(part).map((name) => [name, numberIn(part, name)]));
}
