/**
 * Every limit of the service that a caller or an operator can meet, in one place. What only shapes
 * the work of one module, such as the size of a cache, is there; fuel and memory of a language are
 * in its row of `languages.ts`.
 *
 * Sizes are bytes of UTF-8, times are milliseconds, fuel is the unit of the metered engines.
 * "Fixed" marks numbers of the contract (docs/contract.md#limits): configuration may lower them,
 * never raise them. It may set all others up to their ceiling.
 *
 * @module
 */
import { type ByLanguage, byLanguage, LANGUAGE_INFO } from "./languages.ts";
import type { PublishedLimits } from "../client/protocol/types.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

/** Limits of one language: the published ones, and those that only shape an answer. */
export interface LanguageLimits extends PublishedLimits {
  /** Length of a guest's stack trace; a longer one is cut in the middle. */
  readonly tracebackBytes: number;
}

/** Limits of every language. */
export type LimitsByLanguage = ByLanguage<LanguageLimits>;

/** Limits that are the same in all languages. */
export interface SharedLimits {
  /** Length of a program. Fixed. */
  readonly codeBytes: number;
  /** Length of the body of a run. Fixed. */
  readonly requestBytes: number;
  /** Output of a run, both streams together. */
  readonly outputBytes: number;
  /** Lines of output of a run, both streams together. */
  readonly outputLines: number;
  /** Length of the value of a run, as text or JSON. */
  readonly resultBytes: number;
  /** Length of a stack trace. */
  readonly tracebackBytes: number;
  /** Most real time of a run, virtual sleeps included. */
  readonly wallMs: number;
}

/** The defaults of the limits that all languages share. */
export const SHARED_LIMITS: SharedLimits = {
  codeBytes: 64 * KIB,
  requestBytes: 96 * KIB,
  outputBytes: 1 * MIB,
  outputLines: 10_000,
  resultBytes: 256 * KIB,
  tracebackBytes: 64 * KIB,
  wallMs: 30_000,
};

/** How far configuration may go. The contract's own numbers are their own ceiling. */
export const SHARED_CEILINGS: SharedLimits = {
  codeBytes: SHARED_LIMITS.codeBytes,
  requestBytes: SHARED_LIMITS.requestBytes,
  outputBytes: 8 * MIB,
  outputLines: 1_000_000,
  resultBytes: 8 * MIB,
  tracebackBytes: 1 * MIB,
  wallMs: 300_000,
};

/** Linear memory of an instance in bytes, by language. */
export const MEMORY_BYTES: ByLanguage<number> = byLanguage((language) =>
  LANGUAGE_INFO[language].memoryBytes
);

/** All that is stored of a context's memory, compressed, in bytes. See docs/contract.md#limits. */
export const SNAPSHOT_BYTES: number = 32 * MIB;

/** Files below `/workspace`. The total is fixed (docs/contract.md#files). */
export const WORKSPACE_LIMITS = {
  /** Bytes of one file. */
  fileBytes: 4 * MIB,
  /** Bytes of all files. */
  totalBytes: 16 * MIB,
  /** Files and directories. */
  entries: 4096,
  /** Bytes of UTF-8 of an absolute path. */
  pathBytes: 1024,
  /** Bytes of UTF-8 of one name. */
  nameBytes: 255,
} as const;

/** Most fuel of a run by default, by language. */
export const FUEL: ByLanguage<number> = byLanguage((language) => LANGUAGE_INFO[language].fuel);

/** Fuel is counted in 64 bits, and published as a JSON number that must stay exact. */
export const FUEL_CEILING: number = Number.MAX_SAFE_INTEGER;

/** The limits of all languages from shared ones and a fuel budget for each. */
export function limitsByLanguage(
  shared: SharedLimits = SHARED_LIMITS,
  fuel: ByLanguage<number> = FUEL,
): LimitsByLanguage {
  return byLanguage((language) => ({
    ...shared,
    fuel: fuel[language],
    memoryBytes: MEMORY_BYTES[language],
  }));
}

/** How many runs are let in. */
export interface AdmissionLimits {
  /** Runs of one tenant going at the same time. */
  readonly runsPerTenant: number;
  /** Runs of one tenant waiting; one more is answered 429. */
  readonly waitingPerTenant: number;
  /** Runs waiting for an isolate of one language; one more is answered 503. */
  readonly waitingPerLanguage: number;
  /** Calls of one tenant that run no code, going at the same time. */
  readonly callsPerTenant: number;
  /** Calls of one tenant that run no code, waiting; one more is answered 429. */
  readonly waitingCallsPerTenant: number;
  /** Longest wait of a run or a call, in milliseconds; then 503. */
  readonly maxWaitMs: number;
  /** Kills of isolates that one tenant's runs may cause in a minute; more are answered 429. */
  readonly killsPerMinute: number;
  /** Seconds for which killed runs of one tenant may have gone on in a minute; more are answered 429. */
  readonly killedSecondsPerMinute: number;
}

/** The defaults of admission. */
export const ADMISSION_LIMITS: AdmissionLimits = {
  runsPerTenant: 16,
  waitingPerTenant: 256,
  waitingPerLanguage: 256,
  callsPerTenant: 8,
  waitingCallsPerTenant: 4_096,
  maxWaitMs: 60_000,
  killsPerMinute: 30,
  killedSecondsPerMinute: 60,
};

