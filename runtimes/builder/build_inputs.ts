/**
 * The operator's inputs to a build, besides the sources.
 *
 * @module
 */
import type { InstalledPackage, Language } from "../../client/protocol/types.ts";
import { type PackageSettings, RuntimesRefused } from "../../shared/binding.ts";
import { LANGUAGE_INFO } from "../../shared/languages.ts";
import type { Wheel } from "../languages/python/build/pack_library.ts";
import type { OperatorPackages } from "./operator_packages.ts";
import { readJavaScriptPackages } from "./javascript_packages.ts";
import { readPerlPackages } from "./perl_packages.ts";
import { readRubyPackages } from "./ruby_packages.ts";
import { lockRefusal, WHEELS_LOCK } from "./wheels_lock.ts";
import { parseWheelName } from "./wheel_name.ts";

/** Bytes that go into engines and therefore into their keys. */
export interface BuildInputs {
  readonly pythonWheels: readonly Wheel[];
  /** Names of modules that are in the image from the start. @default {none} */
  readonly pythonPreload?: readonly string[];
  /** Packages for other languages than Python. @default {none} */
  readonly packages?: { readonly [L in Language]?: OperatorPackages };
  /**
   * Languages that have contexts. An engine that need not have them is built for them, and what the
   * store keeps of their engines is compressed.
   * @default {those that have them in every service, with nothing compressed}
   */
  readonly contextLanguages?: readonly Language[];
}

/** The inputs of a build from the sources alone. */
export const NO_INPUTS: BuildInputs = { pythonWheels: [] };

/** The same inputs without the bytes of wheels and packages, for what only loads a build. */
export function withoutBytes(inputs: BuildInputs): BuildInputs {
  const packages = Object.entries(inputs.packages ?? {})
    .map(([language, own]) => [language, { ...own, files: [] }]);
  return {
    ...inputs,
    pythonWheels: inputs.pythonWheels.map(({ name }) => ({ name, bytes: new Uint8Array() })),
    packages: Object.fromEntries(packages),
  };
}

/** Names in the key of a build; no wheel has them. */
const PRELOAD_INPUT = "PRELOAD";
const CONTEXTS_INPUT = "CONTEXTS";

/** The inputs of one language's engine. */
export function inputsOf(
  language: Language,
  inputs: BuildInputs,
): readonly { readonly name: string; readonly bytes: Uint8Array }[] {
  const { pythonWheels, pythonPreload = [], contextLanguages = [] } = inputs;
  const own = inputs.packages?.[language];
  const isOptional = LANGUAGE_INFO[language].contexts === "optional";
  const hasContexts = isOptional && contextLanguages.includes(language);
  const preload = language === "python" ? pythonPreload : own?.preload ?? [];
  return [
    ...(hasContexts ? [{ name: CONTEXTS_INPUT, bytes: new Uint8Array() }] : []),
    ...(language === "python" ? pythonWheels : []),
    ...(own?.files ?? []).map(([name, bytes]) => ({ name, bytes })),
    ...(preload.length === 0 ? [] : [{
      name: PRELOAD_INPUT,
      bytes: new TextEncoder().encode(preload.join()),
    }]),
  ];
}

/** The packages that one language's engine has by its inputs, in order of name. */
export function packagesOf(
  language: Language,
  { pythonWheels, packages: others }: BuildInputs,
): readonly InstalledPackage[] {
  if (language !== "python") return others?.[language]?.installed ?? [];
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
  { pythonWheels, pythonPreload = [], contextLanguages = [], ...others }:
    & Partial<PackageSettings>
    & Pick<BuildInputs, "contextLanguages">,
): Promise<BuildInputs> {
  const packages = await readPackages(others);
  const named = { pythonPreload, contextLanguages, packages };
  if (pythonWheels === undefined) return { ...NO_INPUTS, ...named };
  try {
    return { pythonWheels: await readWheels(pythonWheels), ...named };
  } catch (cause) {
    const known = [Deno.errors.NotFound, Deno.errors.NotADirectory, Deno.errors.PermissionDenied];
    if (!known.some((type) => cause instanceof type)) throw cause;
    throw new RuntimesRefused("PYTHON_WHEELS must name a folder that exists and can be read");
  }
}

async function readPackages(
  { javascriptPackages, javascriptPreload = [], perlPackages, rubyPackages }: Partial<
    PackageSettings
  >,
): Promise<NonNullable<BuildInputs["packages"]>> {
  if (javascriptPackages === undefined && javascriptPreload.length > 0) {
    throw new RuntimesRefused(
      "JAVASCRIPT_PRELOAD names packages of JAVASCRIPT_PACKAGES, which is not set",
    );
  }
  return {
    ...(javascriptPackages === undefined
      ? {}
      : { javascript: await readJavaScriptPackages(javascriptPackages, javascriptPreload) }),
    ...(perlPackages === undefined ? {} : { perl: await readPerlPackages(perlPackages) }),
    ...(rubyPackages === undefined ? {} : { ruby: await readRubyPackages(rubyPackages) }),
  };
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
