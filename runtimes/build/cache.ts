/**
 * Built engines on disk, each named by the key of the sources it was built from.
 *
 * Layout of the cache directory: `isolate-<key>.js`, `<language>-<key>.engine`.
 *
 * `runtimes/build/` owns the way from sources and pinned packages to engines and the isolate program
 * on disk, and their names. It fetches nothing, and must not know who runs what it builds.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { LANGUAGES } from "../../wire/languages.ts";
import { MEMORY_BYTES } from "../../wire/limits.ts";
import type { Language } from "../../wire/types.ts";
import type { EngineArtifact } from "../isolate/engine.ts";
import type { EngineHead } from "../isolate/protocol.ts";
import { decodeMessage, encodeMessage, readHead } from "../../wire/message.ts";
import { type BuildInputs, NO_INPUTS } from "./build_inputs.ts";
import { bundle } from "./bundle.ts";
import { buildJavaScript } from "./javascript.ts";
import { buildPerl } from "./perl.ts";
import { buildPython } from "./python.ts";
import { buildRuby } from "./ruby.ts";
import { type SourceKeys, sourceKeys } from "./source_keys.ts";

/** What a runtime needs of a build. */
export interface BuiltIsolate {
  /** Path of the isolate program. */
  readonly program: string;
  readonly language: Language;
  /** Names the build of the engine. */
  readonly build: string;
  /** Names the metered module and what of it images depend on: snapshots need the same. */
  readonly engine: string;
  /** Names the baseline image, of which snapshots are differences. */
  readonly baseline: string;
  /** Opens the engine as the body of `POST /engine`: it goes to an isolate as it lies on disk. */
  openEngine(): Promise<ReadableStream<Uint8Array>>;
  /** The baseline image. */
  readImage(): Promise<Uint8Array<ArrayBuffer>>;
  /** The same engine with an earlier image of it, as the body of `POST /engine`. */
  engineWith(image: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>>;
}

/** Told of each step of a build. */
export type BuildProgress = (step: string) => void;

/** How each language is built. A language that is not here has no engine. */
export const ENGINE_BUILDERS: {
  readonly [L in Language]?: (inputs: BuildInputs) => Promise<EngineArtifact>;
} = {
  javascript: buildJavaScript,
  python: buildPython,
  perl: buildPerl,
  ruby: buildRuby,
};

const ENTRY = /^[a-z]+-[0-9a-f]+\.(js|engine)/;
/** To be raised when an engine's host side no longer understands images made before. */
const STATE_VERSION = 1;
const NAME_DIGITS = 32;
/** More than the head of an engine's file takes. */
const HEAD_BYTES = 4096;
const PROJECT = new URL("../../", import.meta.url);
/** Entries of other sources are removed once they are so old; a service may still start from one. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Writes a file so that it is there whole or not at all. */
async function writeWhole(path: string, data: Uint8Array): Promise<void> {
  const draft = `${path}.${crypto.randomUUID()}`;
  await Deno.writeFile(draft, data);
  await Deno.rename(draft, path);
}

function encodeArtifact(artifact: EngineArtifact): Uint8Array {
  const { language, build, module, image, extras } = artifact;
  const head: EngineHead = {
    language,
    build,
    engine: digest(module, String(STATE_VERSION)),
    baseline: digest(image),
    memoryBytes: MEMORY_BYTES[language],
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

/** Half of a SHA-256 is a name that nobody makes twice. */
function digest(...parts: readonly (Uint8Array | string)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex").slice(0, NAME_DIGITS);
}

/** Built engines in a directory. */
export class BuildCache {
  readonly #directory: string;
  readonly #keys: SourceKeys;
  readonly #inputs: BuildInputs;

  private constructor(directory: string, keys: SourceKeys, inputs: BuildInputs) {
    this.#directory = directory;
    this.#keys = keys;
    this.#inputs = inputs;
  }

  /** Opens the cache for the present sources and what the operator gives; creates its directory. */
  static async open(cacheDirectory: string, inputs = NO_INPUTS): Promise<BuildCache> {
    await Deno.mkdir(cacheDirectory, { recursive: true });
    return new BuildCache(cacheDirectory, await sourceKeys(inputs), inputs);
  }

  get #program(): string {
    return `${this.#directory}/isolate-${this.#keys.program}.js`;
  }

  #enginePath(language: Language): string {
    return `${this.#directory}/${language}-${this.#keys.engines.get(language)}.engine`;
  }

  /** Builds what is missing of the languages' engines and the isolate program. */
  async build(languages: readonly Language[], progress: BuildProgress): Promise<void> {
    const program = { path: this.#program, step: "isolate program", make: bundleProgram };
    const engines = languages.map((language) => ({
      path: this.#enginePath(language),
      step: `${language} engine`,
      make: () => buildEngine(language, this.#inputs),
    }));
    for (const { path, step, make } of [program, ...engines]) {
      if (await exists(path)) continue;
      progress(`Building the ${step} ...`);
      await writeWhole(path, await make());
    }
    await this.#removeOld();
  }

  async #removeOld(): Promise<void> {
    const present = [this.#program, ...LANGUAGES.map((language) => this.#enginePath(language))];
    for await (const { name, isFile } of Deno.readDir(this.#directory)) {
      const path = `${this.#directory}/${name}`;
      if (!isFile || present.includes(path) || !ENTRY.test(name)) continue;
      await removeWhenOld(path);
    }
  }

  /** Loads a built engine; undefined when it, or the isolate program, is not built yet. */
  async load(language: Language): Promise<BuiltIsolate | undefined> {
    if (!await exists(this.#program)) return undefined;
    const path = this.#enginePath(language);
    if (!await exists(path)) return undefined;
    const whole = async () => decodeMessage(await Deno.readFile(path));
    return {
      program: await Deno.realPath(this.#program),
      language,
      ...await readNamesOf(path),
      openEngine: async () => (await Deno.open(path)).readable,
      readImage: async () => (await whole()).parts[1]?.slice() ?? new Uint8Array(),
      engineWith: async (image) => {
        const { head, parts: [module = new Uint8Array(), _image, ...extras] } = await whole();
        return encodeMessage(head, [module, image, ...extras]);
      },
    };
  }

  /** Reads a whole built engine. */
  async read(language: Language): Promise<EngineArtifact> {
    return decodeArtifact(await Deno.readFile(this.#enginePath(language)), language);
  }
}

type Names = Pick<BuiltIsolate, "build" | "engine" | "baseline">;

/** The names in the head of an engine's file; the rest of it is not read. */
async function readNamesOf(path: string): Promise<Names> {
  using file = await Deno.open(path);
  const start = new Uint8Array(HEAD_BYTES);
  const count = await file.read(start) ?? 0;
  return readNames(readHead(start.subarray(0, count)));
}

function readNames(head: unknown): Names {
  const { build, engine, baseline } = typeof head === "object" && head !== null
    ? head as Record<string, unknown>
    : {};
  if (typeof build === "string" && typeof engine === "string" && typeof baseline === "string") {
    return { build, engine, baseline };
  }
  throw new TypeError("A built engine is not readable");
}

/** Another process may be doing the same. */
async function removeWhenOld(path: string): Promise<void> {
  try {
    const { mtime } = await Deno.stat(path);
    if (mtime !== null && Date.now() - mtime.getTime() > KEPT_MS) await Deno.remove(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

async function bundleProgram(): Promise<Uint8Array> {
  const entry = new URL("runtimes/isolate/main.ts", PROJECT);
  return new TextEncoder().encode(await bundle(entry, "deno"));
}

async function buildEngine(language: Language, inputs: BuildInputs): Promise<Uint8Array> {
  const builder = ENGINE_BUILDERS[language];
  if (builder === undefined) throw new TypeError(`There is no engine for ${language}`);
  return encodeArtifact(await builder(inputs));
}
