/**
 * The image part of the built engine: the memory image, and the files that the guest can read.
 * The isolate cannot read files, so both come as one byte string.
 *
 * @module
 */
import {
  decodeImage,
  encodeImage,
  ImageFormatError,
  type MemoryImage,
} from "../../../engine/image.ts";
import { decodeMessage, encodeMessage } from "../../../../shared/message.ts";
import { type ImageHead, readImageHead } from "./image_head.ts";
import { type Libraries, NO_LIBRARIES } from "./library_table.ts";
import type { ReadOnlyFile } from "./machine.ts";

/** The content of the engine's bytes. */
export interface PythonImage {
  readonly image: MemoryImage<ImageHead>;
  readonly files: readonly ReadOnlyFile[];
  /** Native modules that are linked into the module. */
  readonly libraries: Libraries;
}

/** Image and files as bytes. */
export function encodePythonImage(
  { image, files, libraries }: PythonImage,
): Uint8Array<ArrayBuffer> {
  const paths = files.map(([path]) => path);
  const natives = [...libraries].map(([path, symbols]) => [path, [...symbols]] as const);
  const head = natives.length === 0 ? { paths } : { paths, natives };
  return encodeMessage(head, [encodeImage(image), ...files.map(([, bytes]) => bytes)]);
}

function isSymbol(value: unknown): value is readonly [string, number] {
  return Array.isArray(value) && typeof value[0] === "string" && Number.isSafeInteger(value[1]);
}

function isLibrary(value: unknown): value is readonly [string, (readonly [string, number])[]] {
  return Array.isArray(value) && typeof value[0] === "string" && Array.isArray(value[1]) &&
    value[1].every(isSymbol);
}

function readLibraries(head: object): Libraries {
  if (!("natives" in head)) return NO_LIBRARIES;
  const { natives } = head;
  if (!Array.isArray(natives) || !natives.every(isLibrary)) {
    throw new ImageFormatError("the native modules of the image cannot be read");
  }
  return new Map(natives.map(([path, symbols]) => [path, new Map(symbols)] as const));
}

/** The inverse of {@link encodePythonImage}. */
export function decodePythonImage(bytes: Uint8Array<ArrayBuffer>): PythonImage {
  const { head, parts: [encoded, ...contents] } = decodeMessage(bytes, Infinity, Infinity);
  if (typeof head !== "object" || head === null) throw new ImageFormatError("the head is missing");
  const paths = "paths" in head ? head.paths : [];
  if (encoded === undefined || !Array.isArray(paths) || paths.length !== contents.length) {
    throw new ImageFormatError("the files of the image are cut short");
  }
  const files = contents.map((content, index): ReadOnlyFile => [String(paths[index]), content]);
  return { image: decodeImage(encoded, readImageHead), files, libraries: readLibraries(head) };
}
