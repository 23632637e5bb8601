/**
 * The build as a program of its own, so that the memory it takes is given back before the
 * service serves: `main.ts <cache directory> <language> ...`. Prints a line for each step.
 *
 * @module
 */
import { isLanguage } from "../../wire/languages.ts";
import { BuildCache } from "./cache.ts";

/** Builds what is missing in a cache directory. */
export async function buildInto(
  cacheDirectory: string,
  languages: readonly string[],
  print: (line: string) => void,
): Promise<void> {
  const cache = await BuildCache.open(cacheDirectory);
  await cache.build(languages.filter(isLanguage), print);
}

if (import.meta.main) {
  const [cacheDirectory, ...languages] = Deno.args;
  if (cacheDirectory === undefined) throw new TypeError("The cache directory is missing");
  await buildInto(cacheDirectory, languages, (line) => {
    Deno.stderr.writeSync(new TextEncoder().encode(`${line}\n`));
  });
}
