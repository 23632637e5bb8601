/**
 * Bundling with `deno bundle`: the isolate program for the child process, the guest environment
 * for the interpreter.
 *
 * @module
 */

/** Where a bundle is to run. */
export type BundlePlatform = "deno" | "browser";

/** A bundle could not be made; the message holds what the bundler said. */
class BundleError extends Error {
  override name = "BundleError";
}

/** Bundles one entry file; gives the bundle's text. */
export async function bundle(entry: URL, platform: BundlePlatform): Promise<string> {
  const directory = await Deno.makeTempDir({ prefix: "belljar-bundle-" });
  const output = `${directory}/bundle.js`;
  try {
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["bundle", "--quiet", "--platform", platform, "--output", output, entry.href],
      cwd: new URL("../../", import.meta.url),
      env: { NO_COLOR: "1" },
      stdout: "null",
      stderr: "piped",
    }).output();
    if (!success) throw new BundleError(new TextDecoder().decode(stderr));
    return await Deno.readTextFile(output);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}
