/**
 * `deno task wheels add`: resolves requirements, fetches the wheels, and writes the lock.
 *
 * @module
 */
import type { WheelsLock } from "../wheels_lock.ts";
import { kindOf, WheelFolder } from "./folder.ts";
import { type Progress, sizeWords } from "../command/progress.ts";
import { CommandRefused } from "../command/refusal.ts";
import type { Requirement } from "./requirement.ts";
import { type Choice, resolve } from "./resolver.ts";
import { lockOf, openCatalog, requestedOf, type SourceSettings } from "./session.ts";

/** The options of {@link addWheels}. */
export interface AddOptions {
  readonly folder: string;
  readonly sources: SourceSettings;
  /** Requirements to add. When empty, only missing and changed wheels of the lock are fetched. */
  readonly requirements: readonly Requirement[];
  /** Requirements to add if the folder or the engine's distribution has the package. @default {none} */
  readonly builtRequirements?: readonly Requirement[];
  readonly prereleases: boolean;
  /** Whether to ignore the locked versions of the named packages, or of all when none is named. */
  readonly upgrade: boolean;
  readonly only: "index" | "engine" | undefined;
  readonly preferEngine: boolean;
  readonly progress: Progress;
}

/** Adds packages to a folder. Throws a CommandRefused, which leaves the folder unchanged. */
export async function addWheels(options: AddOptions): Promise<void> {
  const { progress, upgrade } = options;
  await using folder = await WheelFolder.open(options.folder);
  if (options.requirements.length === 0 && folder.lock === undefined) {
    throw new CommandRefused("Name packages: deno task wheels add numpy pandas");
  }
  const { builtRequirements = [] } = options;
  const named = new Set(
    [...options.requirements, ...builtRequirements].map(({ name }) => name),
  );
  const catalog = await openCatalog({
    ...options,
    folder,
    unpinned: (name) => upgrade && (named.size === 0 || named.has(name)),
  });
  const built = builtRequirements.filter(({ name }) => catalog.isBuilt(name));
  const requirements = [...options.requirements, ...built];
  const requested = requestedOf(folder.lock);
  for (const requirement of requirements) requested.set(requirement.name, requirement);
  const chosen = await resolve([...requested.values()], catalog);
  checkExtras(requirements, chosen);
  for (const { file, sha256 } of folder.lock?.packages ?? []) {
    const isThere = folder.files.some((found) => found.file === file);
    if (isThere && !await folder.has({ file, sha256 })) {
      progress.line(`${file} has changed since it was fetched, and is fetched again`);
    }
  }
  const lock = await lockOf(requested.values(), chosen, catalog);
  await folder.commit(lock);
  tellChanges(folder.lock, lock, progress);
  const absent = builtRequirements.filter((requirement) => !built.includes(requirement));
  if (absent.length > 0) {
    const names = absent.map(({ name }) => name).join(", ");
    progress.line(`Without ${names}: the engine's distribution does not have them`);
  }
  for (const { candidate } of chosen.values()) {
    if (candidate.source !== "folder") continue;
    progress.line(`${candidate.name} ${candidate.version} is your own ${candidate.wheel.file}`);
  }
}

function checkExtras(
  requirements: readonly Requirement[],
  chosen: ReadonlyMap<string, Choice>,
): void {
  for (const { name, extras } of requirements) {
    const known = Object.keys(chosen.get(name)?.needs.extras ?? {});
    const unknown = extras.find((extra) => !known.includes(extra));
    if (unknown === undefined) continue;
    const there = known.length === 0 ? "none" : known.join(", ");
    throw new CommandRefused(`${name} has no extra ${unknown}; it has ${there}`);
  }
}

/** Reports the difference between two locks. */
export function tellChanges(
  before: WheelsLock | undefined,
  after: WheelsLock,
  progress: Progress,
): void {
  const old = new Map(before?.packages.map((wheel) => [wheel.name, wheel]));
  for (const wheel of after.packages) {
    const { name, version, size } = wheel;
    const earlier = old.get(name);
    old.delete(name);
    if (earlier?.sha256 === wheel.sha256) continue;
    const was = earlier === undefined ? "" : `, was ${earlier.version}`;
    progress.line(`+ ${name} ${version} (${kindOf(wheel)}, ${sizeWords(size)}${was})`);
  }
  for (const { name, version } of old.values()) progress.line(`- ${name} ${version}`);
}
