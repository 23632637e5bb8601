/**
 * File names of wheels (PEP 427), and whether their tags (PEP 425) fit the Python engine.
 *
 * @module
 */
import { PYODIDE_PACKAGE } from "../languages/python/host/cpython_abi.ts";

/** The lock file of the engine's package. It describes the engine and the packages built for it. */
export const ENGINE_LOCK = "pyodide-lock.json";

/** The engine, as far as the tags of wheels must fit it. */
export interface EngineTags {
  /** Version of CPython, such as `3.14.2`. */
  readonly python: string;
  /** Platform tag (PEP 783), such as `pyemscripten_2026_0_wasm32`. */
  readonly platform: string;
}

/** The parts of a wheel's file name. */
export interface WheelName {
  readonly file: string;
  /** Normalised (PEP 503): lower case, words joined by `-`. */
  readonly name: string;
  /** As written in the file name, with `-` of a local version written as `_`. */
  readonly version: string;
  /** The build tag, such as `1`; empty when there is none. */
  readonly build: string;
  /** The compressed tag set as written, such as `py2.py3-none-any`. */
  readonly tags: string;
}

/** Longest file name of common file systems, in bytes. */
const NAME_BYTES = 255;
/** Most tags that one compressed set may stand for. */
const MAX_TAGS = 256;
const PARTS =
  /^([A-Za-z0-9](?:[A-Za-z0-9._]*[A-Za-z0-9])?)-([A-Za-z0-9][A-Za-z0-9._+!]*)(?:-(\d[A-Za-z0-9._]*))?-([A-Za-z0-9_.]+-[A-Za-z0-9_.]+-[A-Za-z0-9_.]+)\.whl$/;

/** The normalised name of a package (PEP 503). */
export function normalName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, "-");
}

/** The parts of a wheel's file name; undefined for another name. A wheel's name never holds a path. */
export function parseWheelName(file: string): WheelName | undefined {
  if (file.length > NAME_BYTES) return undefined;
  const [, name, version, build = "", tags] = PARTS.exec(file) ?? [];
  if (name === undefined || version === undefined || tags === undefined) return undefined;
  return { file, name: normalName(name), version, build, tags: tags.toLowerCase() };
}

/** The version and platform of the installed engine. */
export async function engineTags(): Promise<EngineTags> {
  const text = await Deno.readTextFile(
    new URL(import.meta.resolve(`${PYODIDE_PACKAGE}/${ENGINE_LOCK}`)),
  );
  return engineTagsOf(JSON.parse(text));
}

/** The version and platform that an engine's lock file names. */
export function engineTagsOf(
  { info }: {
    readonly info: {
      readonly python: string;
      readonly abi_version: string;
      readonly arch: string;
    };
  },
): EngineTags {
  return { python: info.python, platform: `pyemscripten_${info.abi_version}_${info.arch}` };
}

/**
 * All tags that fit, best first, in pip's order: wheels for this version, for its stable ABI or that of
 * an earlier version, then pure wheels.
 */
function fittingTags({ python, platform }: EngineTags): readonly string[] {
  const [major = 0, minor = 0] = python.split(".").map(Number);
  const earlier = Array.from({ length: minor }, (_, index) => minor - 1 - index);
  const own = `cp${major}${minor}`;
  const generic = [`py${major}${minor}`, `py${major}`, ...earlier.map((it) => `py${major}${it}`)];
  return [
    `${own}-${own}-${platform}`,
    `${own}-abi3-${platform}`,
    `${own}-none-${platform}`,
    // The stable ABI began with 3.2.
    ...earlier.filter((it) => it >= 2).map((it) => `cp${major}${it}-abi3-${platform}`),
    ...generic.map((tag) => `${tag}-none-${platform}`),
    `${own}-none-any`,
    ...generic.map((tag) => `${tag}-none-any`),
  ];
}

/** The tags that a compressed set stands for; empty when there are too many. */
function expandTags(tags: string): readonly string[] {
  const [pythons = [], abis = [], platforms = []] = tags.split("-").map((part) => part.split("."));
  if (pythons.length * abis.length * platforms.length > MAX_TAGS) return [];
  return pythons.flatMap((python) =>
    abis.flatMap((abi) => platforms.map((platform) => `${python}-${abi}-${platform}`))
  );
}

/** The rank of a wheel, 0 is best; undefined when it does not fit. */
export function fitRank({ tags }: WheelName, engine: EngineTags): number | undefined {
  const fitting = fittingTags(engine);
  const ranks = expandTags(tags).map((tag) => fitting.indexOf(tag)).filter((rank) => rank !== -1);
  return ranks.length === 0 ? undefined : Math.min(...ranks);
}

/** Whether a wheel is for one platform only, as wheels with native code are. */
export function isNative({ tags }: WheelName): boolean {
  return !tags.endsWith("-none-any");
}

/** The tags that fit, for messages. */
export function fittingWords({ python, platform }: EngineTags): string {
  const [major, minor] = python.split(".");
  const own = `cp${major}${minor}`;
  return `py${major}-none-any, ${own}-${own}-${platform} or ` +
    `cp${major}N-abi3-${platform} with N up to ${minor}`;
}

/** Why a file is not a wheel for the engine: one line that begins with its name. Undefined if it is one. */
export function wheelRefusal(file: string, engine: EngineTags): string | undefined {
  const wheel = parseWheelName(file);
  if (wheel === undefined) {
    return `${file} is not named like a wheel: NAME-VERSION-PYTHON-ABI-PLATFORM.whl`;
  }
  if (fitRank(wheel, engine) !== undefined) return undefined;
  return `${file} is for ${wheel.tags}; this engine takes ${fittingWords(engine)}`;
}
