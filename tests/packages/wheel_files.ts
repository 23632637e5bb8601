/**
 * The files in a wheel.
 *
 * @module
 */
import { readEntry } from "../../runtimes/builder/zip_archive.ts";

const MAX_BYTES = 1 << 24;

function wheelOf(folder: string, name: string): Uint8Array<ArrayBuffer> {
  const wheel = [...Deno.readDirSync(folder)].find((entry) => entry.name.startsWith(`${name}-`));
  if (wheel === undefined) throw new Error(`There is no wheel of ${name}`);
  return Deno.readFileSync(`${folder}/${wheel.name}`);
}

/** Paths of the files in the wheel of a package; `folder` holds the wheels. */
export function filePaths(folder: string, name: string): readonly string[] {
  const archive = wheelOf(folder, name);
  const record = readEntry(archive, (path) => path.endsWith(".dist-info/RECORD"), MAX_BYTES);
  const lines = new TextDecoder().decode(record).split("\n");
  return lines.flatMap((line) => line.split(",")[0] ?? []).filter((path) => path !== "");
}

/** Whether a file of the wheel is the same as that of a folder. */
export function sameFile(folder: string, name: string, path: string, other: string): boolean {
  const own = readEntry(wheelOf(folder, name), (each) => each === path, MAX_BYTES);
  const theirs = Deno.readFileSync(`${other}/${path}`);
  return own?.length === theirs.length && own.every((byte, at) => byte === theirs[at]);
}
