/**
 * The Python engine with real native wheels, for tests. They are in the folder that `TEST_WHEELS`
 * names (`.ci/run` fetches one), or in `../shared/wheels` beside the checkout; elsewhere the tests
 * are left out. All processes share one built engine.
 *
 * @module
 */
import { assert } from "@std/assert";
import { readBuildInputs } from "../../runtimes/builder/build_inputs.ts";
import { BuildCache, type BuiltIsolate } from "../../runtimes/builder/cache.ts";
import type { EngineArtifact } from "../../runtimes/engine/engine.ts";
import { createPythonEngine } from "../../runtimes/languages/python/create.ts";
import type { PythonEngine } from "../../runtimes/languages/python/engine.ts";
import { MEMORY_BYTES } from "../../shared/limits.ts";
import { type Ran, runOn, WIDE_LIMITS } from "./engine_runs.ts";
import { folderNames } from "./folder_names.ts";

const CACHE = new URL("../../.belljar/cache", import.meta.url).pathname;
const BESIDE = new URL("../../../shared/wheels", import.meta.url).pathname;
const NATIVE_WHEEL = /-pyemscripten_\w+_wasm32\.whl$/;

/** The folder of wheels; undefined when there is none with native ones. */
export const WHEELS: string | undefined = [Deno.env.get("TEST_WHEELS") ?? BESIDE]
  .find((folder) => folderNames(folder).some((name) => NATIVE_WHEEL.test(name)));

/** Whether a package is among the wheels. */
export function hasWheel(name: string): boolean {
  return WHEELS !== undefined && folderNames(WHEELS).some((file) => file.startsWith(`${name}-`));
}

/** Modules that the tests want in the image, each with the package that it is of. */
const WANTED = [["numpy", "numpy"], ["numpy.random", "numpy"], ["pydantic", "pydantic"]] as const;
/** Those that can be there. */
const PRELOADED = WANTED.filter(([, wheel]) => hasWheel(wheel)).map(([module]) => module);

/** A test that needs wheels of these names; left out, with a line that says so, where they are not. */
export function wheelTest(
  name: string,
  wheels: readonly string[],
  fn: () => void | Promise<void>,
): void {
  const missing = wheels.filter((wheel) => !hasWheel(wheel));
  const label = missing.length === 0 ? name : `${name} (needs TEST_WHEELS with ${missing.join()})`;
  Deno.test({ name: label, ignore: missing.length > 0, fn });
}

/** Builds the engine with the wheels when it is missing, one process at a time, and reads it. */
export async function builtWithWheels(): Promise<EngineArtifact> {
  const cache = await BuildCache.open(
    CACHE,
    await readBuildInputs({ pythonWheels: WHEELS, pythonPreload: PRELOADED }),
  );
  using guard = await Deno.open(`${CACHE}/.test-wheels`, { create: true, write: true });
  await guard.lock(true);
  await cache.build(["python"], () => undefined);
  return await cache.read("python");
}

/** The same build, as a runtime takes it. */
export async function isolateWithWheels(): Promise<BuiltIsolate> {
  await builtWithWheels();
  const cache = await BuildCache.open(
    CACHE,
    await readBuildInputs({ pythonWheels: WHEELS, pythonPreload: PRELOADED }),
  );
  await cache.build([], () => undefined); // the isolate program
  const built = await cache.load("python");
  assert(built !== undefined);
  return built;
}

/** The environment of a service with the same build. */
export function wheelSettings(): Record<string, string> {
  return {
    LANGUAGES: "python",
    CACHE_DIR: CACHE,
    PYTHON_WHEELS: WHEELS ?? "",
    PYTHON_PRELOAD: PRELOADED.join(),
  };
}

let engine: Promise<PythonEngine> | undefined;

/** A new engine with the wheels. */
export async function newEngineWithWheels(): Promise<PythonEngine> {
  return await createPythonEngine({
    ...await builtWithWheels(),
    memoryBytes: MEMORY_BYTES.python,
  });
}

/** The engine with the wheels of this file of tests. */
export function engineWithWheels(): Promise<PythonEngine> {
  engine ??= newEngineWithWheels();
  return engine;
}

/** Runs a program on the pristine engine. */
export async function runWithWheels(code: string, fuel = WIDE_LIMITS.fuel): Promise<Ran> {
  const on = await engineWithWheels();
  on.reset();
  return runOn(on, { code, limits: { ...WIDE_LIMITS, fuel } });
}

/** The name and the message of the error that a program ends with. */
export async function errorWithWheels(
  code: string,
): Promise<readonly [name: string, message: string]> {
  const { ending } = await runWithWheels(code);
  assert(ending.kind === "error", JSON.stringify(ending));
  return [ending.error.name, ending.error.message];
}

/** The value of a program; JSON. */
export async function valueWithWheels(code: string): Promise<unknown> {
  const { ending } = await runWithWheels(code);
  assert(ending.kind === "json", JSON.stringify(ending));
  return JSON.parse(ending.json);
}

/** Fuel and value of a program in another process, twice. */
export async function anotherEngineRuns(
  code: string,
): Promise<readonly (readonly [number, unknown])[]> {
  const program = new URL("./native_wheels_program.ts", import.meta.url).href;
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-all", "--unstable-kv", program, code],
  }).output();
  return JSON.parse(new TextDecoder().decode(stdout));
}
