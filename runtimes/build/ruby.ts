/**
 * Builds the Ruby engine: the metered module without its data, and the baseline with the driver and
 * the libraries loaded.
 *
 * @module
 */
import type { EngineArtifact } from "../isolate/engine.ts";
import { encodeImage } from "../isolate/image.ts";
import { bootImage, type RubySource } from "../isolate/ruby/boot.ts";
import { type LibraryFile, packLibrary, readLibrary } from "../isolate/ruby/library.ts";
import { meterRuby } from "../isolate/ruby/metered_module.ts";
import { RUBY_MODULE_FILE, RUBY_PACKAGE } from "../isolate/ruby/ruby_abi.ts";
import { withoutData } from "../isolate/wasi/data_segments.ts";
import type { BuildInputs } from "./build_inputs.ts";
import { buildName } from "./build_name.ts";

const GUEST = new URL("../isolate/ruby/guest/", import.meta.url);
const LIBRARY = new URL("lib/", GUEST);
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
  "program",
  "restrictions",
] as const;

/** The driver's file for contexts. Only an engine that has them loads it, as the last. */
const CONTEXTS = "contexts";

/** The module of the package, as published. */
export async function rubyModule(): Promise<Uint8Array<ArrayBuffer>> {
  return await Deno.readFile(new URL(import.meta.resolve(`${RUBY_PACKAGE}/${RUBY_MODULE_FILE}`)));
}

/** The driver's files. */
async function rubySources(names: readonly string[]): Promise<readonly RubySource[]> {
  return await Promise.all(names.map(async (name) => ({
    name,
    text: await Deno.readTextFile(new URL(`${name}.rb`, GUEST)),
  })));
}

/** The files of the library below a folder, in the order of their names. */
async function libraryBelow(folder: URL, prefix = ""): Promise<LibraryFile[]> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  const found = await Promise.all(entries.map(async ({ name, isDirectory }) => {
    const path = `${prefix}${name}`;
    if (isDirectory) return await libraryBelow(new URL(`${name}/`, folder), `${path}/`);
    return [{ path, text: await Deno.readTextFile(new URL(name, folder)) }];
  }));
  return found.flat().sort((a, b) => a.path < b.path ? -1 : 1);
}

/** Boots a module, its data included, and encodes the image. */
export async function bootRubyImage(
  { module, contexts }: { readonly module: Uint8Array<ArrayBuffer>; readonly contexts: boolean },
): Promise<Uint8Array<ArrayBuffer>> {
  return encodeImage(bootImage({
    module: new WebAssembly.Module(module),
    sources: await rubySources(contexts ? [...DRIVER, CONTEXTS] : DRIVER),
    library: readLibrary(packLibrary(await libraryBelow(LIBRARY))),
    contexts,
  }));
}

/** Builds the engine. */
export async function buildRuby(
  { contextLanguages = [] }: BuildInputs,
): Promise<EngineArtifact> {
  const contexts = contextLanguages.includes("ruby");
  const metered = meterRuby(await rubyModule());
  const library = packLibrary(await libraryBelow(LIBRARY));
  const image = await bootRubyImage({ module: metered, contexts });
  const module = withoutData(metered);
  const build = buildName([module, image, library]);
  return { language: "ruby", build, module, image, extras: [library] };
}
