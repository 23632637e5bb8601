/**
 * Builds the Python engine: the metered module without its data, linked with the native modules of
 * the operator's wheels, and the baseline with the driver, the standard library, time zones and the
 * wheels. Nothing is fetched.
 *
 * @module
 */
import { MEMORY_BYTES } from "../../../../shared/limits.ts";
import type { EngineArtifact } from "../../../engine/engine.ts";
import type { MemoryImage } from "../../../engine/image.ts";
import { differenceOf } from "../../../engine/image_difference.ts";
import type { ImageHead } from "../host/image_head.ts";
import { dataModules } from "./data_modules.ts";
import { encodePythonImage } from "../host/artifact.ts";
import {
  bootImage,
  type BootOptions,
  ERRORS_SOURCE,
  filesOfProgram,
  PYTHON_PATHS,
} from "./boot.ts";
import type { ReadOnlyFile } from "../host/machine.ts";
import { PYODIDE_PACKAGE } from "../host/cpython_abi.ts";
import { LinkError } from "../../../../wasm/linking/link_error.ts";
import { withoutData } from "../../../../wasm/metering/data_segments.ts";
import { linkCPython, meterCPython, meterLinked } from "./metered_module.ts";
import { librariesOf, type NativeParts, PreloadError } from "./natives.ts";
import { type LibraryParts, packLibrary, type Wheel, WheelError } from "./pack_library.ts";
import { trampolineBytes } from "../host/trampoline.ts";
import { WASM_PAGE_BYTES } from "../../../../wasm/metering/wasm_page.ts";
import type { BuildInputs } from "../../../builder/build_inputs.ts";
import { buildName } from "../../../builder/build_name.ts";
import {
  nativeModules,
  pathsOfModules,
  type WheelModule,
} from "../../../builder/native_modules.ts";
import { timeZoneWheel } from "../../../builder/time_zones.ts";
import { engineTags, wheelRefusal } from "../../../builder/wheel_name.ts";

const GUEST = new URL("../guest/", import.meta.url);

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
  const folder = new URL("driver/", GUEST);
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
  const root = new URL("library/modules/", GUEST);
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
    script: await Deno.readTextFile(new URL("library/pack_library.py", GUEST)),
  };
}

/** Refuses wheels that are not for this engine. Throws a WheelError. */
async function checkTags(wheels: readonly Wheel[]): Promise<void> {
  const tags = await engineTags();
  for (const { name } of wheels) {
    const refusal = wheelRefusal(name, tags);
    if (refusal !== undefined) throw new WheelError(refusal);
  }
}

/** The metered module, and the facts about its native modules that a boot needs. */
interface MeteredPython extends Pick<NativeParts, "modules" | "heapBase"> {
  readonly module: Uint8Array<ArrayBuffer>;
}

/** Links the native modules and meters the result. Throws a WheelError. */
function meterWith(
  source: Uint8Array<ArrayBuffer>,
  natives: readonly WheelModule[],
): MeteredPython {
  if (natives.length === 0) {
    return { module: meterCPython(source), modules: [], heapBase: undefined };
  }
  try {
    const paths = pathsOfModules(natives);
    const linked = linkCPython(source, natives);
    return {
      module: meterLinked(linked),
      heapBase: linked.heapBase,
      modules: linked.sides.map(({ module, boot, entry }) => ({
        path: paths.get(module) ?? "",
        entry: module.entry,
        slot: entry,
        boot,
      })),
    };
  } catch (error) {
    if (error instanceof LinkError) throw new WheelError(error.message);
    throw error;
  }
}

/** The lists of fonts that matplotlib would search for in each run; none without it. */
function fontLists(boot: BootOptions): readonly ReadOnlyFile[] {
  const manager = `${PYTHON_PATHS.packages}/matplotlib/font_manager.py`;
  if (!boot.files.some(([path]) => path === manager)) return [];
  const natives = boot.natives && { ...boot.natives, preload: [] };
  const program = "import matplotlib.font_manager";
  const lists = filesOfProgram(
    { ...boot, ...(natives && { natives }) },
    program,
    "/tmp/matplotlib",
  );
  return lists.filter(([name]) => name.startsWith("fontlist-"))
    .map(([name, bytes]) => [`${PYTHON_PATHS.driver}/fonts/${name}`, bytes]);
}

/** Longest text about a module that cannot be imported: it is in the head of the engine. */
const PROBLEM_CHARACTERS = 500;

/** The second baseline, in which modules are imported; text: why that is not possible. */
function withModules(
  boot: BootOptions & { readonly natives: NativeParts },
  modules: readonly string[],
  plain: MemoryImage<ImageHead>,
): MemoryImage<ImageHead> | string | undefined {
  if (modules.length === 0) return undefined;
  const { natives } = boot;
  const preload = [...natives.preload, ...modules];
  try {
    return differenceOf(bootImage({ ...boot, natives: { ...natives, preload } }), plain);
  } catch (error) {
    if (!(error instanceof PreloadError)) throw error;
    return error.message.slice(0, PROBLEM_CHARACTERS); // such as a package that it needs
  }
}

/**
 * Builds the engine. Throws a WheelError that names the wheel when one cannot be installed, and a
 * PreloadError when a module cannot be imported.
 */
export async function buildPython(
  { pythonWheels, pythonPreload = [] }: BuildInputs,
): Promise<EngineArtifact> {
  await checkTags(pythonWheels);
  const found = nativeModules(pythonWheels);
  const { module: metered, modules, heapBase } = meterWith(await cpythonModule(), found);
  const parts = {
    module: new WebAssembly.Module(metered),
    trampoline: new WebAssembly.Module(trampolineBytes()),
    maximumPages: MEMORY_BYTES.python / WASM_PAGE_BYTES,
  };
  const library = packLibrary(parts, {
    ...await libraryParts(pythonWheels),
    natives: found.map(({ place }) => place),
  });
  const script = await Deno.readTextFile(new URL("native_modules.py", GUEST));
  const natives = { modules, heapBase, preload: pythonPreload, script };
  const boot = { ...parts, ...library, driver: await driverSources(), natives };
  const files = [...library.files, ...fontLists(boot)];
  const plain = bootImage({ ...boot, files });
  const data = dataModules(files);
  const made = withModules({ ...boot, files }, data.modules, plain);
  const preloaded = typeof made === "string" ? undefined : made;
  const image = encodePythonImage({
    image: plain,
    preloaded,
    files,
    libraries: librariesOf(modules),
  });
  const module = withoutData(metered);
  const build = buildName([module, image]);
  const preloads = preloaded === undefined ? [] : data.packages;
  return {
    language: "python",
    build,
    module,
    image,
    extras: [],
    preloads,
    ...(typeof made === "string" ? { preloadProblem: made } : {}),
  };
}
