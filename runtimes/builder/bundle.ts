/**
 * Bundling with `deno bundle`: the isolate program for the child process, the guest environment
 * for the JavaScript engine, and the program of the page.
 *
 * @module
 */
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The place of a package's file in Deno's own cache: folder, name, version, file. */
const IN_CACHE = /^(.+)\/acorn\/\d[^/]*\/package\.json$/;

/**
 * The folder in which Deno keeps packages, as a path from the project's folder. It differs from machine to
 * machine, and bundlers write it into the names of modules. `packageFile`: the place of the file
 * `acorn/package.json`. Undefined where packages are in a `node_modules` folder.
 */
export function packagesFolder(project: URL, packageFile: URL): string | undefined {
  const folder = IN_CACHE.exec(fileURLToPath(packageFile))?.[1];
  return folder === undefined ? undefined : relative(fileURLToPath(project), folder);
}

const PROJECT = new URL("../../", import.meta.url);
const PACKAGES = packagesFolder(PROJECT, new URL(import.meta.resolve("acorn/package.json")));
/** Stands in a bundle for {@link PACKAGES}, so that the folder of a machine does not change it. */
const PACKAGES_NAME = "npm";

/** The platform of a bundle. */
export type BundlePlatform = "deno" | "browser";

/** A bundle could not be built. The message contains the bundler's output. */
class BundleError extends Error {
  override name = "BundleError";
}

/** How a bundle is written. */
interface BundleStyle {
  /** Short names and no blanks. @default {false} */
  readonly minify?: boolean;
}

/** Bundles one entry file; returns the text of the bundle, without the folder of packages. */
export async function bundle(
  entry: URL,
  platform: BundlePlatform,
  { minify = false }: BundleStyle = {},
): Promise<string> {
  const directory = await Deno.makeTempDir({ prefix: "belljar-bundle-" });
  const output = `${directory}/bundle.js`;
  try {
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "bundle",
        "--quiet",
        ...(minify ? ["--minify"] : []),
        "--platform",
        platform,
        "--output",
        output,
        entry.href,
      ],
      cwd: PROJECT,
      env: { NO_COLOR: "1" },
      stdout: "null",
      stderr: "piped",
    }).output();
    if (!success) throw new BundleError(new TextDecoder().decode(stderr));
    const text = await Deno.readTextFile(output);
    return PACKAGES === undefined ? text : text.replaceAll(`${PACKAGES}/`, `${PACKAGES_NAME}/`);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}
