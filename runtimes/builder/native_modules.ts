/**
 * Finds the native modules in wheels, with their module names and their paths.
 *
 * @module
 */
import { PYTHON_PATHS } from "../languages/python/build/boot.ts";
import type { SideModule } from "../../wasm/linking/side_module.ts";
import { type Wheel, WheelError } from "../languages/python/build/pack_library.ts";
import { isNative, parseWheelName } from "./wheel_name.ts";
import { filesIn, ZipFormatError } from "./zip_archive.ts";

/** A native module of a wheel. */
export interface WheelModule extends SideModule {
  /** Its path below `site-packages`. */
  readonly place: string;
}

const ENDING = ".so";
/** File suffixes of modules for this interpreter. The module's name precedes the suffix. */
const ENDINGS = [".cpython-314-wasm32-emscripten.so", ".abi3.so", ENDING];
const OTHER_INTERPRETER = /\.((?:cpython|cp|pypy|graalpy)[^/.]*)\.so$/;
/** Schemes of a wheel's `.data` folder whose files are installed in `site-packages`. */
const DATA_FOLDER = /^[^/]+\.data\/(purelib|platlib|[^/]*)\//;

/** The path of a wheel's file below `site-packages`; undefined if it is not installed there. */
function placeOf(member: string): string | undefined {
  const [prefix = "", scheme] = DATA_FOLDER.exec(member) ?? [];
  if (scheme !== undefined && scheme !== "purelib" && scheme !== "platlib") return undefined;
  return member.slice(prefix.length);
}

/** The dotted name under which Python imports a file. Throws a WheelError. */
function moduleNameOf(place: string, label: string): string {
  const ending = ENDINGS.find((known) => place.endsWith(known)) ?? ENDING;
  const [, other] = OTHER_INTERPRETER.exec(place) ?? [];
  if (ending === ENDING && other !== undefined) {
    throw new WheelError(`${label} is for another interpreter (${other})`);
  }
  return place.slice(0, -ending.length).replaceAll("/", ".");
}

/** The files of an archive; none if it is not readable, which the packing of the library reports. */
function membersOf({ bytes }: Wheel): ReadonlyMap<string, Uint8Array<ArrayBuffer>> {
  try {
    return filesIn(new Uint8Array(bytes), "");
  } catch (error) {
    const isDamaged = error instanceof ZipFormatError || error instanceof RangeError ||
      error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
    if (!isDamaged) throw error;
    return new Map();
  }
}

function modulesOf(wheel: Wheel): readonly (WheelModule & { readonly module: string })[] {
  const name = parseWheelName(wheel.name);
  if (name === undefined || !isNative(name)) return [];
  return [...membersOf(wheel)].flatMap(([member, bytes]) => {
    const place = member.endsWith(ENDING) ? placeOf(member) : undefined;
    if (place === undefined) return [];
    const label = `${wheel.name}: ${member}`;
    const module = moduleNameOf(place, label);
    return [{
      label,
      place,
      module,
      bytes,
      group: wheel.name,
      library: place.slice(place.lastIndexOf("/") + 1),
      entry: `PyInit_${module.slice(module.lastIndexOf(".") + 1)}`,
    }];
  });
}

/**
 * The native modules of wheels, sorted by name. Throws a WheelError if two modules have the same
 * name, or if one is for another interpreter.
 */
export function nativeModules(wheels: readonly Wheel[]): readonly WheelModule[] {
  const found = wheels.flatMap(modulesOf).sort((a, b) => a.module < b.module ? -1 : 1);
  found.forEach(({ module, label }, index) => {
    const before = found[index - 1];
    if (before?.module === module) {
      throw new WheelError(`${label} is the module ${module}, and so is ${before.label}`);
    }
  });
  return found;
}

/** The paths at which Python finds the modules. */
export function pathsOfModules(modules: readonly WheelModule[]): ReadonlyMap<SideModule, string> {
  return new Map(modules.map((module) => [module, `${PYTHON_PATHS.packages}/${module.place}`]));
}
