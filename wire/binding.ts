/**
 * What a gateway or a sandbox knows of a runtime: a binding to send requests to, and for the
 * gateway its health and its entry in `GET /languages`. Sandboxes and runtimes meet here.
 *
 * @module
 */
import type { ExecuteRequest, Language, LanguageListing } from "../client/protocol/types.ts";
import type {
  ExecuteInContextArgs,
  GetFiles,
  InterpreterExecuteRpcResult,
} from "./run_in_context.ts";
import type { MostRunLimits } from "./run_limits.ts";

/**
 * The way to one runtime (docs/contract.md#service-bindings). The host of a request is a
 * placeholder. `request.signal` fires when the caller has gone or the service stops; it never fires
 * after the answer is there. Rejects only when the runtime cannot be called.
 */
export interface RuntimeBinding {
  /** Sends a request to one of the runtime's routes (docs/contract.md#runtime-routes). */
  fetch(request: Request): Promise<Response>;
  /**
   * Runs a program statelessly: `POST /execute` for callers of this process, which have read and
   * checked the request. The answer is that of the route.
   *
   * @throws {ServiceError} what the route answers with another status than 200.
   */
  execute(request: ExecuteRequest, caller: RunCaller): Promise<Response>;
  /**
   * Runs a program in a context (docs/contract.md#running-in-a-context). `key` is the sandbox's own
   * id. Nothing that an application can cause is thrown; the result says it.
   */
  executeInContext(
    key: string,
    args: ExecuteInContextArgs,
    getFiles: GetFiles,
  ): Promise<InterpreterExecuteRpcResult>;
  /** The most that a run can ask for. Where it is absent, the runtime alone knows. */
  readonly mostRunLimits?: MostRunLimits;
}

/**
 * Version of what gateways and runtimes say to each other. Since 2 a run can have limits of its
 * own; a runtime of version 1 takes no notice of them.
 */
export const PROTOCOL = 2;

/** Header of the probe's answer: the version. Absent is read as 1. */
export const PROTOCOL_HEADER = "x-belljar-protocol";

/**
 * Header of a request to a binding: the tenant on whose behalf it is made. Set by the gateway
 * from the token, never taken from a caller.
 */
export const TENANT_HEADER = "x-belljar-tenant";

/**
 * Header of such a request: milliseconds that a run may still wait before it begins. Without one
 * it may wait as long as any.
 */
export const WAIT_HEADER = "x-belljar-wait-ms";

/** The tenant of a token without a name, and of every request when there are no tokens. */
export const DEFAULT_TENANT = "default";

/** On whose behalf a run is made, and what tells that its caller has gone. */
export interface RunCaller {
  readonly tenant: string;
  /** Milliseconds that it may wait for an isolate; the runtime's own when absent, or when more. */
  readonly maxWaitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How one language is doing, as `GET /healthz` shows it. */
export interface LanguageHealth {
  /** `starting`: no isolate has become ready yet. `failing`: the last start of one failed. */
  readonly state: "starting" | "ready" | "failing";
  /** Isolates alive now. */
  readonly isolates: number;
  /** Names the build of the engine and its image; null while it is not known. */
  readonly build: string | null;
}

/** Work to be done from time to time. It bears being broken off and being done again. */
export interface Maintenance {
  /** A fixed text, for the log. */
  readonly name: string;
  /** Gives how many things were removed. Ends soon after the signal is aborted. */
  run(signal: AbortSignal): Promise<number>;
}

/** One enabled language, running. */
export interface LanguageRuntime {
  /** The way to its routes. */
  readonly binding: RuntimeBinding;
  /** Its entry in `GET /languages`. */
  readonly listing: LanguageListing;
  /** How it is doing now. */
  health(): LanguageHealth;
  /** What has to be done for it from time to time, by one process for all. */
  readonly maintenance?: readonly Maintenance[];
  /** Ends its isolates. Calls in flight fail. */
  close(): Promise<void>;
}

/** What is to be built, and where it is kept. */
export interface BuildOrder {
  /** The enabled languages. */
  readonly languages: readonly Language[];
  /** Folder of built images. */
  readonly cacheDir: string;
  /** Folder of pure-Python wheels that are installed; undefined: none. */
  readonly pythonWheels: string | undefined;
}

/**
 * What the operator configured for a language cannot be used. The message is one line that
 * begins with the name of the variable.
 */
export class RuntimesRefused extends Error {
  override readonly name = "RuntimesRefused";
}