/** How far configuration of admission may go. */
export const ADMISSION_CEILINGS: AdmissionLimits = {
  runsPerTenant: 10_000,
  waitingPerTenant: 100_000,
  waitingPerLanguage: 100_000,
  callsPerTenant: 10_000,
  waitingCallsPerTenant: 100_000,
  maxWaitMs: 600_000,
  killsPerMinute: 100_000,
  killedSecondsPerMinute: 1_000_000,
};

/** How many bytes of requests, and of answers that are not read, are held at one time. */
export interface BodyBudgetLimits {
  /** Of requests of all tenants together; more are answered 503. */
  readonly bodyBytes: number;
  /** Of requests and answers of one tenant; more are answered 429. */
  readonly bodyBytesPerTenant: number;
}

/** A tenant's share holds all runs that it may have going and waiting, each as long as it may be. */
export const BODY_BUDGET: BodyBudgetLimits = {
  bodyBytes: 64 * MIB,
  bodyBytesPerTenant: 32 * MIB,
};

/** Time for the whole body of a request to arrive, in milliseconds. */
export const BODY_DEADLINE_MS = 10_000;

/** Time a stopping service leaves to the requests in flight, in milliseconds. Hosts give 5 s. */
export const STOP_GRACE_MS = 4_000;

/** Longest pause of a caller who reads a large answer, in milliseconds. */
export const READER_PAUSE_MS = 30_000;

/**
 * What a caller has to read of a large answer on average, in bytes a second, once the first
 * {@link READER_PAUSE_MS} are over.
 */
export const READER_BYTES_PER_SECOND: number = 32 * KIB;

/** For how long a kill counts against its tenant, in milliseconds. */
export const KILL_WINDOW_MS = 60_000;

/** Most isolates of one language that configuration may ask for. */
export const ISOLATES_CEILING = 256;

/** Images of earlier versions that contexts of one language can stand on at the same time. */
export const EARLIER_IMAGES = 4;

/**
 * For how long a tenant that used a language counts as active, in milliseconds: no other tenant
 * has the language's last isolate meanwhile.
 */
export const TENANT_ACTIVE_MS = 60_000;

/** Time for an isolate to load its engine, in milliseconds: well below the longest wait. */
export const ISOLATE_START_MS = 15_000;

/** An isolate idle for so many milliseconds is given back. */
export const ISOLATE_IDLE_MS = 60_000;

/** Time a run has to end by itself when its caller has gone (docs/contract.md#state-of-a-context). */
export const CANCEL_GRACE_MS = 250;

/** Time for a call to a runtime that runs no code, in milliseconds. */
export const BINDING_CALL_MS = 10_000;

/** Bytes of a message of `executeInContext`, and of its answer. Fixed. */
export const RPC_MESSAGE_BYTES: number = 32 * MIB;

/** How long a run of a remote runtime waits for files (docs/contract.md#remote-runtimes). */
export const TICKET_MS = 5_000;

/** For how long a process that says nothing more keeps the turn of a context. */
export const LEASE_MS = 10_000;

/**
 * Time for the store to answer a read and a write, in milliseconds, where callers wait long enough;
 * then it counts as gone.
 */
export const STORE_READ_MS = 5_000;
/** See {@link STORE_READ_MS}. What a run left is written within what is left of its wait, or this. */
export const STORE_WRITE_MS = 10_000;

/** What the store is given even where a caller has waited as long as anybody may. */
export const STORE_LEAST_MS = 1_000;

/** How large a workspace may grow. */
export type WorkspaceLimits = { readonly [K in keyof typeof WORKSPACE_LIMITS]: number };

/** Limits of one sandbox that its own routes keep. */
export interface SandboxLimits {
  /** Contexts, across all bindings. Fixed. */
  readonly contexts: number;
  /** One env layer: bytes of UTF-8 of its names and values. */
  readonly envLayerBytes: number;
  /** Body of `POST /files`. */
  readonly fileRequestBytes: number;
  /** Its files. */
  readonly workspace: WorkspaceLimits;
}

/** The limits of every sandbox. They cannot be configured. */
export const SANDBOX_LIMITS: SandboxLimits = {
  contexts: 8,
  envLayerBytes: 32 * KIB,
  fileRequestBytes: 6 * MIB,
  workspace: WORKSPACE_LIMITS,
};

/** What sandboxes of one tenant may come to. */
export interface SandboxQuotas {
  /** Sandboxes of one tenant; one more is answered 507. */
  readonly maxSandboxes: number;
  /** Bytes kept for one tenant: files, env layers and snapshots; more is answered 507. */
  readonly maxTenantBytes: number;
  /** Milliseconds without use after which a sandbox is deleted; 0: never. */
  readonly idleTtlMs: number;
}

/** The defaults of the quotas. */
export const SANDBOX_QUOTAS: SandboxQuotas = {
  maxSandboxes: 100_000,
  maxTenantBytes: 64 * 1024 * MIB,
  idleTtlMs: 24 * 60 * 60 * 1000,
};
