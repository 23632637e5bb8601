/**
 * All wheels that a command can choose from, in order of preference: the operator's own wheels in
 * the folder, the locked wheels, then the newest version in the index or in the engine's
 * distribution. The index wins when both have the same version. The dependencies of a package from
 * the distribution come from the distribution too.
 *
 * @module
 */
import type { EngineTags } from "../wheel_name.ts";
import type { Candidate } from "./candidate.ts";
import { type Access, type Downloads, shownUrl } from "../command/download.ts";
import type { EngineCatalog } from "./engine_catalog.ts";
import type { WheelFolder } from "./folder.ts";
import { type IndexCatalog, isWithinAll } from "./index_catalog.ts";
import { missingReason } from "./index_reasons.ts";
import type { MarkerValues } from "./markers.ts";
import { METADATA_BYTES, MetadataError, metadataIn, type Needs, readNeeds } from "./metadata.ts";
import { nearNames } from "../command/near_names.ts";
import type { Progress } from "../command/progress.ts";
import { CommandRefused } from "../command/refusal.ts";
import { parseRequirement } from "./requirement.ts";
import { newestFirst } from "./versions.ts";

/** The sources of wheels, and how to choose among them. */
export interface CatalogOptions {
  readonly engine: EngineCatalog;
  readonly index: IndexCatalog;
  readonly downloads: Downloads;
  readonly access: { readonly index: Access; readonly engine: Access };
  readonly folder: WheelFolder;
  readonly tags: EngineTags;
  readonly values: MarkerValues;
  /** Locked wheels, and the operator's own ones, by name. */
  readonly pinned: ReadonlyMap<string, Candidate>;
  readonly own: ReadonlyMap<string, Candidate>;
  readonly prereleases: boolean;
  /** The only source to use. `folder`: only wheels that are in the folder already. */
  readonly only: "index" | "engine" | "folder" | undefined;
  /** Whether to prefer the distribution even if the index has a newer version. */
  readonly preferEngine: boolean;
  readonly progress: Progress;
}

/** Maximum size of a wheel in bytes, as in the build. */
const WHEEL_BYTES = 256 * 1024 * 1024;

/** The wheels of all sources. */
export class Catalog {
  readonly #options: CatalogOptions;
  readonly #texts = new Map<string, Promise<string>>();

  constructor(options: CatalogOptions) {
    this.#options = options;
  }

  /** Candidates within all specifiers, best first. */
  async *candidates(
    name: string,
    specifiers: readonly string[],
    owners: readonly Candidate[],
  ): AsyncGenerator<Candidate, void> {
    const { own, pinned, only, prereleases, progress } = this.#options;
    // The packages of the distribution are tested together.
    const preferEngine = this.#options.preferEngine ||
      owners.some(({ source }) => source === "engine");
    const isWanted = ({ version }: Candidate) => isWithinAll(version, specifiers);
    const mine = own.get(name);
    if (mine !== undefined) {
      if (isWanted(mine)) yield mine;
      return;
    }
    const kept = pinned.get(name);
    if (kept !== undefined && isWanted(kept)) yield kept;
    if (only === "folder") return;
    const offered = only === "index" ? undefined : this.#options.engine.candidate(name);
    const built = offered !== undefined && isWanted(offered) ? [offered] : [];
    if (preferEngine || only === "engine") yield* built;
    if (only === "engine") return;
    progress.step(`Looking for ${name}`);
    const found = await this.#options.index.candidates(name, { specifiers, prereleases });
    if (preferEngine) return yield* found;
    yield* [...found, ...built].sort((a, b) => newestFirst(a.version, b.version));
  }

  /** Whether the folder or the engine's distribution has a wheel of the package that fits. */
  isBuilt(name: string): boolean {
    return this.#options.own.has(name) || this.#options.engine.candidate(name) !== undefined;
  }

