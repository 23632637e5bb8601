/**
 * Keys of builds: hashes of their sources. A change of a source, of a pinned package or of the Deno
 * version that bundles changes the key. A change in one language's engine does not affect the keys
 * of the others.
 *
 * @module
 */
import type { Language } from "../../client/protocol/types.ts";
import { LANGUAGES } from "../../shared/languages.ts";
import { type BuildInputs, inputsOf } from "./build_inputs.ts";
import { digestOf, nameOfDigests } from "./build_name.ts";

/** Keys of the current sources. */
export interface SourceKeys {
  readonly program: string;
  readonly engines: ReadonlyMap<Language, string>;
  readonly page: string;
}

interface SourceFile {
  /** Its path in the project. */
  readonly path: string;
  /** SHA-256 of its path, and of its contents. */
  readonly digests: readonly [Uint8Array, Uint8Array];
}

const PROJECT = new URL("../../", import.meta.url);
const FOLDERS = [
  "runtimes/builder/",
  "runtimes/engine/",
  "runtimes/files/",
  "runtimes/isolate/",
  "runtimes/languages/",
  "wasm/",
  "third_party/ruby/",
  "third_party/tzdata/",
  "shared/",
  "client/protocol/",
];
const FILES = ["deno.json", "deno.lock"];
/** A file of a release: the version of Deno that built its engines. Any Deno may serve them. */
export const RELEASE_DENO = "DENO_VERSION";
/** Sources of the page, besides {@link FILES}. */
const PAGE_FOLDERS = ["page/", "client/"];
const PAGE_BUILDERS = ["runtimes/builder/bundle.ts", "runtimes/builder/page.ts"];

function filesBelow(folder: URL): URL[] {
  const files: URL[] = [];
  for (const entry of Deno.readDirSync(folder)) {
    if (entry.isDirectory) files.push(...filesBelow(new URL(`${entry.name}/`, folder)));
    else if (entry.isFile && !entry.name.endsWith(".md")) files.push(new URL(entry.name, folder));
  }
  return files;
}

/**
 * Reads a source. A missing lock file counts as empty. It does not wait for another thread: that
 * takes longer than reading a small file, and nothing is served yet.
 */
function readSource(file: URL): SourceFile {
  const path = file.href.slice(PROJECT.href.length);
  try {
    return sourceOf(path, Deno.readFileSync(file));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return sourceOf(path, new Uint8Array());
    throw error;
  }
}

function sourceOf(path: string, contents: Uint8Array): SourceFile {
  return { path, digests: [textDigest(path), digestOf(contents)] };
}

function keyOf(files: readonly SourceFile[]): string {
  return nameOfDigests([textDigest(bundlerVersion()), ...files.flatMap(({ digests }) => digests)]);
}

/** The version of Deno that bundles the programs. */
function bundlerVersion(): string {
  try {
    return Deno.readTextFileSync(new URL(RELEASE_DENO, PROJECT)).trim();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return Deno.version.deno;
    throw error;
  }
}

function textDigest(text: string): Uint8Array {
  return digestOf(new TextEncoder().encode(text));
}

/** Reads the sources and returns their keys. The inputs of an engine affect only that engine. */
export function sourceKeys(inputs: BuildInputs): SourceKeys {
  const files = readSources(FOLDERS, FILES);
  const engines = new Map<Language, string>();
  for (const language of LANGUAGES) {
    const others = LANGUAGES.filter((other) => other !== language);
    engines.set(
      language,
      keyOf([
        ...files.filter(({ path }) => !others.some((other) => isOf(path, other))),
        ...inputsOf(language, inputs).map(({ name, bytes }) => sourceOf(name, bytes)),
      ]),
    );
  }
  const page = keyOf(readSources(PAGE_FOLDERS, [...PAGE_BUILDERS, ...FILES]));
  return { program: keyOf(files), engines, page };
}

/** Sources in the order of their paths. */
function readSources(
  folders: readonly string[],
  names: readonly string[],
): readonly SourceFile[] {
  const found = folders.flatMap((folder) => filesBelow(new URL(folder, PROJECT)));
  const files = [...found, ...names.map((file) => new URL(file, PROJECT))].map(readSource);
  return files.sort((a, b) => a.path < b.path ? -1 : 1);
}

/** An engine is built from its own folder: this path is the only link. */
function isOf(path: string, language: Language): boolean {
  return path.startsWith(`runtimes/languages/${language}/`);
}
