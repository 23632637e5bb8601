/**
 * The parts of a build and their builders: the engine of each language, the isolate program and the
 * page. The cache imports this when something is missing, because a service that finds all built
 * needs none of it.
 *
 * @module
 */
import type { ByLanguage } from "../../shared/languages.ts";
import type { EngineArtifact } from "../engine/engine.ts";
import type { BuildInputs } from "./build_inputs.ts";
import { bundle } from "./bundle.ts";
import { buildJavaScript } from "../languages/javascript/build/builder.ts";
import { buildPerl } from "../languages/perl/build/builder.ts";
import { buildPython } from "../languages/python/build/builder.ts";
import { buildRuby } from "../languages/ruby/build/builder.ts";
import { buildShell } from "../languages/shell/build/builder.ts";

export { buildPage } from "./page.ts";

/** Builds the engine of one language. The shell's module is in the cache folder. */
type EngineBuilder = (inputs: BuildInputs, cacheFolder: string) => Promise<EngineArtifact>;

/** How each language is built. */
export const ENGINE_BUILDERS: ByLanguage<EngineBuilder> = {
  javascript: buildJavaScript,
  python: buildPython,
  perl: buildPerl,
  ruby: buildRuby,
  shell: (_inputs, cacheFolder) => buildShell(cacheFolder),
};

/** Bundles the isolate program. */
export async function bundleProgram(): Promise<Uint8Array> {
  const entry = new URL("../isolate/main.ts", import.meta.url);
  return new TextEncoder().encode(await bundle(entry, "deno"));
}
