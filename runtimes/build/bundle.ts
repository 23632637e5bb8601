/**
 * Bundling with `deno bundle`: the isolate program for the child process, the guest environment
 * for the JavaScript engine, and the program of the page.
 *
 * @module
 */
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

const PROJECT = new URL("../../", import.meta.url);
/** The folder in which this machine keeps packages, from the project's. */
const PACKAGES = relative(
  fileURLToPath(PROJECT),
  fileURLToPath(new URL("../../", import.meta.resolve("acorn/package.json"))),
);
/** Stands in a bundle for {@link PACKAGES}, so that all machines build the same. */
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

/** Bundles one entry file; returns the text of the bundle, which names no folder of this machine. */
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
    return (await Deno.readTextFile(output)).replaceAll(`${PACKAGES}/`, `${PACKAGES_NAME}/`);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}
