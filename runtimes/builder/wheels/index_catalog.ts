/**
 * A package index in JSON (PEP 691): PyPI, or a mirror of it.
 *
 * @module
 */
import { z } from "zod";
import { type EngineTags, fitRank, parseWheelName, type WheelName } from "../wheel_name.ts";
import type { Candidate } from "./candidate.ts";
import { type Access, type Downloads, shownUrl } from "../command/download.ts";
import { CommandRefused } from "../command/refusal.ts";
import {
  isExact,
  isPrerelease,
  isWithin,
  namesPrerelease,
  newestFirst,
  normalVersion,
  parseSpecifier,
} from "./versions.ts";

const SIMPLE_JSON = "application/vnd.pypi.simple.v1+json";
/** Maximum size of a page of the index in bytes. Pages of large projects have about 10 MB. */
const PAGE_BYTES = 64 * 1024 * 1024;
const MAX_FILES = 200_000;

const metadataMark = z.union([z.boolean(), z.record(z.string(), z.string())]).optional();
const fileSchema = z.object({
  filename: z.string().max(255),
  url: z.string(),
  hashes: z.record(z.string(), z.string()),
  "requires-python": z.string().nullish(),
  yanked: z.union([z.boolean(), z.string()]).optional(),
  "core-metadata": metadataMark,
  "dist-info-metadata": metadataMark,
});
const pageSchema = z.object({ files: z.array(z.unknown()).max(MAX_FILES) });
type IndexFile = z.infer<typeof fileSchema>;

/** A wheel on the index that fits the engine. */
interface FittingWheel {
  readonly wheel: WheelName;
  readonly file: IndexFile;
  readonly rank: number;
}

/** The files of one version in the index. */
export interface Release {
  readonly version: string;
  readonly isYanked: boolean;
  /** A `Requires-Python` that the engine does not meet. */
  readonly otherPython: string | undefined;
  readonly hasSource: boolean;
  /** Tags of wheels that do not fit. */
  readonly otherTags: readonly string[];
  /** The best wheel that fits; undefined if none fits. */
  readonly best: FittingWheel | undefined;
}

/** Rules of {@link isOffered}. */
export interface ReleaseRules {
  readonly specifiers: readonly string[];
  /** Whether pre-releases are allowed even if no specifier names one. */
  readonly prereleases: boolean;
}

/**
 * Whether a release may be chosen: yanked releases and pre-releases need a specifier or an option.
 */
export function isOffered({ version, isYanked }: Release, allowed: ReleaseRules): boolean {
  const { specifiers, prereleases } = allowed;
  if (isYanked && !specifiers.some(isExact)) return false;
  return prereleases || !isPrerelease(version) || specifiers.some(namesPrerelease);
}

/** Whether a version meets all specifiers. */
export function isWithinAll(version: string, specifiers: readonly string[]): boolean {
  return specifiers.every((specifier) => isWithin(version, specifier));
}

/** A package index. */
export class IndexCatalog {
  readonly #downloads: Downloads;
  readonly #access: Access;
  readonly #engine: EngineTags;
  readonly #pages = new Map<string, Promise<readonly Release[] | undefined>>();

  constructor(downloads: Downloads, access: Access, engine: EngineTags) {
    this.#downloads = downloads;
    this.#access = access;
    this.#engine = engine;
  }

  /** The releases of a package, newest first; undefined if the index has no such package. */
  releases(name: string): Promise<readonly Release[] | undefined> {
    const known = this.#pages.get(name);
    if (known !== undefined) return known;
    const page = this.#read(name);
    this.#pages.set(name, page);
    return page;
  }

  /** The wheels that fit the engine and meet the specifiers, newest first. */
  async candidates(name: string, allowed: ReleaseRules): Promise<readonly Candidate[]> {
    const releases = await this.releases(name) ?? [];
    return releases.flatMap((release) => {
      const { best, version } = release;
      if (best === undefined || release.otherPython !== undefined) return [];
      if (!isWithinAll(version, allowed.specifiers) || !isOffered(release, allowed)) return [];
      return this.#candidate(name, version, best) ?? [];
    });
  }

