/**
 * The packages whose import takes long. Programs that import one begin on the second baseline, in which
 * those of their modules that most programs need are imported already.
 *
 * @module
 */
import type { PackedFile } from "../../../engine/packed_library.ts";
import { PYTHON_PATHS } from "./boot.ts";

/**
 * Modules of the second baseline by the top-level names of their packages. Those without a module are
 * imported as usual, and import much of what is there.
 */
const DATA_MODULES: Readonly<Record<string, readonly string[]>> = {
  numpy: ["numpy"],
  pandas: ["pandas"],
  matplotlib: ["matplotlib.pyplot"],
  PIL: ["PIL.Image"],
  mpl_toolkits: [],
  scipy: [],
  sklearn: [],
  seaborn: [],
  statsmodels: [],
};

/** Contents of the second baseline. */
export interface DataModules {
  /** The packages, by their top-level names. */
  readonly packages: readonly string[];
  readonly modules: readonly string[];
}

/** The packages that are among the files of an image; without a module there is no second baseline. */
export function dataModules(files: readonly PackedFile[]): DataModules {
  const below = `${PYTHON_PATHS.packages}/`;
  const installed = new Set(
    files.flatMap(([path]) =>
      path.startsWith(below) ? [path.slice(below.length).split("/")[0]] : []
    ),
  );
  const packages = Object.keys(DATA_MODULES).filter((name) => installed.has(name));
  return { packages, modules: packages.flatMap((name) => DATA_MODULES[name] ?? []) };
}
