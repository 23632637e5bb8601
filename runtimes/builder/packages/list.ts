/**
 * `deno task packages list` and `remove`.
 *
 * @module
 */
import { nearNames } from "../command/near_names.ts";
import { type Progress, sizeWords } from "../command/progress.ts";
import { CommandRefused } from "../command/refusal.ts";
import { isWhole, PackageFolder, readPackagesLock } from "./folder.ts";

/** Describes a folder, one line for each package. Reads every file and changes nothing. */
export async function listPackages(path: string): Promise<readonly string[]> {
  const { packages } = await readPackagesLock(path);
  if (packages.length === 0) return [`${path} has no packages`];
  const lines: string[] = [];
  for (const one of packages) {
    const size = one.files.reduce((sum, file) => sum + file.size, 0);
    const columns = [one.name, one.version, sizeWords(size), partsWords(one.parts.length)];
    if (one.entries.length > 0) columns.push(`with ${one.entries.join(", ")}`);
    if (one.requested !== "") columns.push(`asked for as ${one.requested}`);
    if (!await isWhole(path, one)) columns.push("MISSING OR CHANGED: add makes it again");
    lines.push(columns.join("  "));
  }
  return lines;
}

function partsWords(count: number): string {
  return count === 1 ? "without dependencies" : `with ${count - 1} dependencies`;
}

/** Removes packages from a folder. Throws a CommandRefused, and then changes nothing. */
export async function removePackages(
  path: string,
  names: readonly string[],
  progress: Progress,
): Promise<void> {
  const known = (await readPackagesLock(path)).packages.map(({ name }) => name);
  if (known.length === 0) throw new CommandRefused(`${path} has no packages that add put there`);
  using folder = await PackageFolder.open(path);
  for (const name of names) {
    if (known.includes(name)) continue;
    const near = nearNames(name, known);
    throw new CommandRefused(
      `${name} is not among the packages in ${path}` +
        (near.length === 0
          ? ": deno task packages list shows them"
          : `: is it ${near.join(", or ")}?`),
    );
  }
  const packages = folder.lock.packages.filter(({ name }) => !names.includes(name));
  await folder.commit({ version: 1, packages }, []);
  for (const { name, version } of folder.lock.packages) {
    if (names.includes(name)) progress.line(`- ${name} ${version}`);
  }
}
