/**
 * The image part of the built engine: the memory image, and the files that the guest can read, which
 * are packed. The isolate cannot read files, so both come as one byte string.
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
import { type PackedFile, packLibrary, readLibrary } from "../../../engine/packed_library.ts";

/** The content of the engine's bytes. */
export interface PythonImage {
  readonly image: MemoryImage<ImageHead>;
  /** The second baseline, as the pages that differ from the first. @default {none} */
  readonly preloaded?: MemoryImage<ImageHead> | undefined;
  readonly files: readonly PackedFile[];
  /** Native modules that are linked into the module. */
  readonly libraries: Libraries;
}

/** The usual compression: packages are large, and a better one takes several times as long. */
const LEVEL = 6;

/** Image and files as bytes. */
export function encodePythonImage(
  { image, preloaded, files, libraries }: PythonImage,
): Uint8Array<ArrayBuffer> {
  const natives = [...libraries].map(([path, symbols]) => [path, [...symbols]] as const);
  const head = natives.length === 0 ? {} : { natives };
  const parts = [encodeImage(image), packLibrary(files, LEVEL)];
  return encodeMessage(head, preloaded === undefined ? parts : [...parts, encodeImage(preloaded)]);
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

/**
 * The files. Earlier builds have one part for each, and their paths in the head. They are copied:
 * without views of them, the built bytes can be collected.
 */
function readFiles(
  head: object,
  parts: readonly Uint8Array<ArrayBuffer>[],
): readonly PackedFile[] {
  if (!("paths" in head)) return readLibrary(parts[0]);
  const { paths } = head;
  if (!Array.isArray(paths) || paths.length !== parts.length) {
    throw new ImageFormatError("the files of the image are cut short");
  }
  return parts.map((content, index): PackedFile => [String(paths[index]), content.slice()]);
}

/** The second baseline, copied for the same reason, and because its pages are used where they lie. */
function readPreloaded(
  head: object,
  [, encoded]: readonly Uint8Array<ArrayBuffer>[],
): MemoryImage<ImageHead> | undefined {
  if ("paths" in head || encoded === undefined) return undefined;
  return decodeImage(encoded.slice(), readImageHead);
}

/** The inverse of {@link encodePythonImage}. */
export function decodePythonImage(bytes: Uint8Array<ArrayBuffer>): PythonImage {
  const { head, parts: [encoded, ...contents] } = decodeMessage(bytes, Infinity, Infinity);
  if (typeof head !== "object" || head === null) throw new ImageFormatError("the head is missing");
  if (encoded === undefined) throw new ImageFormatError("the image is missing");
  const files = readFiles(head, contents);
  return {
    image: decodeImage(encoded, readImageHead),
    preloaded: readPreloaded(head, contents),
    files,
    libraries: readLibraries(head),
  };
}
