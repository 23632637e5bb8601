/**
 * Builds the Python engine: the metered module, and the baseline with the driver, the standard
 * library, time zones and the operator's wheels. Nothing is fetched.
 *
 * @module
 */
import { MEMORY_BYTES } from "../../wire/limits.ts";
import type { EngineArtifact } from "../isolate/engine.ts";
import { encodePythonImage } from "../isolate/python/artifact.ts";
import { bootImage, ERRORS_SOURCE } from "../isolate/python/boot.ts";
import { PYODIDE_PACKAGE } from "../isolate/python/cpython_abi.ts";
import { meterCPython } from "../isolate/python/metered_module.ts";
import { type LibraryParts, packLibrary, type Wheel } from "../isolate/python/pack_library.ts";
import { trampolineBytes } from "../isolate/python/trampoline.ts";
import { WASM_PAGE_BYTES } from "../isolate/wasm_page.ts";
import type { BuildInputs } from "./build_inputs.ts";
import { buildName } from "./build_name.ts";
import { timeZoneWheel } from "./time_zones.ts";

const PYTHON_SOURCES = new URL("../isolate/python/", import.meta.url);

/** A file of the package, as published. */
async function published(name: string): Promise<Uint8Array<ArrayBuffer>> {
  return await Deno.readFile(new URL(import.meta.resolve(`${PYODIDE_PACKAGE}/${name}`)));
}

/** The module of the package, as published. */
export async function cpythonModule(): Promise<Uint8Array<ArrayBuffer>> {
  return await published("pyodide.asm.wasm");
}

/** Sources of the driver, by file name. */
export async function driverSources(): Promise<ReadonlyMap<string, string>> {
  const folder = new URL("driver/", PYTHON_SOURCES);
  const names: string[] = [];
  for await (const entry of Deno.readDir(folder)) {
    if (entry.isFile && entry.name.endsWith(".py")) names.push(entry.name);
  }
  names.sort();
  const sources = await Promise.all(names.map((name) => Deno.readTextFile(new URL(name, folder))));
  return new Map(names.map((name, index) => [name, sources[index] ?? ""]));
}

/** Sources of the modules that the published library lacks, by path. */
async function addedModules(folder: string): Promise<ReadonlyMap<string, string>> {
  const sources: [path: string, text: string][] = [];
  const root = new URL("library/modules/", PYTHON_SOURCES);
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, root))) {
    const path = `${folder}${name}`;
    if (isDirectory) sources.push(...await addedModules(`${path}/`));
    else if (name.endsWith(".py")) {
      sources.push([path, await Deno.readTextFile(new URL(path, root))]);
    }
  }
  return new Map(sources.sort(([a], [b]) => a < b ? -1 : 1));
}

/** The sources of the library in the baseline. */
export async function libraryParts(wheels: readonly Wheel[]): Promise<LibraryParts> {
  return {
    standardLibrary: await published("python_stdlib.zip"),
    timeZones: await timeZoneWheel(),
    wheels,
    errors: (await driverSources()).get(ERRORS_SOURCE) ?? "",
    modules: await addedModules(""),
    script: await Deno.readTextFile(new URL("library/pack_library.py", PYTHON_SOURCES)),
  };
}

/** Builds the engine. Throws a WheelError that names the wheel when one cannot be installed. */
export async function buildPython({ pythonWheels }: BuildInputs): Promise<EngineArtifact> {
  const module = meterCPython(await cpythonModule());
  const parts = {
    module: new WebAssembly.Module(module),
    trampoline: new WebAssembly.Module(trampolineBytes()),
    maximumPages: MEMORY_BYTES.python / WASM_PAGE_BYTES,
  };
  const library = packLibrary(parts, await libraryParts(pythonWheels));
  const image = encodePythonImage({
    image: bootImage({ ...parts, ...library, driver: await driverSources() }),
    files: library.files,
  });
  return { language: "python", build: await buildName([module, image]), module, image, extras: [] };
}
