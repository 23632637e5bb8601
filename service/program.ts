/**
 * The program: reads the configuration, starts the service, and stops it on a signal. With the
 * argument `build` it builds what the runtimes need and exits. With `runtime <language>` it serves
 * the routes of that runtime alone. With `wheels` it changes or lists the folder of Python packages,
 * with `packages` that of npm packages. With `store` it copies, checks or measures a store. With
 * `tokens` it adds the tenants of a class. With `shell` it compiles or fetches the module of the shell.
 *
 * Once the service listens, it writes exactly one line to standard output, which ends with the URL.
 * The log goes to standard error.
 *
 * @module
 */
import type { Language } from "../client/protocol/types.ts";
import { createLog } from "../gateway/log.ts";
import { type RunningServer, StartRefused } from "../gateway/server.ts";
import { type BuildOrder, RuntimesRefused } from "../shared/binding.ts";
import type { CommandOutput } from "../runtimes/builder/command/command_line.ts";
import type { PackagesOrder } from "../runtimes/builder/packages/command.ts";
import type { ShellOrder } from "../runtimes/builder/shell_command.ts";
import type { WheelsOrder } from "../runtimes/builder/wheels/command.ts";
import { STOP_GRACE_MS } from "../shared/limits.ts";
import { describeCause, type Log } from "../shared/log.ts";
import { StoreRefused } from "../store/copy.ts";
import {
  ConfigError,
  type Environment,
  readConfig,
  readSettings,
  similarVariables,
} from "./config.ts";
import type { Facts } from "./config_variables.ts";
import { environmentSecrets } from "./operator_tools.ts";
import { runStore, STORE_USAGE } from "./store_command.ts";
import { type Service, type ServiceOptions, startRuntimeService, startService } from "./service.ts";
import { runTokens, TOKENS_USAGE } from "./tokens_command.ts";
import { isTelemetryOn } from "../telemetry/meter.ts";

type RunPackages = (order: PackagesOrder, output: CommandOutput) => Promise<number>;
type RunShell = (order: ShellOrder, output: CommandOutput) => Promise<number>;
type RunWheels = (order: WheelsOrder, output: CommandOutput) => Promise<number>;

/** The dependencies of the program. */
export interface ProgramOptions extends ServiceOptions {
  /**
   * Command-line arguments: none to serve, `build`, `runtime` and a language, `store`, `tokens`, `wheels`,
   * `packages` or `shell` and more.
   */
  readonly args: readonly string[];
  readonly env: Environment;
  /** The languages that `createRuntimes` can start. */
  readonly available: readonly Language[];
  /** Whether the cache folder has the module of a language that needs one. */
  readonly hasModule?: NonNullable<Facts["hasModule"]>;
  /** Builds what the runtimes need into a folder, unless it is there already. */
  readonly buildEngines: (order: BuildOrder) => Promise<void>;
  /** Changes or lists the folder of Python packages, and returns an exit code. */
  readonly runWheels?: RunWheels;
  /** Changes or lists the folder of npm packages, and returns an exit code. */
  readonly runPackages?: RunPackages;
  /** Compiles or fetches the module of the shell, and returns an exit code. */
  readonly runShell?: RunShell;
}

/** Time to close everything after the grace period, in milliseconds. Hosts allow 5 s in all. */
const CLOSE_MS = 1_300;
/** Time for the last export of telemetry, in milliseconds. */
const EXPORT_MS = 5_000;

/** Runs the command line, or prints why it cannot, and exits. */
export async function runProgram(options: ProgramOptions): Promise<never> {
  const [command, ...rest] = options.args;
  const similar = similarVariables(options.env, factsOf(options));
  try {
    if (command === undefined) {
      const config = readConfig(options.env, factsOf(options));
      const secrets = environmentSecrets(options.env, factsOf(options));
      return await serve(similar, (log) => startService(config, { ...options, secrets }, log));
    }
    const language = options.available.find((id) => id === rest[0]);
    if (command === "runtime" && language !== undefined && rest.length === 1) {
      const config = readConfig({ ...options.env, LANGUAGES: language }, factsOf(options));
      return await serve(similar, (log) => startRuntimeService(config, options, log));
    }
    if (command === "build" && rest.length === 0) {
      const settings = readSettings(options.env, factsOf(options));
      const { cacheDir, languages, packages, contextLanguages, page } = settings;
      const order = { cacheDir, languages, packages, contextLanguages, page };
      await options.buildEngines(order);
      Deno.exit(0);
    }
    if (command === "store") {
      const { kvPath } = readSettings(options.env, factsOf(options));
      Deno.exit(await runStore({ args: rest, kvPath }, commandOutput().print));
    }
    if (command === "tokens") {
      const { tokensFile, limits } = readSettings(options.env, factsOf(options));
      const tell = (line: string) => write(Deno.stderr, `${line}\n`);
      Deno.exit(await runTokens({ args: rest, tokensFile, limits }, { ...commandOutput(), tell }));
    }
    if (command === "wheels" && options.runWheels !== undefined) {
      Deno.exit(await wheels(options, options.runWheels, rest));
    }
    if (command === "packages" && options.runPackages !== undefined) {
      Deno.exit(await packages(options, options.runPackages, rest));
    }
    if (command === "shell" && options.runShell !== undefined) {
      const { env } = options;
      const { cacheDir, npmRegistry } = readSettings(env, factsOf(options));
      const order = { args: rest, cacheDir, registryUrl: npmRegistry, env };
      Deno.exit(await options.runShell(order, commandOutput()));
    }
  } catch (thrown) {
    if (thrown instanceof StoreRefused) write(Deno.stderr, `${thrown.message}\n`);
    else write(Deno.stderr, failureText(thrown));
    Deno.exit(1);
  }
  const languages = options.available.join(", ");
  write(
    Deno.stderr,
    `Usage: main.ts [build | runtime <language> | ${STORE_USAGE} | ${TOKENS_USAGE} | wheels add|list|remove | packages add|list|remove | shell build|install]\nLanguages: ${languages}\n`,
  );
  Deno.exit(2);
}

