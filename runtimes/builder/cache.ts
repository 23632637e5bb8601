/**
 * Built engines on disk, each named by the key of its sources and by the digest of its contents. A
 * damaged file does not match its name and is built again.
 *
 * Layout of the cache directory: `isolate-<key>-<SHA-256>.js`, `<language>-<key>-<SHA-256>.engine`,
 * `page-<key>-<SHA-256>.page`, and for languages with contexts,
 * `<language>-<part>-<name>-<SHA-256>.kept`: the part of that name, compressed as the store keeps
 * it. Only the service's user and root may write there: see `trusted_files.ts`.
 *
 * `runtimes/builder/` owns the build of engines, of the isolate program and of the page from
 * sources and pinned packages, and their names on disk. It fetches nothing, and must not know who
 * runs what it builds.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { ENGINE_PARTS, type EnginePart } from "../../store/keys.ts";
import { RuntimesRefused } from "../../shared/binding.ts";
import { LANGUAGES } from "../../shared/languages.ts";
import type { InstalledPackage, Language } from "../../client/protocol/types.ts";
import type { EngineArtifact } from "../engine/engine.ts";
import type { EngineHead } from "../isolate/protocol.ts";
import { decodeMessage, encodeMessage } from "../../shared/message.ts";
import type { PageFile } from "../../shared/page_file.ts";
import { type BuildInputs, NO_INPUTS, packagesOf, withoutBytes } from "./build_inputs.ts";
import {
  baselineName,
  EARLIEST_ABI,
  ENGINE_ABI,
  engineDigest,
  LOWEST_SAFE_METERING,
  METERING_VERSION,
  type ModuleVersions,
  type RunnableVersions,
} from "./engine_names.ts";
import {
  decodePackedPart,
  encodePackedPart,
  type PackedPart,
  PACKING,
  packPart,
} from "./packed_part.ts";
import { removeWhenOld, writeWhole } from "./cache_files.ts";
import { readNames, readNamesOf } from "./engine_head.ts";
import { readPageFiles } from "./page_files.ts";
import { shellModuleName } from "./shell_module.ts";
import { type SourceKeys, sourceKeys } from "./source_keys.ts";
import { checkFile, checkFolder, fileDigest, withoutLinks } from "./trusted_files.ts";

/** Parts of a build that a runtime uses. */
export interface BuiltIsolate {
  /** Path of the isolate program. */
  readonly program: string;
  /** Path of the engine. */
  readonly engineFile: string;
  readonly language: Language;
  /** Name of the build of the engine. */
  readonly build: string;
  /** Digest of the metered module and its versions. A snapshot needs the same one. */
  readonly engineDigest: string;
  /** The versions of the module, and those that earlier modules must have to run beside it. */
  readonly versions: ModuleVersions & RunnableVersions;
  /** Name of the baseline that snapshots are deltas against. */
  readonly baseline: string;
  /** See `EngineArtifact`. @default {none} */
  readonly preloads?: readonly string[];
  readonly preloadProblem?: string;
  /** Packages that the operator installed. @default {none} */
  readonly packages?: readonly InstalledPackage[];
  /** Opens the engine as the body of `POST /engine`, exactly as it is on disk. */
  openEngine(): Promise<ReadableStream<Uint8Array>>;
  /** Reads the metered module. */
  readModule(): Promise<Uint8Array<ArrayBuffer>>;
  /** Reads the baseline. */
  readBaseline(): Promise<Uint8Array<ArrayBuffer>>;
  /** The compressed part of that name, if it was built. */
  readPacked?(part: EnginePart, name: string): Promise<PackedPart | undefined>;
  /** An engine with an earlier baseline, as the body of `POST /engine`. */
  engineWith(earlier: EarlierParts): Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * The parts of an earlier build that an engine takes. Its extras are those of the present build:
 * they belong to the isolate program. What describes a module is therefore in its image.
 */
export interface EarlierParts {
  readonly baseline: Uint8Array<ArrayBuffer>;
  /** The present one when absent. */
  readonly module?: Uint8Array<ArrayBuffer> | undefined;
}

/** Called with each step of a build. */
export type BuildProgress = (step: string) => void;

/** The builders, which a service that finds all built does not load. */
const builders = () => import("./builders.ts");

const ENTRY = /^[a-z]+-(?:[a-z]+-)?[0-9a-f]+(?:-[0-9a-f]+)?\.(js|engine|page|kept)/;
const DIGEST = /^[0-9a-f]{64}$/;
/** Mode of a folder for one user, which a service creates for itself. */
export const PRIVATE_FOLDER = 0o700;
/** Mode of a folder from which another user serves. */
const SHARED_FOLDER = 0o755;
/** An entry to build. Its file is named `<start>-<digest>.<ending>`. */
interface Entry {
  readonly start: string;
  readonly ending: "js" | "engine" | "page" | "kept";
  readonly step: string;
  make(): Promise<Uint8Array>;
}

function encodeArtifact(artifact: EngineArtifact): Uint8Array {
  const { language, build, module, image, extras, preloads = [], preloadProblem } = artifact;
  const head: EngineHead = {
    language,
    build,
    engine: engineDigest(module, versionsOf(language)),
    baseline: baselineName(image),
    ...(preloads.length === 0 ? {} : { preloads }),
    ...(preloadProblem === undefined ? {} : { preloadProblem }),
  };
  return encodeMessage(head, [module, image, ...extras]);
}

function decodeArtifact(bytes: Uint8Array<ArrayBuffer>, language: Language): EngineArtifact {
  const { head, parts: [module, image, ...extras] } = decodeMessage(bytes);
  if (module === undefined || image === undefined) {
    throw new TypeError(`The built engine of ${language} is not readable`);
  }
  return { language, build: readNames(head).build, module, image, extras };
}

function versionsOf(language: Language): BuiltIsolate["versions"] {
  return {
    abi: ENGINE_ABI[language],
    lowestAbi: EARLIEST_ABI[language],
    metering: METERING_VERSION,
    lowestMetering: LOWEST_SAFE_METERING,
  };
}

/** Built engines in a directory. */
export class BuildCache {
  readonly #directory: string;
  readonly #keys: SourceKeys;
  readonly #inputs: BuildInputs;
  #programPath: Promise<string | undefined> | undefined;

