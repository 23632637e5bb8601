/**
 * The program: reads the configuration, starts the service, and stops it on a signal. With the
 * argument `build` it builds what the runtimes need and exits. With `runtime <language>` it serves
 * that language alone, for the gateway of another process.
 *
 * Once the service listens, it writes exactly one line to standard output, which ends with the URL.
 * The log goes to standard error.
 *
 * @module
 */
import type { Language } from "../client/protocol/types.ts";
import { createLog } from "../gateway/log.ts";
import { type RunningServer, StartRefused } from "../gateway/server.ts";
import { type BuildOrder, RuntimesRefused } from "../wire/binding.ts";
import { STOP_GRACE_MS } from "../wire/limits.ts";
import { describeCause, type Log } from "../wire/log.ts";
import { ConfigError, type Environment, readConfig, readSettings } from "./config.ts";
import type { Facts } from "./config_variables.ts";
import { type Service, type ServiceOptions, startRuntimeService, startService } from "./service.ts";

/** The dependencies of the program. */
export interface ProgramParts extends ServiceOptions {
  /** Command-line arguments: none to serve, `build`, or `runtime` and a language. */
  readonly args: readonly string[];
  readonly env: Environment;
  /** The languages that `createRuntimes` can start. */
  readonly available: readonly Language[];
  /** Builds what the runtimes need into a folder, unless it is there already. */
  readonly buildEngines: (order: BuildOrder) => Promise<void>;
}

/** Time to close everything after the grace period, in milliseconds. Hosts allow 5 s in all. */
const CLOSE_MS = 800;

/** Runs the command line, or prints why it cannot, and exits. */
export async function runProgram(parts: ProgramParts): Promise<never> {
  const [command, ...rest] = parts.args;
  try {
    if (command === undefined) {
      return await serve((log) => startService(readConfig(parts.env, factsOf(parts)), parts, log));
    }
    const language = parts.available.find((id) => id === rest[0]);
    if (command === "runtime" && language !== undefined && rest.length === 1) {
      const config = readConfig({ ...parts.env, LANGUAGES: language }, factsOf(parts));
      return await serve((log) => startRuntimeService(config, parts, log));
    }
    if (command === "build" && rest.length === 0) {
      const { cacheDir, languages, pythonWheels, pythonPreload } = readSettings(
        parts.env,
        factsOf(parts),
      );
      await parts.buildEngines({ cacheDir, languages, pythonWheels, pythonPreload });
      Deno.exit(0);
    }
  } catch (thrown) {
    write(Deno.stderr, failureText(thrown));
    Deno.exit(1);
  }
  const languages = parts.available.join(", ");
  write(
    Deno.stderr,
    `Usage: main.ts [build | runtime <language>]\nLanguages: ${languages}\n`,
  );
  Deno.exit(2);
}

/** Serves until a signal arrives. */
async function serve(start: (log: Log) => Promise<Service>): Promise<never> {
  const log = createLog((line) => write(Deno.stderr, line), Date.now);
  const service = await start(log);
  write(Deno.stdout, `${listeningLine(service.server)}\n`);
  log("info", "stopping", { signal: await nextSignal() });
  nextSignal().then(() => Deno.exit(1));
  const deadline = setTimeout(() => Deno.exit(1), STOP_GRACE_MS + CLOSE_MS);
  await service.stop().catch((thrown) => log("error", "stop failed", describeCause(thrown)));
  clearTimeout(deadline);
  Deno.exit(0);
}

function factsOf({ available }: ProgramParts): Facts {
  return { available, cores: navigator.hardwareConcurrency };
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