  #candidate(name: string, version: string, { wheel, file }: FittingWheel): Candidate | undefined {
    const url = URL.parse(file.url);
    const sha256 = file.hashes["sha256"]?.toLowerCase() ?? "";
    if (url === null || !/^[0-9a-f]{64}$/.test(sha256)) return undefined;
    const mark = file["core-metadata"] ?? file["dist-info-metadata"] ?? false;
    const metadata = mark === false
      ? undefined
      : { sha256: mark === true ? undefined : mark["sha256"]?.toLowerCase() };
    return {
      name,
      version,
      wheel,
      source: "index",
      sha256,
      url,
      metadata,
      depends: undefined,
      requires: undefined,
      extras: {},
    };
  }

  async #read(name: string): Promise<readonly Release[] | undefined> {
    const url = new URL(`${name}/`, this.#access.base);
    const page = await this.#downloads.text(url, this.#access, {
      accept: SIMPLE_JSON,
      maxBytes: PAGE_BYTES,
    });
    if (page === undefined) return undefined;
    const files = readFiles(page.text);
    if (files === undefined) {
      throw new CommandRefused(
        `${shownUrl(url)} is not a page of a package index in JSON (PEP 691) but ` +
          `${page.type === "" ? "something else" : page.type}: set PIP_INDEX_URL to an index ` +
          "that has them, such as https://pypi.org/simple",
      );
    }
    return this.#releasesOf(name, files.map((file) => absolute(file, page.url)));
  }

  #releasesOf(name: string, files: readonly IndexFile[]): readonly Release[] {
    const byVersion = new Map<string, { file: IndexFile; wheel: WheelName | undefined }[]>();
    for (const file of files) {
      const wheel = parseWheelName(file.filename);
      if (wheel !== undefined && wheel.name !== name) continue;
      const version = normalVersion(wheel?.version ?? sourceVersion(file.filename) ?? "");
      if (version === undefined) continue;
      const together = byVersion.get(version);
      if (together === undefined) byVersion.set(version, [{ file, wheel }]);
      else together.push({ file, wheel });
    }
    return [...byVersion].map(([version, found]) => this.#release(version, found))
      .sort((a, b) => newestFirst(a.version, b.version));
  }

  #release(
    version: string,
    found: readonly { file: IndexFile; wheel: WheelName | undefined }[],
  ): Release {
    const isYanked = (file: IndexFile) => file.yanked !== undefined && file.yanked !== false;
    const wheels = found.flatMap(({ file, wheel }) => wheel === undefined ? [] : [{ file, wheel }]);
    const fitting = wheels.flatMap(({ file, wheel }) => {
      const rank = fitRank(wheel, this.#engine);
      return rank === undefined ? [] : [{ file, wheel, rank }];
    });
    fitting.sort((a, b) =>
      Number(isYanked(a.file)) - Number(isYanked(b.file)) || a.rank - b.rank ||
      parseInt(b.wheel.build || "0") - parseInt(a.wheel.build || "0")
    );
    const [best] = fitting;
    return {
      version,
      best,
      isYanked: best === undefined
        ? found.every(({ file }) => isYanked(file))
        : isYanked(best.file),
      otherPython: this.#otherPython((best ?? found[0])?.file["requires-python"] ?? ""),
      hasSource: found.some(({ wheel }) => wheel === undefined),
      otherTags: wheels.map(({ wheel }) => wheel.tags),
    };
  }

  /** An unreadable `Requires-Python` counts as met, as in pip. */
  #otherPython(text: string): string | undefined {
    const specifier = parseSpecifier(text);
    if (specifier === undefined || isWithin(this.#engine.python, specifier)) return undefined;
    return specifier;
  }
}

function readFiles(text: string): readonly IndexFile[] | undefined {
  try {
    const page = pageSchema.safeParse(JSON.parse(text));
    return page.data?.files.flatMap((file) => fileSchema.safeParse(file).data ?? []);
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}

/** URLs of files may be relative to the URL of the page after redirects. */
function absolute(file: IndexFile, page: URL): IndexFile {
  const url = URL.parse(file.url, page);
  if (url === null) return file;
  url.hash = url.username = url.password = "";
  return { ...file, url: url.href };
}

/** The version in the name of a source distribution, for messages. */
function sourceVersion(file: string): string | undefined {
  return /-(\d[^-]*?)\.(?:tar\.gz|tar\.bz2|zip|tgz)$/.exec(file)?.[1];
}
