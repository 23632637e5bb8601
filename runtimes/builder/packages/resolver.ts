/**
 * Chooses the versions of a package and of its dependencies, as npm does: the newest that each range
 * allows, and one version for all that allow it.
 *
 * @module
 */
import semver from "semver";
import { CommandRefused } from "../command/refusal.ts";
import { isPackageName } from "../package_names.ts";
import type { Listing, Manifest, Registry } from "./registry.ts";

/** A chosen version of a package. */
export interface ChosenPackage {
  readonly name: string;
  readonly version: string;
  readonly manifest: Manifest;
  /** Its dependencies by the names under which its files import them. */
  readonly dependencies: Map<string, ChosenPackage>;
  /** Names of its peers: packages that programs share with it. */
  readonly peers: ReadonlySet<string>;
}

/** Versions that must be chosen again, by name. */
export type Pins = ReadonlyMap<string, ReadonlySet<string>>;

interface Wish {
  /** The name under which the owner imports it. */
  readonly alias: string;
  readonly range: string;
  readonly isOptional: boolean;
}

/** Maximum number of packages in one bundle. */
const MAX_CHOSEN = 1_000;
const NEWEST = "latest";
const ALIAS = /^npm:((?:@[^@/]+\/)?[^@/]+)(?:@(.+))?$/;
const ADDRESS = /^(?:[a-z+]+:|[\w.-]+\/[\w.-]+)/i;

/** Chooses a package and all that it needs. Throws a CommandRefused. */
export async function resolvePackage(
  registry: Registry,
  name: string,
  range: string | undefined,
  pins?: Pins,
): Promise<ChosenPackage> {
  const chosen = new Map<string, ChosenPackage[]>();
  let count = 0;
  const choose = async (wanted: string, at: string, owner?: string): Promise<ChosenPackage> => {
    const there = chosen.get(wanted)?.find(({ version }) => semver.satisfies(version, at));
    if (there !== undefined) return there;
    const listing = await registry.listing(wanted);
    if (listing === undefined) throw unknown(wanted, owner);
    const version = versionIn(listing, at, pins?.get(wanted));
    if (version === undefined) throw noVersion(wanted, at, listing, owner);
    const known = chosen.get(wanted)?.find((one) => one.version === version);
    if (known !== undefined) return known;
    if (++count > MAX_CHOSEN) {
      throw new CommandRefused(`${name} needs more than ${MAX_CHOSEN} packages`);
    }
    const manifest = listing.manifest(version);
    const peers = new Set(Object.keys(manifest.peerDependencies ?? {}));
    const made = { name: wanted, version, manifest, dependencies: new Map(), peers };
    chosen.set(wanted, [...chosen.get(wanted) ?? [], made]);
    return made;
  };
  const first = await choose(name, range ?? NEWEST);
  const queue = [first];
  const seen = new Set(queue);
  for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
    for (const { alias, range: at, isOptional } of wishesOf(one.manifest)) {
      const found = await wished(one, alias, at, choose, isOptional);
      if (found === undefined) continue;
      one.dependencies.set(alias, found);
      if (!seen.has(found)) queue.push(found);
      seen.add(found);
    }
  }
  return first;
}

/** A chosen package and all that it needs, each once. */
export function allOf(first: ChosenPackage): readonly ChosenPackage[] {
  const found = new Set([first]);
  for (const one of found) for (const other of one.dependencies.values()) found.add(other);
  return [...found];
}

/** Undefined for an optional dependency that is not to be had, or only for a kind of machine. */
async function wished(
  owner: ChosenPackage,
  alias: string,
  range: string,
  choose: (name: string, range: string, owner: string) => Promise<ChosenPackage>,
  isOptional: boolean,
): Promise<ChosenPackage | undefined> {
  const shown = `${owner.name} ${owner.version}`;
  try {
    const [, real = alias, at = NEWEST] = ALIAS.exec(range) ?? [undefined, alias, range];
    if (!isPackageName(alias) || !isPackageName(real)) {
      throw new CommandRefused(
        `${shown} needs ${JSON.stringify(alias)}, which is no name of a package`,
      );
    }
    if (ADDRESS.test(at)) {
      throw new CommandRefused(
        `${shown} needs ${alias} from ${JSON.stringify(at)}, which is refused`,
      );
    }
    const found = await choose(real, at === "" ? "*" : at, shown);
    const { os, cpu } = found.manifest;
    return isOptional && (os !== undefined || cpu !== undefined) ? undefined : found;
  } catch (thrown) {
    if (isOptional && thrown instanceof CommandRefused) return undefined;
    throw thrown;
  }
}

function wishesOf(manifest: Manifest): readonly Wish[] {
  const { peerDependenciesMeta } = manifest;
  const optional = new Map(Object.entries(manifest.optionalDependencies ?? {}));
  const wishes = new Map<string, Wish>();
  for (const [alias, range] of Object.entries(manifest.peerDependencies ?? {})) {
    const isOptional = new Map(Object.entries(peerDependenciesMeta ?? {})).get(alias)?.optional;
    if (isOptional !== true) wishes.set(alias, { alias, range, isOptional: false });
  }
  for (const [alias, range] of Object.entries(manifest.dependencies ?? {})) {
    wishes.set(alias, { alias, range, isOptional: optional.has(alias) });
  }
  for (const [alias, range] of optional) wishes.set(alias, { alias, range, isOptional: true });
  return [...wishes.values()];
}

/** The newest version in a range; the newest release if the range allows it. */
function versionIn(
  { tags, versions }: Listing,
  range: string,
  pins: ReadonlySet<string> | undefined,
): string | undefined {
  const allowed = pins === undefined ? versions : versions.filter((one) => pins.has(one));
  if (range === NEWEST && pins !== undefined) return semver.rsort([...allowed])[0];
  const tagged = tags.get(range);
  if (tagged !== undefined) return allowed.includes(tagged) ? tagged : undefined;
  if (semver.validRange(range) === null) return undefined;
  const newest = tags.get(NEWEST);
  if (newest !== undefined && allowed.includes(newest) && semver.satisfies(newest, range)) {
    return newest;
  }
  return semver.maxSatisfying([...allowed], range) ?? undefined;
}

function unknown(name: string, owner: string | undefined): CommandRefused {
  const why = owner === undefined ? "" : `, which ${owner} needs`;
  return new CommandRefused(`The registry has no package ${name}${why}`);
}

function noVersion(
  name: string,
  range: string,
  { versions, tags }: Listing,
  owner: string | undefined,
): CommandRefused {
  const why = owner === undefined ? "" : `, which ${owner} needs`;
  const newest = tags.get(NEWEST) ?? versions.at(-1) ?? "none";
  return new CommandRefused(
    `${name} has no version for ${JSON.stringify(range)}${why}; the newest release is ${newest}`,
  );
}
