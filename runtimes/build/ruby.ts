/**
 * Builds the Ruby engine: the metered module without its data, and the image with the driver
 * and the libraries loaded.
 *
 * @module
 */
import type { EngineArtifact } from "../isolate/engine.ts";
import { encodeImage } from "../isolate/image.ts";
import { bootImage, type RubySource } from "../isolate/ruby/boot.ts";
import { meterRuby } from "../isolate/ruby/metered_module.ts";
import { RUBY_MODULE_FILE, RUBY_PACKAGE } from "../isolate/ruby/ruby_abi.ts";
import { withoutData } from "../isolate/wasi/data_segments.ts";
import { buildName } from "./build_name.ts";

const GUEST = new URL("../isolate/ruby/guest/", import.meta.url);
/** The driver's files, in the order in which they can be loaded. */
const DRIVER = [
  "preload",
  "frames",
  "time_limits",
  "primitives",
  "values",
  "errors",
  "source",
  "program",
  "restrictions",
] as const;

/** The package's module, as published. */
export async function rubyModule(): Promise<Uint8Array<ArrayBuffer>> {
  return await Deno.readFile(new URL(import.meta.resolve(`${RUBY_PACKAGE}/${RUBY_MODULE_FILE}`)));
}

/** The driver's files. */
export async function rubySources(): Promise<readonly RubySource[]> {
  return await Promise.all(DRIVER.map(async (name) => ({
    name,
    text: await Deno.readTextFile(new URL(`${name}.rb`, GUEST)),
  })));
}

/** Builds the engine. */
export async function buildRuby(): Promise<EngineArtifact> {
  const metered = meterRuby(await rubyModule());
  const image = encodeImage(bootImage(new WebAssembly.Module(metered), await rubySources()));
  const module = withoutData(metered);
  return { language: "ruby", build: await buildName([module, image]), module, image, extras: [] };
}
