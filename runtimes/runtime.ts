/**
 * The runtime of one language: its pool of isolates behind its routes.
 *
 * @module
 */
import type { LanguageRuntime, Maintenance, RuntimeContexts } from "../shared/binding.ts";
import type { Clock } from "../shared/clock.ts";
import type { ServiceError } from "../shared/errors.ts";
import type { InterpreterExecuteRpcResult } from "../shared/run_in_context.ts";
import { languageListing } from "../shared/language_listing.ts";
import {
  CANCEL_GRACE_MS,
  EARLIER_ISOLATES,
  ISOLATE_AHEAD_MS,
  ISOLATE_IDLE_MS,
  ISOLATE_LAST_IDLE_MS,
  type LanguageLimits,
} from "../shared/limits.ts";
import { describeCause } from "../shared/log.ts";
import { contextsNotSupported, createRuntimeApp, type RuntimeAppOptions } from "./app.ts";
import type { BuiltIsolate } from "./builder/cache.ts";
import { ContextStore } from "./contexts/context_store.ts";
import { ContextHost } from "./contexts/context_host.ts";
import { IsolatePools, Residents } from "./contexts/isolate_pools.ts";
import { EngineArchive } from "./contexts/engine_archive.ts";
import { baselineChoice } from "./imported_packages.ts";
import { sweepParts } from "./contexts/part_archive.ts";
import type { BlankProcess } from "./pool/blank_process.ts";
import { IsolateProcess, type IsolateProcessOptions } from "./pool/isolate_process.ts";
import { stackNeed } from "./pool/native_stack.ts";
import { isProgramPath, type LanguageCommands } from "./commands/language_commands.ts";
import { IsolatePool } from "./pool/pool.ts";
import type { PoolOptions } from "./pool/pool_options.ts";
import type { StartTurns } from "./pool/start_turns.ts";
import { poolTelemetry } from "./pool/telemetry.ts";
import type { RuntimesOptions } from "./runtimes_options.ts";
import { statelessRuns } from "./stateless_runs.ts";

/** The parts of one runtime of a process. */
export interface RuntimeParts {
  /** The built isolate program and engine. */
  readonly built: BuiltIsolate;
  /** The turns of the starts of all languages. */
  readonly turns?: StartTurns;
  /** The languages that programs of the shell can start. */
  readonly commands?: LanguageCommands;
  /** A process for the first isolate that starts. */
  readonly blank?: BlankProcess | undefined;
}

/** A runtime, with the options and the limits of its language. */
interface RuntimeOptions extends Omit<RuntimesOptions, "limits">, RuntimeParts {
  readonly limits: LanguageLimits;
  /** Whether the language has contexts in this service, where there is a store for them. */
  readonly hasContexts: boolean;
}

type EngineOpening = Pick<IsolateProcessOptions, "openEngine" | "signal">;

/** Starts a process with an engine. */
function startProcess(options: RuntimeOptions, opening: EngineOpening) {
  const { built, limits, log, blank, warmPreloads } = options;
  const { program, language } = built;
  const stack = stackNeed(language);
  const { memoryBytes, fileBytes, workspaceBytes } = limits;
  return IsolateProcess.start({
    ...opening,
    program,
    child: blank?.stack === stack ? blank.take() : undefined,
    limits: { memoryBytes, fileBytes, workspaceBytes, warmPreloads },
    stack,
    onFault: (fault) => log("error", "isolate.fault", { language, fault }),
  });
}

function logStartFailure({ built: { language }, log }: RuntimeOptions) {
  return (cause: unknown) =>
    log("error", "isolate.start_failed", { language, ...describeCause(cause) });
}

/** A pool of isolates. */
function createPool(
  options: RuntimeOptions,
  differing: Pick<PoolOptions, "start" | "turns" | "maxIsolates" | "warmIsolates" | "isSpare">,
): IsolatePool {
  const { admission, commands, built: { language }, limits: { workspaceBytes } } = options;
  const starts = language === "shell" && commands !== undefined
    ? { commands: { run: commands.run, isPath: isProgramPath, workspaceBytes } }
    : {};
  return new IsolatePool({
    ...differing,
    ...starts,
    isolatePerTenant: options.isolatePerTenant,
    idleMs: ISOLATE_IDLE_MS,
    lastIdleMs: ISOLATE_LAST_IDLE_MS,
    cancelGraceMs: CANCEL_GRACE_MS,
    maxWaiting: admission.waitingPerLanguage,
    maxWaitMs: admission.maxWaitMs,
    monotonic: () => performance.now(),
    onStartFailure: logStartFailure(options),
    observer: poolTelemetry(options.built.language),
  });
}

interface Contexts {
  readonly stored: RuntimeContexts;
  readonly maintenance: readonly Maintenance[];
  readonly contextHost: ContextHost;
  readonly pools: IsolatePools;
  readonly engines: EngineArchive;
}

