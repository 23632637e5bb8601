/**
 * The operator's inputs to a build, besides the sources.
 *
 * @module
 */
import type { InstalledPackage, Language } from "../../client/protocol/types.ts";
import { RuntimesRefused } from "../../shared/binding.ts";
import { LANGUAGE_INFO } from "../../shared/languages.ts";
import type { Wheel } from "../languages/python/build/pack_library.ts";
import { lockRefusal, WHEELS_LOCK } from "./wheels_lock.ts";
import { parseWheelName } from "./wheel_name.ts";

/** Bytes that go into engines and therefore into their keys. */
export interface BuildInputs {
  readonly pythonWheels: readonly Wheel[];
  /** Names of modules that are in the image from the start. @default {none} */
  readonly pythonPreload?: readonly string[];
  /**
   * Languages that have contexts. An engine that need not have them is built for them, and what the
   * store keeps of their engines is compressed.
   * @default {those that have them in every service, with nothing compressed}
   */
  readonly contextLanguages?: readonly Language[];
}

/** The inputs of a build from the sources alone. */
export const NO_INPUTS: BuildInputs = { pythonWheels: [] };

/** Names in the key of a build; no wheel has them. */
const PRELOAD_INPUT = "PYTHON_PRELOAD";
const CONTEXTS_INPUT = "CONTEXTS";

/** The inputs of one language's engine. */
export function inputsOf(language: Language, inputs: BuildInputs): readonly Wheel[] {
  const { pythonWheels, pythonPreload = [], contextLanguages = [] } = inputs;
  const isOptional = LANGUAGE_INFO[language].contexts === "optional";
  if (isOptional && contextLanguages.includes(language)) {
    return [{ name: CONTEXTS_INPUT, bytes: new Uint8Array() }];
  }
  if (language !== "python") return [];
  if (pythonPreload.length === 0) return pythonWheels;
  const bytes = new TextEncoder().encode(pythonPreload.join());
  return [...pythonWheels, { name: PRELOAD_INPUT, bytes }];
}

/** The packages that one language's engine has by its inputs, in order of name. */
export function packagesOf(
  language: Language,
  { pythonWheels }: BuildInputs,
): readonly InstalledPackage[] {
  if (language !== "python") return [];
  const packages = pythonWheels.flatMap(({ name: file }) => {
    const wheel = parseWheelName(file);
    return wheel === undefined ? [] : [{ name: wheel.name, version: wheel.version }];
  });
  return packages.sort((a, b) => a.name < b.name ? -1 : 1);
}

/**
 * Reads the inputs that a configuration names. Throws {@link RuntimesRefused} when they cannot be
 * read.
 */
export async function readBuildInputs(
  pythonWheels: string | undefined,
  pythonPreload: readonly string[] = [],
  contextLanguages: readonly Language[] = [],
): Promise<BuildInputs> {
  const named = { pythonPreload, contextLanguages };
  if (pythonWheels === undefined) return { ...NO_INPUTS, ...named };
  try {
    return { pythonWheels: await readWheels(pythonWheels), ...named };
  } catch (cause) {
    const known = [Deno.errors.NotFound, Deno.errors.NotADirectory, Deno.errors.PermissionDenied];
    if (!known.some((type) => cause instanceof type)) throw cause;
    throw new RuntimesRefused("PYTHON_WHEELS must name a folder that exists and can be read");
  }
}

/**
 * Reads the wheels in a folder, sorted by name, and checks them against the lock if there is one.
 * Other files are ignored.
 */
async function readWheels(folder: string): Promise<readonly Wheel[]> {
  const names: string[] = [];
  let hasLock = false;
  for await (const { name } of Deno.readDir(folder)) {
    if (name.endsWith(".whl")) names.push(name);
    if (name === WHEELS_LOCK) hasLock = true;
  }
  names.sort();
  const wheels = await Promise.all(
    names.map(async (name) => ({ name, bytes: await Deno.readFile(`${folder}/${name}`) })),
  );
  if (!hasLock) return wheels;
  const refusal = lockRefusal(await Deno.readTextFile(`${folder}/${WHEELS_LOCK}`), wheels);
  if (refusal === undefined) return wheels;
  throw new RuntimesRefused(`PYTHON_WHEELS: ${refusal}`);
}
