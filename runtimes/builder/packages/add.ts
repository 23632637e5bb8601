/**
 * `deno task packages add`: chooses versions, fetches tarballs, bundles, and writes the lock.
 *
 * @module
 */
import { type Progress, sizeWords } from "../command/progress.ts";
import { CommandRefused } from "../command/refusal.ts";
import { PRESENT_MODULES } from "../../languages/javascript/host/module_names.ts";
import type { PackageRequest } from "../package_names.ts";
import { type LockedPackage, type PackagesLock, sha256Of } from "../packages_lock.ts";
import { type BundledFile, bundlePackage } from "./bundler.ts";
import { isWhole, PackageFolder } from "./folder.ts";
import { install, type Installed } from "./install.ts";
import { integrityOf, Registry, type RegistrySettings } from "./registry.ts";
import { allOf, type ChosenPackage, type Pins, resolvePackage } from "./resolver.ts";

/** The options of {@link addPackages}. */
export interface AddOptions {
  readonly folder: string;
  readonly registry: RegistrySettings;
  readonly requests: readonly PackageRequest[];
  /** Whether to choose versions anew for the named packages, or for all. */
  readonly upgrade: boolean;
  readonly progress: Progress;
}

/** A package to make. */
interface Wanted {
  readonly name: string;
  readonly range: string | undefined;
  readonly entries: readonly string[];
  readonly pins: Pins | undefined;
  /** The package whose peer it is. */
  readonly peerOf?: string | undefined;
}

interface Made {
  readonly locked: LockedPackage;
  readonly files: readonly BundledFile[];
}

/** Subpaths that a package names itself are bundled too, unless it has more. */
const MAX_OWN_ENTRIES = 8;
/** Subpaths that are no programs. */
const NO_PROGRAM = /\.(?:css|json|d\.[cm]?ts|wasm|map|txt|md)$|^package$/;

/** Adds packages to a folder. Throws a CommandRefused, and then changes nothing. */
export async function addPackages(options: AddOptions): Promise<void> {
  const { progress } = options;
  using folder = await PackageFolder.open(options.folder);
  const registry = new Registry(options.registry);
  const packages = new Map(folder.lock.packages.map((one) => [one.name, one]));
  const files: BundledFile[] = [];
  const queue = await wantedPackages(options, folder);
  for (let wanted = queue.shift(); wanted !== undefined; wanted = queue.shift()) {
    const { locked, files: made, peers } = await make(wanted, registry, progress);
    tell(packages.get(locked.name), locked, wanted, progress);
    packages.set(locked.name, locked);
    files.push(...made);
    for (const peer of peers) {
      const isThere = packages.has(peer.name) || queue.some(({ name }) => name === peer.name);
      if (!isThere) queue.push(peer);
    }
  }
  const lock: PackagesLock = {
    version: 1,
    packages: [...packages.values()].sort((a, b) => a.name < b.name ? -1 : 1),
  };
  await folder.commit(lock, files);
}

/** The work to do: new requests, or missing files of the lock. */
async function wantedPackages(
  { requests, upgrade }: AddOptions,
  { path, lock }: PackageFolder,
): Promise<Wanted[]> {
  const locked = new Map(lock.packages.map((one) => [one.name, one]));
  const wanted: Wanted[] = [];
  for (const one of requests.length === 0 ? lock.packages : []) {
    if (!upgrade && await isWhole(path, one)) continue;
    const range = one.requested === "" ? undefined : one.requested;
    wanted.push({
      name: one.name,
      range,
      entries: one.entries,
      pins: upgrade ? undefined : pinsOf(one),
    });
  }
  const byName = Map.groupBy(requests, ({ name }) => name);
  for (const [name, group] of byName) {
    if (PRESENT_MODULES.includes(name)) {
      throw new CommandRefused(
        `${name} is a module of Node, which programs get: a package of that name has no effect`,
      );
    }
    const there = locked.get(name);
    const ranges = [...new Set(group.flatMap(({ range }) => range ?? []))];
    if (ranges.length > 1) throw new CommandRefused(`${name} is there twice, in two versions`);
    const entries = group.map(({ subpath }) => subpath).filter((entry) => entry !== "");
    const missing = entries.filter((entry) => !there?.entries.includes(entry));
    const [range = there?.requested || undefined] = ranges;
    const isLocked = there !== undefined && ranges.length === 0 && !upgrade;
    if (isLocked && missing.length === 0 && await isWhole(path, there)) continue;
    wanted.push({
      name,
      range,
      entries: [...new Set([...there?.entries ?? [], ...entries])],
      pins: isLocked ? pinsOf(there) : undefined,
    });
  }
  return wanted;
}

