/**
 * Built engines for tests, from the project's cache; what is missing is built.
 */
import { type Language, LANGUAGES } from "../../client/protocol/types.ts";
import { type BuildInputs, NO_INPUTS } from "../../runtimes/builder/build_inputs.ts";
import { BuildCache } from "../../runtimes/builder/cache.ts";
import type { EngineArtifact } from "../../runtimes/engine/engine.ts";

const CACHE = new URL("../../.belljar/cache", import.meta.url).pathname;

/** The isolate program and the engine of a language, read. */
export interface LoadedIsolate {
  readonly program: string;
  readonly artifact: EngineArtifact;
}

const isolates = new Map<BuildInputs, Map<Language, Promise<LoadedIsolate>>>();

/**
 * Builds the engine of a language when it is missing, and reads it. The files of a group read it
 * once, because reading checks the digest of the whole engine. Each caller has its own image.
 */
export async function builtIsolate(
  language: Language,
  inputs: BuildInputs = NO_INPUTS,
): Promise<LoadedIsolate> {
  const ofInputs = isolates.getOrInsertComputed(inputs, () => new Map());
  const { program, artifact } = await ofInputs.getOrInsertComputed(
    language,
    () => readIsolate(language, inputs),
  );
  return { program, artifact: { ...artifact, image: artifact.image.slice() } };
}

async function readIsolate(language: Language, inputs: BuildInputs): Promise<LoadedIsolate> {
  const cache = await BuildCache.open(CACHE, inputs);
  await cache.build([language], () => undefined);
  const built = await cache.load(language);
  if (built === undefined) throw new Error(`${language} was not built`);
  return { program: built.program, artifact: await cache.read(language) };
}

/** Inputs of a build in which every language has contexts. */
export const ALL_CONTEXTS: BuildInputs = { ...NO_INPUTS, contextLanguages: LANGUAGES };

/** Stack for JavaScript guests in the process of a test, whose native stack is V8's default. */
export const TEST_STACK_BYTES = 600_000;

/** The files of a built engine in the project's cache. */
export async function builtFiles(
  language: Language,
): Promise<{ readonly program: string; readonly engineFile: string }> {
  const { program } = await builtIsolate(language);
  const cache = await BuildCache.open(program.slice(0, program.lastIndexOf("/")));
  const built = await cache.load(language);
  if (built === undefined) throw new Error("It was built, and cannot be found");
  return built;
}
