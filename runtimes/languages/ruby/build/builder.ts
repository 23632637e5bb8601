/**
 * Builds the Ruby engine: the metered module without its data, the library, and the baseline with the
 * driver and the libraries that programs often use.
 *
 * @module
 */
import { BootError } from "../../../engine/boot_error.ts";
import type { EngineArtifact } from "../../../engine/engine.ts";
import { encodeImage } from "../../../engine/image.ts";
import { bootImage, type RubySource } from "./boot.ts";
import { type LibraryFile, packLibrary, readLibrary } from "../../../engine/packed_library.ts";
import { readEmbeddedFiles } from "./embedded_files.ts";
import { meterRuby } from "./metered_module.ts";
import { RUBY_LIBRARY_FILE, RUBY_MODULE_FILE, RUBY_PACKAGE } from "../host/ruby_abi.ts";
import { unmetered } from "../../../../wasm/metering/unmetered.ts";
import { MEMORY_BYTES } from "../../../../shared/limits.ts";
import { withoutData } from "../../../../wasm/metering/data_segments.ts";
import type { BuildInputs } from "../../../builder/build_inputs.ts";
import { buildName } from "../../../builder/build_name.ts";

const GUEST = new URL("../guest/", import.meta.url);
/** Files of the project, and of others, that Ruby's library lacks. */
const LIBRARIES = [
  new URL("lib/", GUEST),
  new URL("../../../../third_party/ruby/", import.meta.url),
];
/** Where the guest sees them; a part of its load path. */
const LIBRARY_PLACE = "/lib/ruby";
/** Files that take the place of the library's. */
const REPLACED = new URL("replaced/", GUEST);
const REPLACED_PLACE = "/usr/local/lib/ruby/4.0.0";
/** The names of the driver's files, in load order. */
const DRIVER = [
  "gems",
  "bundler",
  "preload",
  "suggestions",
  "frames",
  "files",
  "time_limits",
  "primitives",
  "values",
  "errors",
  "source",
  "buffers",
  "displays",
  "calls",
  "program",
  "signals",
  "restrictions",
] as const;

/** The driver's file for contexts. Only an engine that has them loads it, as the last. */
const CONTEXTS = "contexts";

/** A file of the package, as published. */
async function published(name: string): Promise<Uint8Array<ArrayBuffer>> {
  return await Deno.readFile(new URL(import.meta.resolve(`${RUBY_PACKAGE}/${name}`)));
}

/** The module of the package, as published. */
export async function rubyModule(): Promise<Uint8Array<ArrayBuffer>> {
  return await published(RUBY_MODULE_FILE);
}

/** The driver's files. */
async function rubySources(names: readonly string[]): Promise<readonly RubySource[]> {
  return await Promise.all(names.map(async (name) => ({
    name,
    text: await Deno.readTextFile(new URL(`${name}.rb`, GUEST)),
  })));
}

/** The files below a folder, in the order of their names. */
async function filesBelow(folder: URL, prefix: string): Promise<LibraryFile[]> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  const found = await Promise.all(entries.map(async ({ name, isDirectory }) => {
    const path = `${prefix}/${name}`;
    if (isDirectory) return await filesBelow(new URL(`${name}/`, folder), path);
    return [[path, await Deno.readFile(new URL(name, folder))] as const];
  }));
  return found.flat().sort(([a], [b]) => a < b ? -1 : 1);
}

/** Ruby's library and the files that it lacks, packed. */
export async function rubyLibrary(): Promise<Uint8Array<ArrayBuffer>> {
  const module = unmetered(await published(RUBY_LIBRARY_FILE), MEMORY_BYTES.ruby);
  const added = await Promise.all(LIBRARIES.map((folder) => filesBelow(folder, LIBRARY_PLACE)));
  const replaced = await filesBelow(REPLACED, REPLACED_PLACE);
  const paths = new Set(replaced.map(([path]) => path));
  const embedded = readEmbeddedFiles(new WebAssembly.Module(module)).map((file) =>
    paths.delete(file[0]) ? replaced.find(([path]) => path === file[0]) ?? file : file
  );
  if (paths.size > 0) throw new BootError(`The library has no ${[...paths].join(", ")}`);
  return packLibrary([...embedded, ...added.flat()]);
}

/** Boots a module, its data included, and encodes the image. */
export async function bootRubyImage(
  { module, libraries, contexts }: {
    readonly module: Uint8Array<ArrayBuffer>;
    readonly libraries: readonly Uint8Array<ArrayBuffer>[];
    readonly contexts: boolean;
  },
): Promise<Uint8Array<ArrayBuffer>> {
  return encodeImage(bootImage({
    module: new WebAssembly.Module(module),
    sources: await rubySources(contexts ? [...DRIVER, CONTEXTS] : DRIVER),
    library: libraries.flatMap((library) => readLibrary(library)),
    contexts,
  }));
}

/** Builds the engine. */
export async function buildRuby(
  { contextLanguages = [], packages }: BuildInputs,
): Promise<EngineArtifact> {
  const contexts = contextLanguages.includes("ruby");
  const metered = meterRuby(await rubyModule());
  const library = await rubyLibrary();
  const own = packages?.ruby;
  const extras = [library, ...(own === undefined ? [] : [packLibrary(own.files)])];
  const image = await bootRubyImage({ module: metered, libraries: extras, contexts });
  const module = withoutData(metered);
  return { language: "ruby", build: buildName([module, image, ...extras]), module, image, extras };
}