  private constructor(directory: string, keys: SourceKeys, inputs: BuildInputs) {
    this.#directory = directory;
    this.#keys = keys;
    this.#inputs = inputs;
  }

  /**
   * Opens the cache for the current sources and the operator's inputs. Creates its directory with
   * the given mode. Throws a RuntimesRefused when others may write there, or have made a link to
   * it.
   */
  static async open(
    cacheDirectory: string,
    inputs = NO_INPUTS,
    mode = SHARED_FOLDER,
  ): Promise<BuildCache> {
    const directory = await withoutLinks(cacheDirectory);
    await Deno.mkdir(directory, { recursive: true, mode });
    await checkFolder(directory);
    return new BuildCache(directory, sourceKeys(inputs), inputs);
  }

  /** Opens the cache of a service, which builds nothing here: it does not hold the inputs' bytes. */
  static async openToLoad(cacheDirectory: string, inputs: BuildInputs): Promise<BuildCache> {
    const cache = await BuildCache.open(cacheDirectory, inputs, PRIVATE_FOLDER);
    return new BuildCache(cache.#directory, cache.#keys, withoutBytes(inputs));
  }

  get #program(): Entry {
    const start = `isolate-${this.#keys.program}`;
    return {
      start,
      ending: "js",
      step: "isolate program",
      make: async () => await (await builders()).bundleProgram(),
    };
  }

  get #page(): Entry {
    return {
      start: `page-${this.#keys.page}`,
      ending: "page",
      step: "page",
      make: async () => await (await builders()).buildPage(),
    };
  }

