/**
 * The library of a language, as a part of a built engine. The guest sees its files as read-only ones.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { deflateRawSync } from "node:zlib";
import { decodeMessage, encodeMessage } from "../../shared/message.ts";
import { PackedBytes, unpacked } from "../files/packed_bytes.ts";
import { ImageFormatError } from "./image.ts";

/** A file, by its absolute path. */
export type LibraryFile = readonly [path: string, bytes: Uint8Array];
/** A file as an isolate has it. */
export type PackedFile = readonly [path: string, bytes: Uint8Array | PackedBytes];

/** The best compression: a build is made once. */
const LEVEL = 9;
/** A file that does not get smaller than this share, such as an archive, stays as it is. */
const WORTH = 0.9;

/** The bytes as they are packed: deflated, or of the same length and as they are. */
function packed([, content]: PackedFile, level: number): Uint8Array {
  const bytes = unpacked(content);
  const deflated = deflateRawSync(bytes, { level });
  return deflated.length < WORTH * bytes.length ? deflated : bytes;
}

/** All files, deflated where that is worth it, as one part of a built engine. */
export function packLibrary(
  files: readonly PackedFile[],
  level: number = LEVEL,
): Uint8Array<ArrayBuffer> {
  const contents = files.map((file) => packed(file, level));
  const list = files.map((
    [path, { length }],
    index,
  ) => [path, length, contents[index]?.length ?? 0]);
  return encodeMessage({ files: list }, [Buffer.concat(contents)]);
}

/** Paths and bytes for the guest's file system. Throws ImageFormatError. */
export function readLibrary(
  library: Uint8Array<ArrayBuffer> | undefined,
): readonly PackedFile[] {
  const { head, parts: [part] } = decodeMessage(library ?? new Uint8Array());
  const list: unknown = typeof head === "object" && head !== null ? Reflect.get(head, "files") : [];
  if (part === undefined || !Array.isArray(list)) {
    throw new ImageFormatError("the engine has no library");
  }
  const content = part.slice(); // without views of them, the bytes of the build can be collected
  let at = 0;
  return list.map((entry: unknown): PackedFile => {
    const [path, length, packed] = Array.isArray(entry) ? entry : [];
    if (typeof path !== "string" || typeof length !== "number" || typeof packed !== "number") {
      throw new ImageFormatError("the library of the engine cannot be read");
    }
    at += packed;
    const bytes = content.subarray(at - packed, at);
    return [path, packed === length ? bytes : new PackedBytes(bytes, length)];
  });
}
