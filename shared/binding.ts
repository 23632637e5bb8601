/**
 * The interface of a runtime for gateways and sandboxes: a binding that takes requests, and for the
 * gateway its health and its entry in `GET /languages`.
 *
 * @module
 */
import type { ExecuteRequest, Language, LanguageListing } from "../client/protocol/types.ts";
import type {
  ContextAddress,
  ExecuteInContextArgs,
  GetFiles,
  InterpreterExecuteRpcResult,
  StoreWrites,
} from "./run_in_context.ts";
import type { RunCalls } from "./run_calls.ts";
import type { MostRunLimits } from "./run_limits.ts";
import type { RunListener } from "./run_listener.ts";

/**
 * The binding of one runtime (docs/contract.md#service-bindings). The host of a request is a
 * placeholder. `request.signal` fires when the caller disconnects or the service stops, and never
 * after the answer. Rejects only when the runtime cannot be called.
 */
export interface RuntimeBinding {
  readonly language: Language;
  /** Name and version of the engine, as results show it. */
  readonly engine: string;
  /** Sends a request to one of the runtime's routes (docs/contract.md#runtime-routes). */
  fetch(request: Request): Promise<Response>;
  /**
   * Runs a program statelessly: `POST /execute` for callers in this process that have read and
   * checked the request. The answer is that of the route.
   *
   * @throws {ServiceError} what the route answers with another status than 200.
   * @throws {RunReleased} when the isolate of a run with calls was taken back while it waited.
   * @throws {RunDiverged} when the deliveries of a run with calls do not fit what it waits for.
   */
  execute(request: ExecuteRequest, caller: RunCaller): Promise<Response>;
  /**
   * Runs a program in a context (docs/contract.md#running-in-a-context). `key` is the sandbox key.
   * It never throws for anything that an application can cause; the result reports it. A run with
   * calls also rejects with a RunReleased or a RunDiverged, as {@link execute} does.
   */
  executeInContext(
    key: string,
    args: ExecuteInContextArgs,
    getFiles: GetFiles,
  ): Promise<InterpreterExecuteRpcResult>;
  /** The stored state of contexts; absent for a runtime without contexts. */
  readonly contexts?: RuntimeContexts | undefined;
  /** The maximum limits of a run. When absent, only the runtime knows them. */
  readonly mostRunLimits?: MostRunLimits;
}

/**
 * The stored state of the contexts of one runtime. The first run of a context creates it. All
 * methods reject only when the store fails.
 */
export interface RuntimeContexts {
  /**
   * Prepares a context with the state of another one, which both share. Undefined when the source
   * does not have that state, or is gone.
   */
  fork(
    source: ContextAddress,
    target: ContextAddress,
    reference: string,
  ): Promise<PreparedFork | undefined>;
  /** Removes the state of a context. False when there is none. */
  remove(address: ContextAddress): Promise<boolean>;
  /** Removes the state of all contexts of a sandbox key. */
  wipe(sandboxKey: string): Promise<void>;
}

/** A fork that is not committed yet. */
export interface PreparedFork {
  /** For the commit that names the new context. It is refused if the source changes before. */
  readonly writes: StoreWrites;
  /** Whether the source has a later state, which no sandbox may name yet. */
  readonly isBehind: boolean;
}

/**
 * Header of a request to a binding: the tenant for which it is made. The gateway sets it from the
 * token and never takes it from a caller.
 */
export const TENANT_HEADER = "x-belljar-tenant";

/** The tenant of a token without a name, and of every request when there are no tokens. */
export const DEFAULT_TENANT = "default";

/** The tenant of a run, the signal of its caller's disconnect, and who listens. */
export interface RunCaller {
  readonly tenant: string;
  /**
   * Milliseconds that it may wait for an isolate, at most the runtime's own maximum, which also
   * applies when this is absent.
   */
  readonly maxWaitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly listener?: RunListener | undefined;
  /** The caller's side of the program's calls; absent: the program can make none. */
  readonly calls?: RunCalls | undefined;
}

/** The state of one language, as `GET /healthz` shows it. */
export interface LanguageHealth {
  /** `starting`: no isolate has become ready yet. `failing`: the last start of one failed. */
  readonly state: "starting" | "ready" | "failing";
  /** Number of live isolates. */
  readonly isolates: number;
  /** Identifies the build of the engine and its baseline; null while unknown. */
  readonly build: string | null;
}

/** Work that is done periodically. It can be interrupted and repeated at any time. */
export interface Maintenance {
  /** A fixed text, for the log. */
  readonly name: string;
  /** Returns how many things it removed. Ends soon after the signal aborts. */
  run(signal: AbortSignal): Promise<number>;
}

/** The runtime of one enabled language. */
export interface LanguageRuntime {
  /** Its binding. */
  readonly binding: RuntimeBinding;
  /** Its entry in `GET /languages`. */
  readonly listing: LanguageListing;
  /** Its current state. */
  health(): LanguageHealth;
  /** Whether contexts of an engine, by its digest, can run. Absent: there are no contexts. */
  runsEngine?(digest: string): Promise<boolean>;
  /** Its periodic tasks, which one process does for all. */
  readonly maintenance?: readonly Maintenance[];
  /** Ends its isolates. Calls in flight fail. */
  close(): Promise<void>;
}

/** The operator's packages for programs. */
export interface PackageSettings {
  /** Folder of wheels to install; undefined: none. */
  readonly pythonWheels: string | undefined;
  /** Names of Python modules that are in the image from the start. */
  readonly pythonPreload: readonly string[];
  /** Folder of npm packages that `deno task packages` made; undefined: none. */
  readonly javascriptPackages: string | undefined;
  /** Names of packages of that folder that are in the image from the start. */
  readonly javascriptPreload: readonly string[];
  /** Folder whose `lib` has modules for Perl; undefined: none. */
  readonly perlPackages: string | undefined;
  /** Folder with a folder for each gem; undefined: none. */
  readonly rubyPackages: string | undefined;
}

/** No packages. */
export const NO_PACKAGES: PackageSettings = {
  pythonWheels: undefined,
  pythonPreload: [],
  javascriptPackages: undefined,
  javascriptPreload: [],
  perlPackages: undefined,
  rubyPackages: undefined,
};

/** The languages to build, and the folder for them. */
export interface BuildOrder {
  /** The enabled languages. */
  readonly languages: readonly Language[];
  /** Folder of built engines. */
  readonly cacheDir: string;
  /** The operator's packages. */
  readonly packages: PackageSettings;
  /** The languages that have contexts, enabled or not. */
  readonly contextLanguages: readonly Language[];
  /** Whether to build the page too. @default {false} */
  readonly page?: boolean;
}

/**
 * The operator's configuration of a language cannot be used. The message is one line that begins
 * with the name of the variable.
 */
export class RuntimesRefused extends Error {
  override readonly name = "RuntimesRefused";
}
