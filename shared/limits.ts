/**
 * Every limit of the service that a caller or an operator can meet, in one place. What only shapes
 * the work of one module, such as the size of a cache, is there; fuel and memory of a language are
 * in its row of `languages.ts`.
 *
 * Sizes are bytes of UTF-8, times are milliseconds, fuel is the unit of the metered engines.
 * "Fixed" marks numbers that cannot be configured. The configuration may set all others up to their
 * ceiling; `limit_rules.ts` has what follows from them.
 *
 * @module
 */
import { type ByLanguage, byLanguage, LANGUAGE_INFO } from "./languages.ts";
import type { PublishedLimits } from "../client/protocol/types.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

/** Limits of one language: the published ones, and those that only affect the form of an answer. */
export interface LanguageLimits extends PublishedLimits {
  /** Length of a guest's stack trace; a longer one is cut in the middle. */
  readonly tracebackBytes: number;
  /** Displays of a run as JSON, together. */
  readonly displayBytes: number;
  /** Standard input of a run. */
  readonly stdinBytes: number;
  /** Everything stored of a context's memory, compressed. */
  readonly snapshotBytes: number;
  /** One file below `/workspace`. */
  readonly fileBytes: number;
  /** All files below `/workspace`. */
  readonly workspaceBytes: number;
}

/** Limits of every language. */
export type LimitsByLanguage = ByLanguage<LanguageLimits>;

/** Limits that are the same in all languages. */
export interface SharedLimits {
  /** Length of a program. */
  readonly codeBytes: number;
  /** Length of the body of a run. */
  readonly requestBytes: number;
  /** Output of a run, both streams together. */
  readonly outputBytes: number;
  /** Lines of output of a run, both streams together. */
  readonly outputLines: number;
  /** Length of the value of a run, as text or JSON. */
  readonly resultBytes: number;
  /** Length of a stack trace. */
  readonly tracebackBytes: number;
  /** Displays of a run as JSON, together. */
  readonly displayBytes: number;
  /** Maximum time of a run, virtual sleeps included. */
  readonly wallMs: number;
  /** Standard input of a run. */
  readonly stdinBytes: number;
  /** Everything stored of a context's memory, compressed. */
  readonly snapshotBytes: number;
  /** One file below `/workspace`. */
  readonly fileBytes: number;
  /** All files below `/workspace`. */
  readonly workspaceBytes: number;
}

/** The defaults of the limits that all languages share. */
export const SHARED_LIMITS: SharedLimits = {
  codeBytes: 64 * KIB,
  requestBytes: 96 * KIB,
  outputBytes: 1 * MIB,
  outputLines: 10_000,
  resultBytes: 256 * KIB,
  tracebackBytes: 64 * KIB,
  displayBytes: 1 * MIB,
  wallMs: 60_000,
  stdinBytes: 64 * KIB,
  snapshotBytes: 32 * MIB,
  fileBytes: 4 * MIB,
  workspaceBytes: 16 * MIB,
};

/** Maxima of the configuration. */
export const SHARED_CEILINGS: SharedLimits = {
  codeBytes: 4 * MIB,
  requestBytes: 16 * MIB,
  outputBytes: 8 * MIB,
  outputLines: 1_000_000,
  resultBytes: 8 * MIB,
  tracebackBytes: 1 * MIB,
  displayBytes: 8 * MIB,
  wallMs: 300_000,
  stdinBytes: 8 * MIB,
  snapshotBytes: 256 * MIB,
  fileBytes: 256 * MIB,
  workspaceBytes: 1024 * MIB,
};

/** The own form of a run's value (docs/contract.md#own-form-of-a-value). Fixed. */
export const REPR_BYTES: number = 64 * KIB;

/**
 * Keys, arrays and objects in the displays of a run, together. Each takes as long to parse and to
 * write as ten numbers. Fixed.
 */
export const DISPLAY_CONTAINERS = 65_536;

/** Displays of a run. Fixed. */
export const MAX_DISPLAYS = 16;

/** Linear memory of an instance in bytes by default, and the least of the configuration. */
export const MEMORY_BYTES: ByLanguage<number> = byLanguage((language) =>
  LANGUAGE_INFO[language].memoryBytes
);

/** A memory has whole pages of so many bytes. */
export const MEMORY_STEP: number = 64 * KIB;

/** Maximum of the configured memory of a language, in bytes. */
export const MEMORY_CEILING: number = 2048 * MIB;