function pinsOf({ parts }: LockedPackage): Pins {
  const pins = new Map<string, Set<string>>();
  for (const { name, version } of parts) {
    pins.set(name, (pins.get(name) ?? new Set()).add(version));
  }
  return pins;
}

async function make(
  wanted: Wanted,
  registry: Registry,
  progress: Progress,
): Promise<Made & { readonly peers: readonly Wanted[] }> {
  const { name, range, pins } = wanted;
  progress.step(`Choosing versions for ${name}`);
  const chosen = await resolvePackage(registry, name, range, pins);
  await using installed = await install(chosen, registry, progress);
  const own = await ownEntries(chosen, installed);
  const optional = new Set(own.filter((entry) => !wanted.entries.includes(entry)));
  progress.step(`Bundling ${name} ${chosen.version}`);
  const { files, entries } = await bundlePackage({
    root: installed.root,
    name,
    version: chosen.version,
    entries: wanted.entries,
    optional,
    peers: chosen.peers,
  });
  return {
    files,
    locked: {
      name,
      version: chosen.version,
      requested: range ?? "",
      entries: [...entries],
      files: files.map(({ file, bytes }) => ({
        file,
        sha256: sha256Of(bytes),
        size: bytes.length,
      })),
      parts: allOf(chosen).map((one) => ({
        name: one.name,
        version: one.version,
        integrity: integrityOf(one.name, one.version, one.manifest.dist),
      })).sort((a, b) => `${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1),
    },
    peers: peersOf(chosen, files),
  };
}

/** The peers that the bundles leave outside, with the versions that were chosen for the package. */
function peersOf(chosen: ChosenPackage, files: readonly BundledFile[]): readonly Wanted[] {
  const text = files.map(({ bytes }) => new TextDecoder().decode(bytes)).join("\n");
  return [...chosen.peers].flatMap((name): readonly Wanted[] => {
    const one = chosen.dependencies.get(name);
    const isOutside = text.includes(`require("${name}")`) || text.includes(`require("${name}/`);
    if (one === undefined || !isOutside) return [];
    const entries = [...text.matchAll(/require\("([^"]+)"\)/g)].map(([, id = ""]) => id)
      .filter((id) => id.startsWith(`${name}/`)).map((id) => id.slice(name.length + 1));
    return [{
      name,
      range: one.version,
      entries: [...new Set(entries)],
      pins: undefined,
      peerOf: chosen.name,
    }];
  });
}

/** The subpaths that the package names for programs, if they are few. */
async function ownEntries(
  chosen: ChosenPackage,
  { folderOf }: Installed,
): Promise<readonly string[]> {
  const text = await Deno.readTextFile(`${folderOf(chosen)}/package.json`).catch(() => "{}");
  const { exports } = Object(parsed(text));
  const keys = typeof exports === "object" && exports !== null ? Object.keys(exports) : [];
  const entries = keys.filter((key) => /^\.\/[\w.~/-]+$/.test(key) && !key.endsWith("/"))
    .map((key) => key.slice(2)).filter((key) => !NO_PROGRAM.test(key) && !key.includes(".."));
  return entries.length > MAX_OWN_ENTRIES ? [] : entries;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function tell(
  before: LockedPackage | undefined,
  { name, version, files, entries }: LockedPackage,
  { peerOf }: Wanted,
  progress: Progress,
): void {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const was = before === undefined || before.version === version ? "" : `, was ${before.version}`;
  const why = peerOf === undefined ? "" : `, which ${peerOf} shares`;
  const also = entries.length === 0
    ? ""
    : `, with ${entries.map((one) => `${name}/${one}`).join(", ")}`;
  progress.line(`+ ${name} ${version} (${sizeWords(size)}${was}${why}${also})`);
}
