/**
 * The runtime of one language: its pool of isolates behind its routes.
 *
 * @module
 */
import type { KvStore } from "../store/kv.ts";
import type { LanguageRuntime, Maintenance } from "../wire/binding.ts";
import type { Clock } from "../wire/clock.ts";
import type { ServiceError } from "../wire/errors.ts";
import type { InterpreterExecuteRpcResult } from "../wire/run_in_context.ts";
import { languageListing } from "../wire/language_listing.ts";
import { LANGUAGES_WITH_CONTEXTS } from "../wire/languages.ts";
import {
  type AdmissionLimits,
  CANCEL_GRACE_MS,
  ISOLATE_IDLE_MS,
  type LanguageLimits,
} from "../wire/limits.ts";
import { describeCause, type Log } from "../wire/log.ts";
import { contextsNotSupported, createRuntimeApp } from "./app.ts";
import type { BuiltIsolate } from "./build/cache.ts";
import { sweepBaselines } from "./contexts/baseline_sweep.ts";
import { Baselines } from "./contexts/baselines.ts";
import { ContextStore } from "./contexts/context_store.ts";
import { ContextHost } from "./contexts/context_host.ts";
import { IsolatePools } from "./contexts/isolate_pools.ts";
import { Residents } from "./contexts/residents.ts";
import { IsolateProcess } from "./pool/isolate_process.ts";
import { IsolatePool } from "./pool/pool.ts";
import { poolTelemetry } from "./pool_telemetry.ts";
import { statelessRuns } from "./stateless_runs.ts";

/** What a runtime needs. */
export interface RuntimeOptions {
  /** The built isolate program and engine. */
  readonly built: BuiltIsolate;
  readonly limits: LanguageLimits;
  readonly admission: AdmissionLimits;
  /** Maximum number of isolates of this language alive at the same time. */
  readonly isolates: number;
  /** Whether to restart an isolate before another tenant uses it. */
  readonly isolatePerTenant: boolean;
  /** Store of contexts; undefined: there are no contexts. */
  readonly store: KvStore | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when a tenant's run cost a process, with the milliseconds that it ran. */
  readonly onKill: (tenant: string, runMs: number) => void;
}

/** A pool of isolates with the current baseline, or with an earlier one. */
function createPool(options: RuntimeOptions, earlier?: Uint8Array<ArrayBuffer>): IsolatePool {
  const { built, limits, admission, log } = options;
  const { language } = built;
  return new IsolatePool({
    start: (signal) =>
      IsolateProcess.start({
        signal,
        program: built.program,
        openEngine: async () =>
          earlier === undefined ? await built.openEngine() : await built.engineWith(earlier),
        memoryBytes: limits.memoryBytes,
        onFault: (fault) => log("error", "isolate.fault", { language, fault }),
      }),
    maxIsolates: earlier === undefined ? options.isolates : 1,
    keptWarm: earlier === undefined ? 1 : 0,
    isolatePerTenant: options.isolatePerTenant,
    idleMs: ISOLATE_IDLE_MS,
    cancelGraceMs: CANCEL_GRACE_MS,
    maxWaiting: admission.waitingPerLanguage,
    maxWaitMs: admission.maxWaitMs,
    monotonic: () => performance.now(),
    onStartFailure: (cause) =>
      log("error", "isolate.start_failed", { language, ...describeCause(cause) }),
    observer: poolTelemetry(language),
  });
}

interface Contexts {
  readonly maintenance: Maintenance;
  readonly contextHost: ContextHost;
  readonly pools: IsolatePools;
  readonly baselines: Baselines;
}

/** The context host, if the language has contexts and there is a store for them. */
function createContexts(
  options: RuntimeOptions,
  parts: {
    readonly present: IsolatePool;
    readonly engineName: string;
    readonly onUnexpected: (thrown: unknown) => void;
  },
): Contexts | undefined {
  const { built, store: kv, clock, limits, onKill } = options;
  const { language } = built;
  if (kv === undefined || !LANGUAGES_WITH_CONTEXTS.includes(language)) return undefined;
  const newId = () => crypto.randomUUID();
  const baselines = new Baselines({ kv, language, clock, present: built, newId });
  const pools = new IsolatePools({
    baseline: built.baseline,
    present: parts.present,
    createEarlier: async (baseline) => {
      const image = await baselines.load(baseline);
      return image === undefined ? undefined : createPool(options, image);
    },
  });
  const contextHost = new ContextHost({
    language,
    engineName: parts.engineName,
    built,
    limits,
    contexts: new ContextStore({ kv, language, clock }),
    baselines,
    pools,
    residents: new Residents(),
    monotonic: () => performance.now(),
    clock,
    newId,
    onKill,
    onUnreadable: (context, reason) =>
      options.log("error", "context.unreadable", { language, context, reason }),
    onUnexpected: parts.onUnexpected,
  });
  const maintenance: Maintenance = {
    name: `baselines of ${language}`,
    run: (signal) => sweepBaselines({ kv, language, baselines, clock }, signal),
  };
  return { contextHost, pools, baselines, maintenance };
}

/** Starts a runtime: resolves once its first isolate is ready, rejects when that fails. */
export async function startRuntime(options: RuntimeOptions): Promise<LanguageRuntime> {
  const { language, build } = options.built;
  const pool = createPool(options);
  const { limits } = options;
  const { engine } = languageListing(language, { enabled: true, contexts: false, limits });
  const onUnexpected = (thrown: unknown) =>
    options.log("error", "runtime.unexpected", { language, ...describeCause(thrown) });
  const contexts = createContexts(options, { present: pool, engineName: engine, onUnexpected });
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
    run: (request, caller) => pool.run(request, caller),
    onKill: options.onKill,
  });
  const app = createRuntimeApp({
    language,
    engine: listing.engine,
    limits: options.limits,
    clock: options.clock,
    contextHost: contexts?.contextHost,
    execute,
    onUnexpected,
  });
  await pool.warm();
  return {
    binding: {
      fetch: async (request) => await app.fetch(request),
      execute,
      executeInContext: async (key, args, getFiles) =>
        contexts === undefined
          ? refusal(contextsNotSupported(language), options.clock)
          : await contexts.contextHost.execute(key, args, getFiles),
      mostRunLimits: limits,
    },
    listing,
    health: () => {
      const { state, isolates } = pool.health();
      return { state, isolates: isolates + (contexts?.pools.earlierIsolates() ?? 0), build };
    },
    ...(contexts === undefined ? {} : { maintenance: [contexts.maintenance] }),
    close: async () => {
      await Promise.all([pool.close(), contexts?.pools.close(), contexts?.baselines.settled()]);
    },
  };
}

function refusal(error: ServiceError, clock: Clock): InterpreterExecuteRpcResult {
  return { ok: false, status: error.status, body: error.toBody(clock) };
}
