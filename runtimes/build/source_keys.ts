/**
 * Keys of builds: hashes of their sources. A change of a source, of a pinned package or of the Deno
 * version that bundles changes the key. A change in one language's engine does not affect the keys
 * of the others.
 *
 * @module
 */
import type { Language } from "../../client/protocol/types.ts";
import { LANGUAGES } from "../../wire/languages.ts";
import { type BuildInputs, inputsOf } from "./build_inputs.ts";
import { buildName } from "./build_name.ts";

/** Keys of the current sources. */
export interface SourceKeys {
  readonly program: string;
  readonly engines: ReadonlyMap<Language, string>;
}

interface SourceFile {
  /** Its path in the project. */
  readonly path: string;
  readonly contents: Uint8Array;
}

const PROJECT = new URL("../../", import.meta.url);
const FOLDERS = ["runtimes/isolate/", "runtimes/build/", "wire/", "client/protocol/"];
const FILES = ["deno.json", "deno.lock"];

async function filesBelow(folder: URL): Promise<URL[]> {
  const files: URL[] = [];
  for await (const entry of Deno.readDir(folder)) {
    if (entry.isDirectory) files.push(...await filesBelow(new URL(`${entry.name}/`, folder)));
    else if (entry.isFile) files.push(new URL(entry.name, folder));
  }
  return files;
}

/** Reads a source. A missing lock file counts as empty. */
async function readSource(file: URL): Promise<SourceFile> {
  const path = file.href.slice(PROJECT.href.length);
  try {
    return { path, contents: await Deno.readFile(file) };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { path, contents: new Uint8Array() };
    throw error;
  }
}

function keyOf(files: readonly SourceFile[]): Promise<string> {
  const encoder = new TextEncoder();
  const named = files.flatMap(({ path, contents }) => [encoder.encode(path), contents]);
  return buildName([encoder.encode(Deno.version.deno), ...named]);
}

/** Reads the sources and returns their keys. The inputs of an engine affect only that engine. */
export async function sourceKeys(inputs: BuildInputs): Promise<SourceKeys> {
  const found = await Promise.all(FOLDERS.map((folder) => filesBelow(new URL(folder, PROJECT))));
  const urls = [...found.flat(), ...FILES.map((file) => new URL(file, PROJECT))];
  const files = await Promise.all(urls.map(readSource));
  files.sort((a, b) => a.path < b.path ? -1 : 1);
  const engines = new Map<Language, string>();
  for (const language of LANGUAGES) {
    const others = LANGUAGES.filter((other) => other !== language);
    engines.set(
      language,
      await keyOf([
        ...files.filter(({ path }) => !others.some((other) => isOf(path, other))),
        ...inputsOf(language, inputs).map(({ name, bytes }) => ({ path: name, contents: bytes })),
      ]),
    );
  }
  return { program: await keyOf(files), engines };
}

/** An engine is built from its own folder and builder: these paths are the only link. */
function isOf(path: string, language: Language): boolean {
  return path.startsWith(`runtimes/isolate/${language}/`) ||
    path === `runtimes/build/${language}.ts`;
}
