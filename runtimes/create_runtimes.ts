/**
 * The runtimes of all enabled languages: builds what is missing, then starts each one.
 *
 * @module
 */
import type { Language } from "../client/protocol/types.ts";
import { type BuildOrder, type LanguageRuntime, RuntimesRefused } from "../wire/binding.ts";
import { LANGUAGES } from "../wire/languages.ts";
import { readBuildInputs } from "./build/build_inputs.ts";
import { BuildCache, type BuiltIsolate, PRIVATE_FOLDER } from "./build/cache.ts";
import { startRuntime } from "./runtime.ts";
import type { CreateRuntimes } from "./runtimes_options.ts";

/** The languages this program has an engine for: each has a builder, or this does not compile. */
export const AVAILABLE_LANGUAGES: readonly Language[] = LANGUAGES;

/** Builds in a separate process, with progress on standard error. */
export async function buildEngines(order: BuildOrder): Promise<void> {
  const program = new URL("./build/main.ts", import.meta.url);
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-all", program.href, JSON.stringify(order)],
    cwd: Deno.cwd(),
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).output();
  const refusal = new TextDecoder().decode(stdout).trim();
  if (refusal !== "") throw new RuntimesRefused(refusal);
  if (!success) throw new Error("The engines could not be built; see the lines above");
}

async function loadAll(
  { cacheDir, languages, pythonWheels, pythonPreload, contextLanguages }: BuildOrder,
): Promise<readonly BuiltIsolate[] | undefined> {
  const inputs = await readBuildInputs(pythonWheels, pythonPreload, contextLanguages);
  const cache = await BuildCache.open(cacheDir, inputs, PRIVATE_FOLDER);
  const built = await Promise.all(languages.map((language) => cache.load(language)));
  const there = built.filter((item) => item !== undefined);
  return there.length === languages.length ? there : undefined;
}

/**
 * Builds what is needed and starts the runtimes. When one fails, closes those that have started.
 */
export const createRuntimes: CreateRuntimes = async (options) => {
  const { languages, cacheDir, pythonWheels, pythonPreload, contextLanguages } = options;
  const order = { languages, cacheDir, pythonWheels, pythonPreload, contextLanguages };
  let built = await loadAll(order);
  if (built === undefined) {
    await buildEngines(order);
    built = await loadAll(order);
  }
  if (built === undefined) throw new Error("The built engines cannot be found");
  const starts = await Promise.allSettled(built.map((item) =>
    startRuntime({
      built: item,
      limits: options.limits[item.language],
      admission: options.admission,
      isolates: options.isolates,
      isolatePerTenant: options.isolatePerTenant,
      hasContexts: contextLanguages.includes(item.language),
      store: options.stateless ? undefined : options.store,
      clock: options.clock,
      log: options.log,
      onKill: options.onKill,
    })
  ));
  const runtimes = new Map<Language, LanguageRuntime>();
  for (const start of starts) {
    if (start.status === "fulfilled") runtimes.set(start.value.listing.id, start.value);
  }
  const failed = starts.find((start) => start.status === "rejected");
  if (failed === undefined) return runtimes;
  await Promise.all([...runtimes.values()].map((runtime) => runtime.close()));
  throw failed.reason;
};
