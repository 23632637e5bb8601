/**
 * Built engines on disk. Everything is keyed by the sources it was built from, so a change of a
 * source, of a pinned package or of the Deno that bundles makes a new entry.
 *
 * Layout of the cache directory: `<key>/isolate.js`, `<key>/<language>.engine`.
 *
 * @module
 */
import type { Language } from "../../wire/types.ts";
import type { EngineArtifact } from "../isolate/engine.ts";
import { decodeMessage, encodeMessage } from "../isolate/protocol.ts";
import { buildName } from "./build_name.ts";
import { bundle } from "./bundle.ts";
import { buildJavaScript } from "./javascript.ts";

/** What a runtime needs of a build. */
export interface BuiltIsolate {
  /** Path of the isolate program. */
  readonly program: string;
  readonly artifact: EngineArtifact;
}

/** Told of each step of a build. */
export type BuildProgress = (step: string) => void;

/** How each language is built. A language that is not here has no engine. */
export const ENGINE_BUILDERS: {
  readonly [L in Language]?: () => Promise<EngineArtifact>;
} = { javascript: buildJavaScript };

const PROJECT = new URL("../../", import.meta.url);
const SOURCE_FOLDERS = ["runtimes/isolate/", "runtimes/build/", "wire/"];
const SOURCE_FILES = ["deno.json", "deno.lock"];

async function sourceFiles(folder: URL): Promise<URL[]> {
  const files: URL[] = [];
  for await (const entry of Deno.readDir(folder)) {
    if (entry.isDirectory) files.push(...await sourceFiles(new URL(`${entry.name}/`, folder)));
    else if (entry.isFile) files.push(new URL(entry.name, folder));
  }
  return files;
}

async function readIfThere(file: URL): Promise<Uint8Array> {
  try {
    return await Deno.readFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return new Uint8Array();
    throw error;
  }
}

/** Key of the present sources. */
async function sourceKey(): Promise<string> {
  const found = await Promise.all(
    SOURCE_FOLDERS.map((folder) => sourceFiles(new URL(folder, PROJECT))),
  );
  const files = [...found.flat(), ...SOURCE_FILES.map((file) => new URL(file, PROJECT))];
  files.sort((a, b) => a.href < b.href ? -1 : 1);
  const encoder = new TextEncoder();
  const contents = await Promise.all(files.map(readIfThere));
  const names = files.map((file) => encoder.encode(file.href.slice(PROJECT.href.length)));
  return await buildName([encoder.encode(Deno.version.deno), ...names, ...contents]);
}

/** Writes a file so that it is there whole or not at all. */
async function writeWhole(path: string, data: Uint8Array): Promise<void> {
  const draft = `${path}.${crypto.randomUUID()}`;
  await Deno.writeFile(draft, data);
  await Deno.rename(draft, path);
}

function encodeArtifact(artifact: EngineArtifact): Uint8Array {
  const { language, build, module, image, extras } = artifact;
  return encodeMessage({ language, build }, [module, image, ...extras]);
}

function decodeArtifact(bytes: Uint8Array<ArrayBuffer>, language: Language): EngineArtifact {
  const { head, parts: [module, image, ...extras] } = decodeMessage(bytes);
  const build = typeof head === "object" && head !== null && "build" in head ? head.build : "";
  if (typeof build !== "string" || module === undefined || image === undefined) {
    throw new TypeError(`The built engine of ${language} is not readable`);
  }
  return { language, build, module, image, extras };
}

/** Built engines in a directory. */
export class BuildCache {
  readonly #directory: string;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /** Opens the cache for the present sources; creates its directory. */
  static async open(cacheDirectory: string): Promise<BuildCache> {
    const directory = `${cacheDirectory}/${await sourceKey()}`;
    await Deno.mkdir(directory, { recursive: true });
    return new BuildCache(directory);
  }

  get #program(): string {
    return `${this.#directory}/isolate.js`;
  }

  #enginePath(language: Language): string {
    return `${this.#directory}/${language}.engine`;
  }

  /** Builds what is missing of the languages' engines and the isolate program. */
  async build(languages: readonly Language[], progress: BuildProgress): Promise<void> {
    const program = { path: this.#program, step: "isolate program", make: bundleProgram };
    const engines = languages.map((language) => ({
      path: this.#enginePath(language),
      step: `${language} engine`,
      make: () => buildEngine(language),
    }));
    for (const { path, step, make } of [program, ...engines]) {
      if (await exists(path)) continue;
      progress(`Building the ${step} ...`);
      await writeWhole(path, await make());
    }
  }

  /** Loads a built engine; undefined when it, or the isolate program, is not built yet. */
  async load(language: Language): Promise<BuiltIsolate | undefined> {
    if (!await exists(this.#program)) return undefined;
    const path = this.#enginePath(language);
    if (!await exists(path)) return undefined;
    const artifact = decodeArtifact(await Deno.readFile(path), language);
    return { program: await Deno.realPath(this.#program), artifact };
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

async function buildEngine(language: Language): Promise<Uint8Array> {
  const builder = ENGINE_BUILDERS[language];
  if (builder === undefined) throw new TypeError(`There is no engine for ${language}`);
  return encodeArtifact(await builder());
}
