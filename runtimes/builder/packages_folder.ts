/**
 * The folder in which Deno keeps packages, which differs from machine to machine. Bundlers write
 * it into the names of modules.
 *
 * @module
 */
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The place of a package's file in Deno's own cache: folder, name, version, file. */
const IN_CACHE = /^(.+)\/acorn\/\d[^/]*\/package\.json$/;

/**
 * The folder of packages as a path from the project's folder. `packageFile`: the place of the file
 * `acorn/package.json`. Undefined where packages are in a `node_modules` folder.
 */
export function packagesFolder(project: URL, packageFile: URL): string | undefined {
  const folder = IN_CACHE.exec(fileURLToPath(packageFile))?.[1];
  return folder === undefined ? undefined : relative(fileURLToPath(project), folder);
}
