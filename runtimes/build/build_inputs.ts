/**
 * The operator's inputs to a build, besides the sources.
 *
 * @module
 */
import type { Language } from "../../client/protocol/types.ts";
import { RuntimesRefused } from "../../wire/binding.ts";
import type { Wheel } from "../isolate/python/pack_library.ts";
import { lockRefusal, WHEELS_LOCK } from "./wheels_lock.ts";

/** Bytes that go into engines and therefore into their keys. */
export interface BuildInputs {
  readonly pythonWheels: readonly Wheel[];
}

/** The inputs of a build from the sources alone. */
export const NO_INPUTS: BuildInputs = { pythonWheels: [] };

/** The inputs of one language's engine. */
export function inputsOf(language: Language, inputs: BuildInputs): readonly Wheel[] {
  return language === "python" ? inputs.pythonWheels : [];
}

/**
 * Reads the inputs that a configuration names. Throws {@link RuntimesRefused} when they cannot be
 * read.
 */
export async function readBuildInputs(pythonWheels: string | undefined): Promise<BuildInputs> {
  if (pythonWheels === undefined) return NO_INPUTS;
  try {
    return { pythonWheels: await readWheels(pythonWheels) };
  } catch (cause) {
    const known = [Deno.errors.NotFound, Deno.errors.NotADirectory, Deno.errors.PermissionDenied];
    if (!known.some((type) => cause instanceof type)) throw cause;
    throw new RuntimesRefused("PYTHON_WHEELS must name a folder that exists and can be read");
  }
}

/**
 * Reads the wheels in a folder, in the order of their names, and holds them against the lock if one
 * is there. Other files are ignored.
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