/** The context host, if the language has contexts and there is a store for them. */
function createContexts(
  options: RuntimeOptions,
  parts: {
    readonly current: IsolatePool;
    readonly engineName: string;
    readonly onUnexpected: (thrown: unknown) => void;
  },
): Contexts | undefined {
  const { built, store: kv, clock, limits, onKill } = options;
  const { language } = built;
  if (options.stateless || !options.hasContexts) return undefined;
  const newId = () => crypto.randomUUID();
  const engines = new EngineArchive({
    kv,
    clock,
    newId,
    built,
    engineName: parts.engineName,
    onRefused: (engine) => options.log("error", "module.refused", { language, engine }),
  });
  const pools = new IsolatePools({
    current: parts.current,
    engines,
    createEarlier: (start, isSpare) =>
      createPool(options, { start, isSpare, maxIsolates: EARLIER_ISOLATES, warmIsolates: 0 }),
    startProcess: (engine, signal) =>
      startProcess(options, { openEngine: () => Promise.resolve(engine), signal }),
    onStartFailure: logStartFailure(options),
    monotonic: () => performance.now(),
  });
  const contexts = new ContextStore({ kv, language, clock });
  const contextHost = new ContextHost({
    language,
    built,
    limits,
    contexts,
    engines,
    pools,
    preloaded: baselineChoice(built.preloads),
    residents: new Residents(),
    monotonic: () => performance.now(),
    clock,
    newId,
    onKill,
    onUnreadable: (context, reason) =>
      options.log("error", "context.unreadable", { language, context, reason }),
    onUnexpected: parts.onUnexpected,
  });
  const sweeps = [engines.baselines, engines.modules].map((archive): Maintenance => ({
    name: `${archive.part}s of ${language}`,
    run: (signal) => sweepParts({ kv, archive, clock }, signal),
  }));
  const maintenance: readonly Maintenance[] = [
    { name: `shared snapshots of ${language}`, run: (signal) => contexts.sweepShared(signal) },
    ...sweeps,
  ];
  return { stored: contexts, contextHost, pools, engines, maintenance };
}

/**
 * Starts a runtime. Unless that happens in the background, resolves once its first isolate is ready
 * and rejects when that fails.
 */
export async function startRuntime(
  service: RuntimesOptions,
  parts: RuntimeParts,
): Promise<LanguageRuntime> {
  const { language, build, preloadProblem } = parts.built;
  const options: RuntimeOptions = {
    ...service,
    ...parts,
    limits: service.limits[language],
    hasContexts: service.contextLanguages.includes(language),
  };
  if (preloadProblem !== undefined) {
    const consequence = "programs that import packages for data work begin without them";
    options.log("warn", "python.one_baseline", { problem: preloadProblem, consequence });
  }
  const openEngine = () => options.built.openEngine();
  const pool = createPool(options, {
    start: (signal) => startProcess(options, { openEngine, signal }),
    turns: options.turns,
    maxIsolates: options.isolates,
    warmIsolates: 1,
  });
  const { limits } = options;
  if (language !== "shell") {
    options.commands?.add(language, {
      pool,
      limits,
      preloaded: baselineChoice(options.built.preloads),
    });
  }
  const { engine } = languageListing(language, { enabled: true, contexts: false, limits });
  const onUnexpected = (thrown: unknown) =>
    options.log("error", "runtime.unexpected", { language, ...describeCause(thrown) });
  const contexts = createContexts(options, { current: pool, engineName: engine, onUnexpected });
  const listing = languageListing(language, {
    enabled: true,
    contexts: contexts !== undefined,
    limits: options.limits,
    packages: options.built.packages ?? [],
  });
  const execute = statelessRuns({
    language,
    engine: listing.engine,
    limits,
    preloaded: baselineChoice(options.built.preloads),
    run: (request, caller) => pool.run(request, caller),
    onKill: options.onKill,
  });
  // a service calls the other methods; only a runtime that is served alone has routes
  let app: ReturnType<typeof createRuntimeApp> | undefined;
  const routes: RuntimeAppOptions = {
    language,
    engine: listing.engine,
    limits: options.limits,
    clock: options.clock,
    contextHost: contexts?.contextHost,
    hasContexts: options.hasContexts,
    execute,
    onUnexpected,
  };
  if (options.background === true) pool.startAhead(ISOLATE_AHEAD_MS);
  else await pool.warm();
  return {
    binding: {
      fetch: async (request) => await (app ??= createRuntimeApp(routes)).fetch(request),
      execute,
      executeInContext: async (key, args, getFiles) =>
        contexts === undefined
          ? refusal(contextsNotSupported(options.hasContexts ? undefined : language), options.clock)
          : await contexts.contextHost.run(key, args, getFiles),
      language,
      engine: listing.engine,
      contexts: contexts?.stored,
      mostRunLimits: limits,
    },
    listing,
    health: () => {
      const { state, isolates } = pool.health();
      return { state, isolates: isolates + (contexts?.pools.earlierIsolates() ?? 0), build };
    },
    ...(contexts === undefined ? {} : {
      maintenance: contexts.maintenance,
      runsEngine: (digest: string) => contexts.engines.canRun(digest),
    }),
    close: async () => {
      await Promise.all([
        pool.close(),
        contexts?.pools.close(),
        contexts?.engines.settled(),
        options.blank?.close(),
      ]);
    },
  };
}

function refusal(error: ServiceError, clock: Clock): InterpreterExecuteRpcResult {
  return { ok: false, status: error.status, body: error.toBody(clock) };
}
