/**
 * The runtimes of all enabled languages: builds what is missing, then starts each one.
 *
 * @module
 */
import type { Language } from "../client/protocol/types.ts";
import { type BuildOrder, type LanguageRuntime, RuntimesRefused } from "../shared/binding.ts";
import { LANGUAGES } from "../shared/languages.ts";
import { NO_INPUTS, readBuildInputs } from "./builder/build_inputs.ts";
import { BuildCache, type BuiltIsolate, PRIVATE_FOLDER } from "./builder/cache.ts";
import { hasShellModule } from "./builder/shell_module.ts";
import { LanguageCommands } from "./commands/language_commands.ts";
import { BlankProcess } from "./pool/blank_process.ts";
import { stackNeed } from "./pool/native_stack.ts";
import { StartTurns } from "./pool/start_turns.ts";
import { startRuntime } from "./runtime.ts";
import type { PageFile } from "../shared/page_file.ts";
import type { CreateRuntimes, RuntimesOptions } from "./runtimes_options.ts";

/** The languages this program has an engine for: each has a builder, or this does not compile. */
export const AVAILABLE_LANGUAGES: readonly Language[] = LANGUAGES;

/** Whether the cache folder has the module of a language that no package carries. */
export function hasLanguageModule(language: Language, cacheDir: string): boolean {
  return language === "shell" && hasShellModule(cacheDir);
}

/** Builds in a separate process, with progress on standard error. */
export async function buildEngines(order: BuildOrder): Promise<void> {
  const program = new URL("./builder/main.ts", import.meta.url);
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

/** `onProgram` is called with the path of the isolate program before the engines are read. */
async function loadAll(
  { cacheDir, languages, packages, contextLanguages }: BuildOrder,
  onProgram: (path: string) => void,
): Promise<readonly BuiltIsolate[] | undefined> {
  const inputs = await readBuildInputs({ ...packages, contextLanguages });
  const cache = await BuildCache.openToLoad(cacheDir, inputs);
  const program = await cache.findProgram();
  if (program !== undefined) onProgram(program);
  const built = await Promise.all(languages.map((language) => cache.load(language)));
  const there = built.filter((item) => item !== undefined);
  return there.length === languages.length ? there : undefined;
}

/** The files of the page, which is built if it is missing. */
export async function loadPage(order: BuildOrder): Promise<readonly PageFile[]> {
  const load = async () => {
    const cache = await BuildCache.open(order.cacheDir, NO_INPUTS, PRIVATE_FOLDER);
    return await cache.loadPage();
  };
  const built = await load();
  if (built !== undefined) return built;
  await buildEngines({ ...order, languages: [], page: true });
  const files = await load();
  if (files === undefined) throw new Error("The built page cannot be found");
  return files;
}

/**
 * Builds what is needed and starts the runtimes. When one fails, closes those that have started.
 */
export const createRuntimes: CreateRuntimes = async (options) => {
  const { languages, cacheDir, packages, contextLanguages } = options;
  const order = { languages, cacheDir, packages, contextLanguages, page: options.page ?? false };
  const { background = false } = options;
  let blank: BlankProcess | undefined;
  const onProgram = (program: string) => {
    const [first] = languages;
    if (background && first !== undefined) {
      const memory = languages.map((language) => options.limits[language].memoryBytes);
      blank ??= new BlankProcess(program, Math.max(...memory), stackNeed(first));
    }
  };
  try {
    const built = await loadOrBuild(order, onProgram);
    return await startAll(options, built, blank);
  } catch (thrown) {
    await blank?.close();
    throw thrown;
  }
};

async function loadOrBuild(
  order: BuildOrder,
  onProgram: (path: string) => void,
): Promise<readonly BuiltIsolate[]> {
  const found = await loadAll(order, onProgram);
  if (found !== undefined) return found;
  await buildEngines(order);
  const built = await loadAll(order, onProgram);
  if (built === undefined) throw new Error("The built engines cannot be found");
  return built;
}

async function startAll(
  options: RuntimesOptions,
  built: readonly BuiltIsolate[],
  blank: BlankProcess | undefined,
): Promise<ReadonlyMap<Language, LanguageRuntime>> {
  const turns = new StartTurns();
  const commands = new LanguageCommands();
  const starts = await Promise.allSettled(
    built.map((item) => startRuntime(options, { built: item, turns, blank, commands })),
  );
  const runtimes = new Map<Language, LanguageRuntime>();
  for (const start of starts) {
    if (start.status === "fulfilled") runtimes.set(start.value.listing.id, start.value);
  }
  const failed = starts.find((start) => start.status === "rejected");
  if (failed === undefined) return runtimes;
  await Promise.all([...runtimes.values()].map((runtime) => runtime.close()));
  throw failed.reason;
}