/** Files below `/workspace`, by default (docs/contract.md#files). */
export const WORKSPACE_LIMITS = {
  /** Bytes of one file. */
  fileBytes: SHARED_LIMITS.fileBytes,
  /** Bytes of all files. */
  totalBytes: SHARED_LIMITS.workspaceBytes,
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

/** The limits of all languages from shared ones, and a fuel budget and a memory for each. */
export function limitsByLanguage(
  shared: SharedLimits = SHARED_LIMITS,
  fuel: ByLanguage<number> = FUEL,
  memory: ByLanguage<number> = MEMORY_BYTES,
): LimitsByLanguage {
  return byLanguage((language) => ({
    ...shared,
    fuel: fuel[language],
    memoryBytes: memory[language],
  }));
}

/** Limits of admission. */
export interface AdmissionLimits {
  /** Runs of one tenant in progress at the same time. */
  readonly runsPerTenant: number;
  /** Runs of one tenant waiting; one more is answered 429. */
  readonly waitingPerTenant: number;
  /** Runs waiting for an isolate of one language; one more is answered 503. */
  readonly waitingPerLanguage: number;
  /** Calls of one tenant that run no code, in progress at the same time. */
  readonly callsPerTenant: number;
  /** Calls of one tenant that run no code, waiting; one more is answered 429. */
  readonly waitingCallsPerTenant: number;
  /** Longest wait of a run or a call, in milliseconds; then 503. */
  readonly maxWaitMs: number;
  /** Kills of isolates that one tenant's runs may cause in a minute; more are answered 429. */
  readonly killsPerMinute: number;
  /** Total seconds of killed runs of one tenant in a minute; more are answered 429. */
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
  killedSecondsPerMinute: 120,
};

/** Maxima of the configuration of admission. */
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

/** Maximum bytes of requests and of unread answers that are held at one time. */
export interface BodyBudgetLimits {
  /** Of requests of one tenant that do not count against those of all. 0 when absent. */
  readonly ownBodyBytes?: number;
  /** Of other requests of all tenants together; more are answered 503. */
  readonly bodyBytes: number;
  /** Of requests and answers of one tenant; more are answered 429. */
  readonly bodyBytesPerTenant: number;
}

/**
 * The default. A tenant's share has room for all its runs in progress and waiting, each of the
 * maximum length.
 */
export const BODY_BUDGET: BodyBudgetLimits = {
  ownBodyBytes: 1 * MIB,
  bodyBytes: 64 * MIB,
  bodyBytesPerTenant: 32 * MIB,
};

/**
 * Length of the URL of a request, in characters. The longest path of a file takes 3 KiB; an escape that is
 * not UTF-8 costs several microseconds.
 */
export const URL_LENGTH: number = 32 * KIB;
/** Maximum number of slashes in the path of a URL. Each is a step of the search for its route. */
export const PATH_SLASHES: number = 1_024;
/** Maximum number of parameters in the query of a URL. */
export const QUERY_PARAMETERS: number = 100;

/** Time for the whole body of a request to arrive, in milliseconds. */
export const BODY_DEADLINE_MS = 10_000;

/** Time that a stopping service gives to requests in flight, in milliseconds. Hosts allow 5 s. */
export const STOP_GRACE_MS = 3_500;

/** Longest pause of a caller that reads a large answer, in milliseconds. */
export const READER_PAUSE_MS = 30_000;

/**
 * Average rate at which a caller must read a large answer after the first {@link READER_PAUSE_MS},
 * in bytes per second.
 */
export const READER_BYTES_PER_SECOND: number = 32 * KIB;

/** Time without events after which the stream of a run sends a keepalive, in milliseconds. */
export const KEEPALIVE_MS = 10_000;

/** How long a kill counts against its tenant, in milliseconds. */
export const KILL_WINDOW_MS = 60_000;

/** Maximum of the configured number of isolates of one language. */
export const ISOLATES_CEILING = 256;

/**
 * Maximum number of isolates of one language with engines of earlier builds, besides the others.
 */
export const EARLIER_ISOLATES = 4;

/**
 * How long a tenant that used a language counts as active, in milliseconds. Meanwhile no other
 * tenant gets the language's last isolate.
 */
export const TENANT_ACTIVE_MS = 60_000;

/** Time for an isolate to load its engine, in milliseconds. Shorter than the longest wait. */
export const ISOLATE_START_MS = 45_000;

/** Milliseconds of idleness after which an isolate ends, except for the last one of a language. */
export const ISOLATE_IDLE_MS = 60_000;

/** Milliseconds of idleness after which the last isolate of a language ends. */
export const ISOLATE_LAST_IDLE_MS = 600_000;

/**
 * Milliseconds after which a service starts isolates that no run has asked for yet. Until then the
 * first requests have the processor for themselves.
 */
export const ISOLATE_AHEAD_MS = 150;

/**
 * Time for a run to end by itself after its caller has disconnected
 * (docs/contract.md#state-of-a-context).
 */
export const CANCEL_GRACE_MS = 250;

/** How long a process that no longer responds keeps the turn of a context. */
export const LEASE_MS = 10_000;

/**
 * Time for the store to answer a read or a write, in milliseconds, if callers wait that long; after
 * that it counts as gone.
 */
export const STORE_READ_MS = 5_000;
/**
 * See {@link STORE_READ_MS}. The result of a run is written within its remaining wait, or this
 * time.
 */
export const STORE_WRITE_MS = 10_000;

/** Minimum time for the store, even when a caller has used up its wait. */
export const STORE_LEAST_MS = 1_000;

/** Maximum size of a workspace. */
export type WorkspaceLimits = { readonly [K in keyof typeof WORKSPACE_LIMITS]: number };

/** Limits of one sandbox that its own routes enforce. */
export interface SandboxLimits {
  /** Contexts, across all bindings. Fixed. */
  readonly contexts: number;
  /** Checkpoints. Fixed. */
  readonly checkpoints: number;
  /** Unfinished uploads. Fixed. */
  readonly uploads: number;
  /** One env layer: bytes of UTF-8 of its names and values. Fixed. */
  readonly envLayerBytes: number;
  /** Body of `POST /files`. */
  readonly fileRequestBytes: number;
  /** Its files. */
  readonly workspace: WorkspaceLimits;
}

/** The limits of every sandbox by default. */
export const SANDBOX_LIMITS: SandboxLimits = {
  contexts: 8,
  checkpoints: 16,
  uploads: 64,
  envLayerBytes: 32 * KIB,
  fileRequestBytes: 6 * MIB,
  workspace: WORKSPACE_LIMITS,
};

/**
 * Limits of `/e2b`: the longest life of a sandbox from now on, the length of its labels as JSON, the
 * parts of an upload form, and the bytes of any other request (a program of escapes takes six times
 * its length).
 */
export const E2B_LIMITS = {
  requestBytes: MIB,
  timeoutS: 24 * 60 * 60,
  metadataBytes: 4 * KIB,
  formParts: 256,
} as const;

/**
 * Longest name of a context, in UTF-16 code units. Eight of them fit in the record of a sandbox.
 */
export const CONTEXT_NAME_LENGTH = 128;

/** Longest name of a checkpoint, in UTF-16 code units. */
export const CHECKPOINT_NAME_LENGTH = 128;

/** Sandboxes on a page of a listing: unless the request says otherwise, and at most. */
export const LISTING_LIMITS = { pageSize: 50, maxPageSize: 100 } as const;

/** Maximum length of an `Idempotency-Key`, in characters. */
export const IDEMPOTENCY_KEY_LENGTH = 255;

/** How long the answer of a run with an `Idempotency-Key` is kept, in milliseconds. */
export const STORED_ANSWER_MS: number = 24 * 60 * 60 * 1000;

/** The history of a context: its newest stored answers, as many as have so many bytes together. */
export const CONTEXT_HISTORY = { runs: 20, bytes: 4 * 1024 * KIB } as const;

/** Bytes counted for a kept answer in addition to its body: its key and its entries. */
export const STORED_ANSWER_EXTRA_BYTES: number = KIB;

/** How long an unfinished upload is kept after its last piece, in milliseconds. */
export const UPLOAD_IDLE_MS: number = 60 * 60 * 1000;

/** Bytes counted for an unfinished upload in addition to those of the whole file: its record. */
export const UPLOAD_EXTRA_BYTES: number = 2 * KIB;

/** Bytes counted for a checkpoint in addition to its state and its name. */
export const CHECKPOINT_EXTRA_BYTES: number = KIB;

/**
 * Bytes of records that every sandbox has and that do not count: their number is bounded with the
 * number of sandboxes.
 */
export const SANDBOX_FREE_BYTES: number = 2 * KIB;

/** Quotas for the sandboxes of one tenant. */
export interface SandboxQuotas {
  /** Sandboxes of one tenant; one more is answered 507. */
  readonly maxSandboxes: number;
  /**
   * Bytes stored for one tenant: files, env layers, snapshots, kept answers, checkpoints, and the
   * records with their names and labels; more are answered 507.
   */
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

/** A call or a question of a program waits so long for its answer by default. */
export const WAIT_MS: number = 24 * 3_600_000;
