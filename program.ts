/**
 * The program: reads the configuration, starts the runtimes, listens, and stops on a signal.
 *
 * Standard output gets exactly one line, which ends with the URL, once the service listens.
 * The log goes to standard error.
 *
 * @module
 */
import { type Config, ConfigError, type Environment, readConfig } from "./config.ts";
import { Admission } from "./gateway/admission.ts";
import { createGateway } from "./gateway/app.ts";
import { createAuthenticator } from "./gateway/authentication.ts";
import { createHostCheck } from "./gateway/host_check.ts";
import { KillMeter } from "./gateway/kill_meter.ts";
import { createLog } from "./gateway/log.ts";
import { type RunningServer, StartRefused, startServer } from "./gateway/server.ts";
import type { CreateRuntimes, LanguageRuntime } from "./wire/binding.ts";
import { STOP_GRACE_MS } from "./wire/limits.ts";
import type { Log } from "./wire/log.ts";
import type { Language } from "./wire/types.ts";

/** What a program is made of. */
export interface ProgramParts {
  readonly env: Environment;
  /** The languages that `createRuntimes` can start. */
  readonly available: readonly Language[];
  readonly createRuntimes: CreateRuntimes;
}

/** Time to close everything after the grace, in milliseconds. Hosts give 5 s in all. */
const CLOSE_MS = 800;

/** Runs the service until a signal ends it, or tells why it cannot start, and exits. */
export async function runProgram(parts: ProgramParts): Promise<never> {
  const log = createLog((line) => write(Deno.stderr, line), Date.now);
  const service = await startService(parts, log).catch((thrown: unknown) => {
    write(Deno.stderr, startFailure(thrown));
    Deno.exit(1);
  });
  write(Deno.stdout, `${listeningLine(service.server)}\n`);
  log("info", "stopping", { signal: await nextSignal() });
  nextSignal().then(() => Deno.exit(1));
  const deadline = setTimeout(() => Deno.exit(1), STOP_GRACE_MS + CLOSE_MS);
  await service.stop();
  clearTimeout(deadline);
  Deno.exit(0);
}

interface Service {
  readonly server: RunningServer;
  stop(): Promise<void>;
}

async function startService(parts: ProgramParts, log: Log): Promise<Service> {
  const config = readConfig(parts.env, {
    available: parts.available,
    cores: navigator.hardwareConcurrency,
  });
  const kills = new KillMeter(config.admission.killsPerMinute, Date.now);
  const runtimes = await parts.createRuntimes({
    languages: config.languages,
    limits: config.limits,
    admission: config.admission,
    stateless: config.stateless,
    cacheDir: config.cacheDir,
    isolates: config.isolates,
    isolatePerTenant: config.isolatePerTenant,
    clock: Date.now,
    log,
    onKill: (tenant) => kills.record(tenant),
  });
  const closeRuntimes = async () => {
    await Promise.all([...runtimes.values()].map((runtime) => runtime.close()));
  };
  try {
    const server = await listen(config, runtimes, kills, log);
    return {
      server,
      stop: async () => {
        await server.stop();
        await closeRuntimes();
      },
    };
  } catch (thrown) {
    await closeRuntimes();
    throw thrown;
  }
}

function listen(
  config: Config,
  runtimes: ReadonlyMap<Language, LanguageRuntime>,
  kills: KillMeter,
  log: Log,
): Promise<RunningServer> {
  const stopping = new AbortController();
  const { allowedOrigins, limits, hosted } = config;
  return startServer({
    host: config.host,
    port: config.port,
    loopbackOnly: config.loopbackOnly,
    stopping,
    createHandler: (loopback) =>
      createGateway({
        runtimes,
        limits,
        authenticate: createAuthenticator(config.credentials),
        ...(loopback && !hosted ? { hostCheck: createHostCheck(allowedOrigins) } : {}),
        allowedOrigins,
        admission: new Admission(config.admission),
        kills,
        stopping: stopping.signal,
        clock: Date.now,
        log,
      }),
  });
}

function listeningLine({ address, url }: RunningServer): string {
  const where = url.endsWith(address) ? "" : `${address}, here `;
  return `Belljar listening on ${where}${url}`;
}

/** For whoever started the program: what they can put right, else where it broke. */
function startFailure(thrown: unknown): string {
  const problems = thrown instanceof ConfigError
    ? thrown.problems
    : thrown instanceof StartRefused
    ? [thrown.message]
    : [thrown instanceof Error ? thrown.stack ?? thrown.message : "unknown reason"];
  return `Belljar cannot start:\n${problems.map((problem) => `  ${problem}\n`).join("")}`;
}

/** The platform's way to end a process: SIGINT everywhere, SIGTERM where it exists. */
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

/** Nobody reading our output any more is no reason to fail. */
function write(stream: typeof Deno.stdout, text: string): void {
  try {
    stream.writeSync(new TextEncoder().encode(text));
  } catch (thrown) {
    if (!(thrown instanceof Deno.errors.BrokenPipe)) throw thrown;
  }
}
