/**
 * The operator's npm packages as files of the JavaScript guest.
 *
 * @module
 */
import type { OperatorPackages } from "./operator_packages.ts";
import { RuntimesRefused } from "../../shared/binding.ts";
import { readNpmPackages } from "./package_folder.ts";
import { packageOf } from "./package_names.ts";

/** Where programs find packages: the loader looks there last. */
const PLACE = "/node_modules";

/** Reads and checks a folder. Throws a RuntimesRefused. */
export async function readJavaScriptPackages(
  folder: string,
  preload: readonly string[],
): Promise<OperatorPackages> {
  const { lock, files } = await readNpmPackages(folder, "JAVASCRIPT_PACKAGES");
  const installed = lock.packages.map(({ name, version }) => ({ name, version }))
    .sort((a, b) => a.name < b.name ? -1 : 1);
  const absent = preload.find((one) => !installed.some(({ name }) => name === packageOf(one)));
  if (absent !== undefined) {
    throw new RuntimesRefused(
      `JAVASCRIPT_PRELOAD: ${absent} is not in JAVASCRIPT_PACKAGES: deno task packages add ${absent}`,
    );
  }
  return {
    installed,
    files: files.map(({ file, bytes }) => [`${PLACE}/${file}`, bytes]),
    preload,
  };
}
