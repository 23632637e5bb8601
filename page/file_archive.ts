/**
 * Files as a zip archive.
 *
 * @module
 */
import { type Zippable, zipSync } from "fflate";
import type { FileInfo } from "@belljar/client";

/** Reads files one after the other, and packs them. */
export async function archiveOf(
  files: readonly FileInfo[],
  read: (file: FileInfo, index: number) => Promise<Uint8Array<ArrayBuffer>>,
): Promise<Uint8Array<ArrayBuffer>> {
  const packed: Zippable = Object.create(null);
  for (const [index, file] of files.entries()) {
    const mtime = new Date(Math.max(EARLIEST_MS, Number(file.modifiedAt)));
    packed[file.relativePath] = [await read(file, index), { mtime }];
  }
  return new Uint8Array(zipSync(packed, { level: 6 }));
}

/** The format has no earlier dates. */
const EARLIEST_MS = Date.UTC(1980, 0, 2);
