/**
 * Names of the files in a wheel.
 *
 * @module
 */
import { readEntry } from "../../runtimes/build/zip_archive.ts";

/** Paths of the files in the wheel of a package; `folder` holds the wheels. */
export function filePaths(folder: string, name: string): readonly string[] {
  const wheel = [...Deno.readDirSync(folder)].find((entry) => entry.name.startsWith(`${name}-`));
  if (wheel === undefined) throw new Error(`There is no wheel of ${name}`);
  const archive = Deno.readFileSync(`${folder}/${wheel.name}`);
  const record = readEntry(archive, (path) => path.endsWith(".dist-info/RECORD"), 1 << 24);
  const lines = new TextDecoder().decode(record).split("\n");
  return lines.flatMap((line) => line.split(",")[0] ?? []).filter((path) => path !== "");
}
