/**
 * Shared by the commands that change a folder of wheels: opens the sources of wheels, and turns
 * requirements into a lock.
 *
 * @module
 */
import { pathToFileURL } from "node:url";
import { type EngineTags, engineTags, fitRank, parseWheelName } from "../wheel_name.ts";
import type { LockedWheel, WheelsLock } from "../wheels_lock.ts";
import type { Candidate } from "./candidate.ts";
import { Catalog, type CatalogOptions } from "./catalog.ts";
import {
  type Access,
  accessTo,
  accessToFolder,
  Downloads,
  type Patience,
} from "../command/download.ts";
import { EngineCatalog, publishedDistribution } from "./engine_catalog.ts";
import { unknownFiles, type WheelFolder } from "./folder.ts";
import { IndexCatalog } from "./index_catalog.ts";
import { markerValues } from "./markers.ts";
import { CommandRefused } from "../command/refusal.ts";
import { parseRequirement, type Requirement, requirementText } from "./requirement.ts";
import type { Choice } from "./resolver.ts";
import { newestFirst, normalVersion } from "./versions.ts";

/** The operator's configuration of the sources. */
export interface SourceSettings {
  /** Value of PIP_INDEX_URL. */
  readonly indexUrl: string | undefined;
  /** Value of WHEELS_DISTRIBUTION_URL. */
  readonly distributionUrl: string | undefined;
  /** Path of the distribution's lock file; the engine's own one if undefined. */
  readonly engineLock: string | undefined;
  readonly patience?: Patience | undefined;
}

/** The options of {@link openCatalog}. */
export interface SessionOptions
  extends Pick<CatalogOptions, "prereleases" | "only" | "preferEngine" | "progress"> {
  readonly folder: WheelFolder;
  readonly sources: SourceSettings;
  /** Packages whose locked version is ignored. */
  readonly unpinned: (name: string) => boolean;
}

const PYPI = "https://pypi.org/simple/";

/** Opens all sources of wheels. Throws a CommandRefused. */
export async function openCatalog(options: SessionOptions): Promise<Catalog> {
  const { folder, sources, unpinned, ...rest } = options;
  const tags = await engineTags();
  const access = {
    index: accessOf(sources.indexUrl ?? PYPI, "PIP_INDEX_URL"),
    engine: await distributionAccess(sources.distributionUrl),
  };
  const engine = await EngineCatalog.open(sources.engineLock, access.engine.base);
  const downloads = new Downloads(sources.patience);
  const locked = folder.lock?.packages.filter(({ name }) => !unpinned(name)) ?? [];
  const pinned = locked.flatMap((wheel) => pinnedCandidate(wheel, tags, engine) ?? []);
  return new Catalog({
    ...rest,
    folder,
    tags,
    access,
    engine,
    downloads,
    index: new IndexCatalog(downloads, access.index, tags),
    values: markerValues(tags),
    pinned: new Map(pinned.map((candidate) => [candidate.name, candidate])),
    own: ownWheels(folder, tags),
  });
}

const DISTRIBUTION_VARIABLE = "WHEELS_DISTRIBUTION_URL";

/** The access to the engine's distribution, a mirror of it, or a folder with a copy. */
async function distributionAccess(address: string | undefined): Promise<Access> {
  if (address === undefined) return accessOf(await publishedDistribution(), DISTRIBUTION_VARIABLE);
  if (/^https?:/i.test(address)) return accessOf(address, DISTRIBUTION_VARIABLE);
  const folder = /^file:/i.test(address) ? URL.parse(address) : pathToFileURL(address);
  const found = folder === null ? undefined : await Deno.stat(folder).catch(() => undefined);
  if (folder !== null && found?.isDirectory) return accessToFolder(folder, DISTRIBUTION_VARIABLE);
  throw new CommandRefused(
    `${DISTRIBUTION_VARIABLE} must be a URL or the path of a folder that exists`,
  );
}

function accessOf(address: string, variable: string) {
  const access = accessTo(address, variable);
  if (access !== undefined) return access;
  throw new CommandRefused(`${variable} must be a URL such as ${PYPI}`);
}

function pinnedCandidate(
  { name, version, file, source, sha256, url, requires, extras }: LockedWheel,
  tags: EngineTags,
  engine: EngineCatalog,
): Candidate | undefined {
  const wheel = parseWheelName(file);
  if (wheel === undefined || fitRank(wheel, tags) === undefined) return undefined;
  return {
    name,
    version,
    wheel,
    source,
    sha256,
    url: source === "engine" ? engine.urlOf(file) : new URL(url),
    metadata: undefined,
    depends: undefined,
    requires,
    extras,
  };
}

/** The operator's own wheels that fit the engine: the newest one of each package. */
function ownWheels(folder: WheelFolder, tags: EngineTags): ReadonlyMap<string, Candidate> {
  const own = unknownFiles(folder).flatMap(({ file }): Candidate[] => {
    const wheel = parseWheelName(file);
    const version = normalVersion(wheel?.version ?? "");
    if (wheel === undefined || version === undefined) return [];
    if (fitRank(wheel, tags) === undefined) return [];
    const url = new URL(`file:///${encodeURIComponent(file)}`);
    return [{
      name: wheel.name,
      version,
      wheel,
      source: "folder",
      sha256: "",
      url,
      metadata: undefined,
      depends: undefined,
      requires: undefined,
      extras: {},
    }];
  });
  own.sort((a, b) => newestFirst(b.version, a.version));
  return new Map(own.map((candidate) => [candidate.name, candidate]));
}

/** The operator's requirements in the current lock, by name. */
export function requestedOf(lock: WheelsLock | undefined): Map<string, Requirement> {
  const requirements = lock?.requested.flatMap((text) => parseRequirement(text) ?? []) ?? [];
  return new Map(requirements.map((requirement) => [requirement.name, requirement]));
}

/** Makes the lock of the chosen packages. Fetches wheels that are missing. */
export async function lockOf(
  requested: Iterable<Requirement>,
  chosen: ReadonlyMap<string, Choice>,
  catalog: Catalog,
): Promise<WheelsLock> {
  const packages: LockedWheel[] = [];
  for (const { candidate, needs } of chosen.values()) {
    const { name, version, source, sha256, url, wheel } = candidate;
    if (source === "folder") continue;
    const { size } = await Deno.stat(await catalog.wheel(candidate));
    const needed = {
      requires: [...needs.requires],
      extras: Object.fromEntries(
        Object.entries(needs.extras).map(([extra, texts]) => [extra, [...texts]]),
      ),
    };
    packages.push({
      name,
      version,
      file: wheel.file,
      sha256,
      size,
      source,
      url: url.href,
      ...needed,
    });
  }
  return {
    version: 1,
    engine: await engineTags(),
    requested: [...requested].map(requirementText).sort(),
    packages: packages.sort((a, b) => a.name < b.name ? -1 : 1),
  };
}

/** The packages that need a package, as `name version`. */
export function neededBy(name: string, chosen: ReadonlyMap<string, Choice>): readonly string[] {
  return [...chosen.values()].filter(({ needs, extras }) => {
    const texts = [...needs.requires, ...extras.flatMap((extra) => needs.extras[extra] ?? [])];
    return texts.some((text) => parseRequirement(text)?.name === name);
  }).map(({ candidate }) => `${candidate.name} ${candidate.version}`);
}
