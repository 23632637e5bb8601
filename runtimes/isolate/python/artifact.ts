/**
 * The image part of the built engine: the memory image, and the files that the guest can read.
 * The isolate has no files of its own, so all of it comes as one byte string.
 *
 * @module
 */
import { decodeImage, encodeImage, ImageFormatError, type MemoryImage } from "../image.ts";
import { decodeMessage, encodeMessage } from "../../../wire/message.ts";
import { type ImageHead, readImageHead } from "./image_head.ts";
import type { ReadOnlyFile } from "./machine.ts";

/** The content of the engine's bytes. */
export interface PythonImage {
  readonly image: MemoryImage<ImageHead>;
  readonly files: readonly ReadOnlyFile[];
}

/** Image and files as bytes. */
export function encodePythonImage({ image, files }: PythonImage): Uint8Array<ArrayBuffer> {
  const paths = files.map(([path]) => path);
  return encodeMessage({ paths }, [encodeImage(image), ...files.map(([, bytes]) => bytes)]);
}

/** The inverse of {@link encodePythonImage}. */
export function decodePythonImage(bytes: Uint8Array<ArrayBuffer>): PythonImage {
  const { head, parts: [encoded, ...contents] } = decodeMessage(bytes);
  const paths = typeof head === "object" && head !== null && "paths" in head ? head.paths : [];
  if (encoded === undefined || !Array.isArray(paths) || paths.length !== contents.length) {
    throw new ImageFormatError("the files of the image are cut short");
  }
  const files = contents.map((content, index): ReadOnlyFile => [String(paths[index]), content]);
  return { image: decodeImage(encoded, readImageHead), files };
}
