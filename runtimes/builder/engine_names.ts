/**
 * Names of the parts of a built engine, and the versions of a module that decide whether a later
 * service may still run it.
 *
 * Contexts continue on the module that they were created with, which the store keeps
 * (`runtimes/contexts/engine_archive.ts`). The isolate program is always the current one. So a kept
 * module runs only if the current program can drive it, and if its metering is safe.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { ByLanguage } from "../../shared/languages.ts";

/** The versions of a module. */
export interface ModuleVersions {
  /** See {@link ENGINE_ABI}. */
  readonly abi: number;
  /** See {@link METERING_VERSION}. */
  readonly metering: number;
}

/** Requirements for modules of a language under this service. */
export interface RunnableVersions {
  /** The present version: modules of later ones are refused. */
  readonly abi: number;
  readonly lowestAbi: number;
  readonly lowestMetering: number;
}

/**
 * Version of the agreement between the isolate program and a module with its image. Raise that of a
 * language when the program before a change cannot drive what is built after it: a new import, an
 * export that the host must set, another layout, something new between driver and host. A service
 * that goes back to the earlier program then refuses such contexts instead of harming them.
 */
export const ENGINE_ABI: ByLanguage<number> = {
  javascript: 3,
  python: 3,
  perl: 2,
  ruby: 2,
  shell: 1,
};

/**
 * The earliest version that the present isolate program can drive. Raise that of a language to
 * {@link ENGINE_ABI} when the program can no longer drive what was built before:
 *
 * - an import is removed, or means something else;
 * - the layout of the image or of its head has changed, and the program cannot read the former one;
 * - the driver in the image and the host exchange something that one of them does not know;
 * - an instance has another maximum of memory.
 *
 * An addition that earlier modules and drivers do not use is no reason.
 */
export const EARLIEST_ABI: ByLanguage<number> = {
  javascript: 3,
  python: 1,
  perl: 1,
  ruby: 2,
  shell: 1,
};

/**
 * Version of the metering, of all languages. Raise it when the metering of modules changes what a
 * guest can do: work that was free is charged, a check is added, a bound of memory or stack is
 * moved. `tests/wasm/metering/metering_version_test.ts` fails when the metering writes other
 * bytes, and asks for this decision.
 */
export const METERING_VERSION = 3;

/**
 * The lowest version of metering that is safe. Raise it to {@link METERING_VERSION} when the change
 * closes a hole: an endless loop, or work far below its price, that a guest could cause. Contexts
 * on modules of lower versions then answer 409, and their files stay. Work that costs some times
 * too little is no hole, because the wall clock ends it at three times the time of an empty loop.
 */
export const LOWEST_SAFE_METERING = 1;

/** Digits of a name: half of a SHA-256, which is still unique. */
const NAME_DIGITS = 32;
const NAME = new RegExp(`^[0-9a-f]{${NAME_DIGITS}}$`);
/** The metering version of digests that contain none. */
const UNMARKED_METERING = 1;

/** Whether a text has the form of a name. */
export function isName(text: string): boolean {
  return NAME.test(text);
}

/** The name of a baseline. */
export function baselineName(image: Uint8Array): string {
  return nameOf(image);
}

/**
 * The engine digest: it names the metered module together with its versions. So nobody can claim
 * other versions for a module.
 */
export function engineDigest(module: Uint8Array, { abi, metering }: ModuleVersions): string {
  return nameOf(module, metering === UNMARKED_METERING ? `${abi}` : `${abi}.${metering}`);
}

function nameOf(...parts: readonly (Uint8Array | string)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex").slice(0, NAME_DIGITS);
}
