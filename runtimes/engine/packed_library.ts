/**
 * The library of a language, as a part of a built engine. The guest sees its files as read-only ones.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { deflateRawSync } from "node:zlib";
import { decodeMessage, encodeMessage } from "../../shared/message.ts";
import { PackedBytes } from "../files/packed_bytes.ts";
import { ImageFormatError } from "./image.ts";

/** A file, by its absolute path. */
export type LibraryFile = readonly [path: string, bytes: Uint8Array];

/** The best compression: a build is made once. */
const LEVEL = 9;

/** All files, deflated, as one part of a built engine. */
export function packLibrary(files: readonly LibraryFile[]): Uint8Array<ArrayBuffer> {
  const packed = files.map(([, bytes]) => deflateRawSync(bytes, { level: LEVEL }));
  const list = files.map(([path, { length }], index) => [path, length, packed[index]?.length ?? 0]);
  return encodeMessage({ files: list }, [Buffer.concat(packed)]);
}

/** Paths and bytes for the guest's file system. Throws ImageFormatError. */
export function readLibrary(
  library: Uint8Array<ArrayBuffer> | undefined,
): readonly (readonly [path: string, bytes: PackedBytes])[] {
  const { head, parts: [part] } = decodeMessage(library ?? new Uint8Array());
  const list: unknown = typeof head === "object" && head !== null ? Reflect.get(head, "files") : [];
  if (part === undefined || !Array.isArray(list)) {
    throw new ImageFormatError("the engine has no library");
  }
  const content = part.slice(); // without views of them, the bytes of the build can be collected
  let at = 0;
  return list.map((entry: unknown) => {
    const [path, length, packed] = Array.isArray(entry) ? entry : [];
    if (typeof path !== "string" || typeof length !== "number" || typeof packed !== "number") {
      throw new ImageFormatError("the library of the engine cannot be read");
    }
    at += packed;
    return [path, new PackedBytes(content.subarray(at - packed, at), length)];
  });
}