  /** The requirements of a candidate. Throws a MetadataError. */
  async needs(candidate: Candidate): Promise<Needs> {
    const { depends, requires, extras: known } = candidate;
    if (requires !== undefined) return { requires, extras: known };
    const read = readNeeds(await this.#metadata(candidate), this.#options.values);
    return depends === undefined ? read : { ...read, requires: bounded(depends, read.requires) };
  }

  /** The reason why there is no candidate. */
  async explain(name: string, specifiers: readonly string[]): Promise<string> {
    const { own, engine, index, only, tags, prereleases, access } = this.#options;
    const mine = own.get(name);
    if (mine !== undefined) {
      return `${name}: ${mine.wheel.file} lies in the folder, and is ${mine.version}: ` +
        "remove it, or ask for that version";
    }
    if (only === "folder") return `${name} is not in the folder: run deno task wheels add first`;
    const built = engine.names.get(name);
    const said: string[] = [];
    if (built !== undefined && engine.candidate(name) === undefined) {
      said.push(`the engine's distribution has ${built.file_name}, which is no wheel that fits`);
    } else if (built !== undefined && only !== "index") {
      said.push(`the engine's distribution has ${built.version}`);
    }
    const releases = only === "engine" ? undefined : await index.releases(name);
    if (releases !== undefined) {
      said.push(missingReason(releases, { specifiers, prereleases }, tags));
    }
    if (said.length > 0) return `${name}: ${said.join("; ")}`;
    const near = nearNames(name, [...engine.names.keys(), ...this.#options.pinned.keys()]);
    const where = only === "engine" ? "the engine's distribution" : shownUrl(access.index.base);
    return `There is no package ${name} on ${where}` +
      (near.length === 0 ? ": check its name" : `: is it ${near.join(", or ")}?`);
  }

  /** The path of a candidate's wheel. Fetches the wheel if the folder lacks it. */
  async wheel(candidate: Candidate): Promise<string> {
    const { source, url, sha256, wheel: { file } } = candidate;
    const { access, downloads, folder, progress } = this.#options;
    if (source === "folder") return `${folder.path}/${file}`;
    return await folder.obtain({ file, sha256 }, async (path) => {
      const size = await progress.file(
        file,
        (onBytes) =>
          downloads.file(url, access[source], { path, sha256, maxBytes: WHEEL_BYTES, onBytes }),
      );
      if (size === undefined) throw new CommandRefused(goneWords(candidate));
    });
  }

  #metadata(candidate: Candidate): Promise<string> {
    const { file } = candidate.wheel;
    const known = this.#texts.get(file);
    if (known !== undefined) return known;
    const text = this.#readMetadata(candidate);
    this.#texts.set(file, text);
    return text;
  }

  async #readMetadata(candidate: Candidate): Promise<string> {
    const { downloads, access } = this.#options;
    if (candidate.metadata !== undefined) {
      const url = new URL(`${candidate.url.href}.metadata`);
      const options = { accept: "*/*", maxBytes: METADATA_BYTES };
      const answer = await downloads.text(url, access.index, options);
      const { sha256 } = candidate.metadata;
      if (answer !== undefined && (sha256 === undefined || await digest(answer.text) === sha256)) {
        return answer.text;
      }
    }
    const path = await this.wheel(candidate);
    const { size } = await Deno.stat(path);
    if (size > WHEEL_BYTES) throw new MetadataError(`it is larger than ${WHEEL_BYTES} bytes`);
    return metadataIn(await Deno.readFile(path));
  }
}

/** The dependencies that the engine's lock file names, with the versions from the metadata. */
function bounded(depends: readonly string[], requires: readonly string[]): readonly string[] {
  return depends.flatMap((name) => {
    const own = requires.filter((text) => parseRequirement(text)?.name === name);
    return own.length === 0 ? [name] : own;
  });
}

function goneWords({ source, url, wheel }: Candidate): string {
  if (source === "index") {
    return `${shownUrl(url)} is gone (404): add with --upgrade takes what the index has now`;
  }
  return `${shownUrl(url)} is not there (404): WHEELS_DISTRIBUTION_URL must name a copy of the ` +
    `engine's distribution that has ${wheel.file}; --only index takes what the index has instead`;
}

async function digest(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}
