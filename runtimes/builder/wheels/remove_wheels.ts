/**
 * `deno task wheels remove`: removes packages, and their dependencies that nothing else needs.
 *
 * @module
 */
import { normalName, parseWheelName } from "../wheel_name.ts";
import { tellChanges } from "./add_wheels.ts";
import { unknownFiles, WheelFolder } from "./folder.ts";
import { nearNames } from "../command/near_names.ts";
import type { Progress } from "../command/progress.ts";
import { CommandRefused } from "../command/refusal.ts";
import { resolve } from "./resolver.ts";
import { requirementText } from "./requirement.ts";
import { neededBy, openCatalog, requestedOf, type SourceSettings } from "./session.ts";

/** The options of {@link removeWheels}. */
export interface RemoveOptions {
  readonly folder: string;
  readonly sources: SourceSettings;
  /** Names of packages to remove. */
  readonly names: readonly string[];
  readonly progress: Progress;
}

/** Removes packages from a folder, without the network. Throws a CommandRefused. */
export async function removeWheels({ names, progress, ...options }: RemoveOptions): Promise<void> {
  const { lock: there } = await WheelFolder.look(options.folder);
  if (there === undefined) throw nothingThere(options.folder);
  await using folder = await WheelFolder.open(options.folder);
  const { lock } = folder;
  if (lock === undefined) throw nothingThere(options.folder);
  const known = new Set(lock.packages.map(({ name }) => name));
  const requested = requestedOf(lock);
  const asked = names.map(normalName);
  for (const name of asked) {
    if (!known.has(name) && !requested.has(name)) throw new CommandRefused(unknown(name, folder));
    requested.delete(name);
  }
  const catalog = await openCatalog({
    sources: options.sources,
    folder,
    unpinned: () => false,
    prereleases: true,
    only: "folder",
    preferEngine: false,
    progress,
  });
  const chosen = await resolve([...requested.values()], catalog);
  const needed = asked.find((name) => chosen.has(name));
  if (needed !== undefined) {
    const owners = neededBy(needed, chosen);
    const words = owners.length === 1 ? "needs it: remove that" : "need it: remove those";
    throw new CommandRefused(`${needed} stays: ${owners.join(", ")} ${words} as well`);
  }
  const after = {
    ...lock,
    requested: [...requested.values()].map(requirementText).sort(),
    packages: lock.packages.filter(({ name }) => chosen.has(name)),
  };
  await folder.commit(after);
  tellChanges(lock, after, progress);
}

function nothingThere(folder: string): CommandRefused {
  return new CommandRefused(`${folder} has no packages that add put there`);
}

function unknown(name: string, folder: WheelFolder): string {
  const own = unknownFiles(folder).find(({ file }) => parseWheelName(file)?.name === name);
  if (own !== undefined) {
    return `${own.file} is your own file, which no command deletes: remove it yourself`;
  }
  const near = nearNames(name, folder.lock?.packages.map((wheel) => wheel.name) ?? []);
  return `${name} is not among the packages in ${folder.path}` +
    (near.length === 0 ? ": deno task wheels list shows them" : `: is it ${near.join(", or ")}?`);
}
