/**
 * This project's library files: what programs require and Ruby's own library lacks, in pure Ruby.
 * The guest sees them as read-only files, at the end of its load path.
 *
 * @module
 */
import { ImageFormatError } from "../image.ts";

/** A file below the library's folder, by its path there. */
export interface LibraryFile {
  readonly path: string;
  readonly text: string;
}

/** The folder, in the guest's file system. */
const FOLDER = "/lib/ruby";

/** All files as one part of a built engine. */
export function packLibrary(files: readonly LibraryFile[]): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(files.map(({ path, text }) => [path, text])));
}

/** Paths and bytes for the guest's file system. Throws ImageFormatError. */
export function readLibrary(
  packed: Uint8Array<ArrayBuffer> | undefined,
): readonly (readonly [path: string, bytes: Uint8Array<ArrayBuffer>])[] {
  const files: unknown = JSON.parse(new TextDecoder().decode(packed ?? new Uint8Array()));
  if (!Array.isArray(files)) throw new ImageFormatError("the engine has no library");
  const encoder = new TextEncoder();
  return files.map((file: unknown) => {
    const [path, text] = Array.isArray(file) ? file : [];
    if (typeof path !== "string" || typeof text !== "string") {
      throw new ImageFormatError("the library of the engine cannot be read");
    }
    return [`${FOLDER}/${path}`, encoder.encode(text)];
  });
}