  #engine(language: Language): Entry {
    return {
      start: `${language}-${this.#keys.engines.get(language)}`,
      ending: "engine",
      step: `${language} engine`,
      make: () => buildEngine(language, this.#inputs, this.#directory),
    };
  }

  #archived(language: Language, part: EnginePart, name: string): Entry {
    return {
      start: `${language}-${part}-${name}`,
      ending: "kept",
      step: `compressed ${part} of ${language}`,
      make: async () => {
        const { module, image } = await this.read(language);
        const bytes = part === "module" ? module : image;
        return encodePackedPart(await packPart(bytes, PACKING.built));
      },
    };
  }

  /** The entries of what the store keeps of a built engine: none of languages without contexts. */
  async #archivedOf(language: Language): Promise<readonly Entry[]> {
    const [path] = await this.#filesOf(this.#engine(language));
    const { contextLanguages = [] } = this.#inputs;
    if (path === undefined || !contextLanguages.includes(language)) return [];
    const found = await readNamesOf(path).catch(() => undefined); // damaged, and not to be built now
    if (found === undefined) return [];
    const names = { module: found.engineDigest, baseline: found.baseline };
    return ENGINE_PARTS.map((part) => this.#archived(language, part, names[part]));
  }

  /**
   * Names of the files that a service with these languages and the page reads, in the cache
   * directory. What is not built has none.
   */
  async fileNames(languages: readonly Language[]): Promise<readonly string[]> {
    const engines = languages.map((language) => this.#engine(language));
    const archived = await Promise.all(languages.map((language) => this.#archivedOf(language)));
    const entries = [this.#program, this.#page, ...engines, ...archived.flat()];
    const paths = await Promise.all(entries.map((entry) => this.#find(entry)));
    const names = paths.flatMap((path) => path === undefined ? [] : basename(path));
    return [...names, ...(languages.includes("shell") ? [shellModuleName()] : [])];
  }

  /**
   * Paths of the files of an entry, in an order that is the same for all processes. Usually there
   * is one or none.
   */
  async #filesOf({ start, ending }: Entry): Promise<readonly string[]> {
    const found: string[] = [];
    for await (const { name } of Deno.readDir(this.#directory)) {
      const isOne = name.startsWith(`${start}-`) && name.endsWith(`.${ending}`) &&
        DIGEST.test(name.slice(start.length + 1, -ending.length - 1));
      if (isOne) found.push(`${this.#directory}/${name}`);
    }
    return found.sort();
  }

  /**
   * The file of an entry whose contents match its name, if there is one. Throws a RuntimesRefused.
   */
  async #find(entry: Entry): Promise<string | undefined> {
    for (const path of await this.#filesOf(entry)) {
      await checkFile(path);
      if (path.endsWith(`-${await fileDigest(path)}.${entry.ending}`)) return path;
    }
    return undefined;
  }

  /**
   * Path of the isolate program, which is the same for all languages; undefined when it is missing
   * or damaged. Throws a RuntimesRefused when another user may have written it.
   */
  async findProgram(): Promise<string | undefined> {
    this.#programPath ??= this.#find(this.#program);
    const path = await this.#programPath;
    if (path === undefined) this.#programPath = undefined;
    return path && await Deno.realPath(path);
  }

  /**
   * Builds missing or damaged engines of the languages, the isolate program, and the page if asked
   * to.
   */
  async build(
    languages: readonly Language[],
    progress: BuildProgress,
    withPage = false,
  ): Promise<void> {
    const engines = languages.map((language) => this.#engine(language));
    for (const entry of [this.#program, ...engines, ...(withPage ? [this.#page] : [])]) {
      await this.#make(entry, progress);
    }
    for (const language of languages) {
      for (const entry of await this.#archivedOf(language)) await this.#make(entry, progress);
    }
    await this.#removeOld();
  }

  async #make(entry: Entry, progress: BuildProgress): Promise<void> {
    if (await this.#find(entry) !== undefined) return;
    await this.#removeDamaged(entry, progress);
    progress(`Building the ${entry.step} ...`);
    const data = await entry.make();
    const whole = createHash("sha256").update(data).digest("hex");
    await writeWhole(`${this.#directory}/${entry.start}-${whole}.${entry.ending}`, data);
  }

  async #removeDamaged(entry: Entry, progress: BuildProgress): Promise<void> {
    for (const path of await this.#filesOf(entry)) {
      progress(`${path} is damaged`);
      try {
        await Deno.remove(path);
      } catch (error) {
        if (error instanceof Deno.errors.NotFound) continue; // another process is building too
        throw new RuntimesRefused(`CACHE_DIR: ${path} is damaged and cannot be replaced`);
      }
    }
  }

  async #removeOld(): Promise<void> {
    const engines = LANGUAGES.map((language) => this.#engine(language));
    const archived = await Promise.all(LANGUAGES.map((language) => this.#archivedOf(language)));
    const entries = [this.#program, this.#page, ...engines, ...archived.flat()];
    for await (const { name, isFile } of Deno.readDir(this.#directory)) {
      const path = `${this.#directory}/${name}`;
      const isCurrent = entries.some(({ start }) => name.startsWith(`${start}-`));
      if (!isFile || isCurrent || !ENTRY.test(name)) continue;
      await removeWhenOld(path);
    }
  }

  /**
   * Loads a built engine; undefined when it or the isolate program is missing or damaged. Throws a
   * RuntimesRefused when another user may have written it.
   */
  async load(language: Language): Promise<BuiltIsolate | undefined> {
    const program = await this.findProgram();
    const path = await this.#find(this.#engine(language));
    if (program === undefined || path === undefined) return undefined;
    const whole = async () => decodeMessage(await Deno.readFile(path));
    return {
      program,
      engineFile: path,
      language,
      packages: packagesOf(language, this.#inputs),
      ...await readNamesOf(path),
      versions: versionsOf(language),
      openEngine: async () => (await Deno.open(path)).readable,
      readModule: async () => (await whole()).parts[0]?.slice() ?? new Uint8Array(),
      readBaseline: async () => (await whole()).parts[1]?.slice() ?? new Uint8Array(),
      readPacked: (part, name) => this.#readPacked(this.#archived(language, part, name)),
      engineWith: async ({ module, baseline }) => {
        const { head, parts: [present = new Uint8Array(), _image, ...extras] } = await whole();
        return encodeMessage(head, [module ?? present, baseline, ...extras]);
      },
    };
  }

  /** Undefined when it is missing, damaged, or may be written by another user. */
  async #readPacked(entry: Entry): Promise<PackedPart | undefined> {
    try {
      const path = await this.#find(entry);
      return path === undefined ? undefined : decodePackedPart(await Deno.readFile(path));
    } catch (thrown) {
      if (thrown instanceof RuntimesRefused) return undefined;
      throw thrown;
    }
  }

  /** Loads the built page; undefined when it is missing or damaged. Throws a RuntimesRefused. */
  async loadPage(): Promise<readonly PageFile[] | undefined> {
    const path = await this.#find(this.#page);
    return path === undefined ? undefined : readPageFiles(await Deno.readFile(path));
  }

  /** Reads a whole built engine. */
  async read(language: Language): Promise<EngineArtifact> {
    const path = await this.#find(this.#engine(language));
    if (path === undefined) throw new TypeError(`The engine of ${language} is not built`);
    return decodeArtifact(await Deno.readFile(path), language);
  }
}

async function buildEngine(
  language: Language,
  inputs: BuildInputs,
  directory: string,
): Promise<Uint8Array> {
  const { ENGINE_BUILDERS } = await builders();
  return encodeArtifact(await ENGINE_BUILDERS[language](inputs, directory));
}
