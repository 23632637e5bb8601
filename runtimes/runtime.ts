/**
 * One language, running: its pool of isolates behind its routes.
 *
 * @module
 */
import type { LanguageRuntime } from "../wire/binding.ts";
import type { Clock } from "../wire/clock.ts";
import { languageListing } from "../wire/languages.ts";
import type { AdmissionLimits, LanguageLimits } from "../wire/limits.ts";
import { describeCause, type Log } from "../wire/log.ts";
import { createRuntimeApp } from "./app.ts";
import type { BuiltIsolate } from "./build/cache.ts";
import { IsolatePool } from "./pool/pool.ts";
import { IsolateProcess } from "./pool/isolate_process.ts";

/** What a runtime is made of. */
export interface RuntimeOptions {
  /** The isolate program and the language's engine, built. */
  readonly built: BuiltIsolate;
  readonly limits: LanguageLimits;
  readonly admission: AdmissionLimits;
  /** Isolates of this language alive at the same time. */
  readonly isolates: number;
  /** Start an isolate afresh before another tenant uses it. */
  readonly isolatePerTenant: boolean;
  readonly clock: Clock;
  readonly log: Log;
  /** Told when a tenant's run had to be killed. */
  readonly onKill: (tenant: string) => void;
}

/** An isolate idle for so long is given back. */
const IDLE_MS = 60_000;
/** Time a run has to end by itself when its caller has gone (decisions, State of a context). */
const CANCEL_GRACE_MS = 250;

function createPool(options: RuntimeOptions): IsolatePool {
  const { built, limits, admission, log } = options;
  const { language } = built;
  return new IsolatePool({
    start: () =>
      IsolateProcess.start({
        program: built.program,
        openEngine: () => built.openEngine(),
        memoryBytes: limits.memoryBytes,
        onFault: (fault) => log("error", "isolate.fault", { language, fault }),
      }),
    maxIsolates: options.isolates,
    isolatePerTenant: options.isolatePerTenant,
    idleMs: IDLE_MS,
    cancelGraceMs: CANCEL_GRACE_MS,
    maxWaiting: admission.waitingPerLanguage,
    maxWaitMs: admission.maxWaitMs,
    monotonic: () => performance.now(),
    onStartFailure: (cause) =>
      log("error", "isolate.start_failed", { language, ...describeCause(cause) }),
  });
}

/** Starts a language: resolves once its first isolate is ready, rejects when that fails. */
export async function startRuntime(options: RuntimeOptions): Promise<LanguageRuntime> {
  const { language, build } = options.built;
  const pool = createPool(options);
  const listing = languageListing(language, {
    enabled: true,
    contexts: false,
    limits: options.limits,
  });
  const app = createRuntimeApp({
    language,
    engine: listing.engine,
    limits: options.limits,
    clock: options.clock,
    run: (request, caller) => pool.run(request, caller),
    onKill: options.onKill,
    onUnexpected: (thrown) =>
      options.log("error", "runtime.unexpected", {
        language,
        ...describeCause(thrown),
      }),
  });
  await pool.warm();
  return {
    binding: { fetch: async (request) => await app.fetch(request) },
    listing,
    health: () => ({ ...pool.health(), build }),
    close: () => pool.close(),
  };
}
