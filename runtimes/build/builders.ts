/**
 * What is built, and how: the engine of each language, the isolate program and the page. The cache
 * imports this when something is missing, because a service that finds all built needs none of it.
 *
 * @module
 */
import type { ByLanguage } from "../../wire/languages.ts";
import type { EngineArtifact } from "../isolate/engine.ts";
import type { BuildInputs } from "./build_inputs.ts";
import { bundle } from "./bundle.ts";
import { buildJavaScript } from "./javascript.ts";
import { buildPerl } from "./perl.ts";
import { buildPython } from "./python.ts";
import { buildRuby } from "./ruby.ts";

export { buildPage } from "./page.ts";

/**
 * How each language is built. The builder of a language is in a file that is named by its id:
 * `source_keys.ts` tells sources of one language from those of another by that.
 */
export const ENGINE_BUILDERS: ByLanguage<(inputs: BuildInputs) => Promise<EngineArtifact>> = {
  javascript: buildJavaScript,
  python: buildPython,
  perl: buildPerl,
  ruby: buildRuby,
};

/** Bundles the isolate program. */
export async function bundleProgram(): Promise<Uint8Array> {
  const entry = new URL("../isolate/main.ts", import.meta.url);
  return new TextEncoder().encode(await bundle(entry, "deno"));
}