async function wheels(
  options: ProgramOptions,
  runWheels: RunWheels,
  args: readonly string[],
): Promise<number> {
  const settings = readSettings(options.env, factsOf(options));
  const order = {
    args,
    folder: settings.packages.pythonWheels,
    indexUrl: settings.packageIndex,
    distributionUrl: settings.wheelsDistribution,
  };
  return await runWheels(order, commandOutput());
}

async function packages(
  options: ProgramOptions,
  runPackages: RunPackages,
  args: readonly string[],
): Promise<number> {
  const { env } = options;
  const settings = readSettings(env, factsOf(options));
  const folder = settings.packages.javascriptPackages;
  const order = { args, folder, registryUrl: settings.npmRegistry, env };
  return await runPackages(order, commandOutput());
}

function commandOutput(): CommandOutput {
  return {
    print: (line) => write(Deno.stdout, `${line}\n`),
    progress: {
      isTerminal: Deno.stderr.isTerminal(),
      write: (text) => write(Deno.stderr, text),
    },
  };
}

/** Serves until a signal arrives. `similar`: names of variables that may be misspelled. */
async function serve(
  similar: readonly string[],
  start: (log: Log) => Promise<Service>,
): Promise<never> {
  const log = createLog((line) => write(Deno.stderr, line), Date.now);
  const warn = () => {
    if (similar.length > 0) log("warn", "config.unknown_variables", { names: similar.join(", ") });
  };
  // the first line says which service this is; a service that does not start has only the warning
  const service = await start(log).finally(warn);
  const stopping = nextSignal(); // whoever reads the next line may send one
  write(Deno.stdout, `${listeningLine(service.server)}\n`);
  log("info", "stopping", { signal: await stopping });
  guardExit(STOP_GRACE_MS + CLOSE_MS + EXPORT_MS);
  nextSignal().then(() => Deno.exit(1));
  const deadline = setTimeout(() => Deno.exit(1), STOP_GRACE_MS + CLOSE_MS);
  await service.stop().catch((thrown) => log("error", "stop failed", describeCause(thrown)));
  clearTimeout(deadline);
  Deno.exit(0);
}

function factsOf({ available, hasModule }: ProgramOptions): Facts {
  const cores = navigator.hardwareConcurrency;
  return { available, cores, ...(hasModule === undefined ? {} : { hasModule }) };
}

function listeningLine({ address, url }: RunningServer): string {
  const where = url.endsWith(address) ? "" : `${address}, here `;
  return `Belljar listening on ${where}${url}`;
}

/**
 * The text for the person who started the program: the problems that they can fix, otherwise the
 * stack.
 */
function failureText(thrown: unknown): string {
  const problems = thrown instanceof ConfigError
    ? thrown.problems
    : thrown instanceof StartRefused || thrown instanceof RuntimesRefused
    ? [thrown.message]
    : [thrown instanceof Error ? thrown.stack ?? thrown.message : "unknown reason"];
  return `Belljar cannot start:\n${problems.map((problem) => `  ${problem}\n`).join("")}`;
}

/** The platform's signals to stop a process: SIGINT everywhere, SIGTERM where it exists. */
function nextSignal(): Promise<Deno.Signal> {
  const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];
  const { promise, resolve } = Promise.withResolvers<Deno.Signal>();
  for (const signal of signals) {
    const listener = () => {
      for (const other of signals) Deno.removeSignalListener(other, listener);
      resolve(signal);
    };
    Deno.addSignalListener(signal, listener);
  }
  return promise;
}

/** A closed standard output is not a reason to fail. */
function write(stream: typeof Deno.stdout, text: string): void {
  try {
    stream.writeSync(new TextEncoder().encode(text));
  } catch (thrown) {
    if (!(thrown instanceof Deno.errors.BrokenPipe)) throw thrown;
  }
}

/** Runs in a worker made from its source text, so it refers to nothing outside its body. */
const GUARD = `
self.onmessage = ({ data }) => setTimeout(() => Deno.kill(Deno.pid, "SIGKILL"), data);
`;

/**
 * Ends the process after so many milliseconds, whatever its main thread does, if telemetry is on. Deno
 * (2.9) then exports the last measurements while it exits, and on a busy machine it may wait for them
 * without end; it does not react to signals then.
 */
function guardExit(ms: number): void {
  if (!isTelemetryOn()) return;
  const url = `data:text/javascript,${encodeURIComponent(GUARD)}`;
  new Worker(url, { type: "module" }).postMessage(ms);
}
