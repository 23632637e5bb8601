/**
 * The shapes that cross the service's borders, as the contract names them.
 *
 * `client/protocol/` is what client and service share: shapes, paths, error codes and the
 * quoting of text. It is published with the client, so it has no dependency. `wire/` builds
 * the service's side of the contract on it.
 *
 * @module
 */

/** Any value that JSON can carry. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** The ids of the languages, in the order of `GET /languages` (docs/contract.md#gateway-routes). */
export const LANGUAGES = ["javascript", "python", "perl", "ruby"] as const;

/** A language, by the id used in paths and answers. */
export type Language = typeof LANGUAGES[number];

/** The id in capitals: the name of a runtime's binding, and the part of variables that names it. */
export type BindingName<L extends Language = Language> = Uppercase<L>;

/** The name of the binding of a language's runtime. */
export function bindingName<L extends Language>(language: L): BindingName<L> {
  return language.toUpperCase() as Uppercase<L>;
}

/** Output of a run: one entry per line, without its newline (docs/contract.md#executionresult). */
export interface Logs {
  /** Lines of standard output. */
  readonly stdout: readonly string[];
  /** Lines of standard error. */
  readonly stderr: readonly string[];
}

/** The value of the last top-level expression; exactly one of the two fields is there. */
export interface ResultEntry {
  /** The language's native string representation. */
  readonly text?: string;
  /** A container, as JSON. */
  readonly json?: JsonValue;
}

/** A failure of the guest: an exception, or a limit (`name` is `ExecutionLimitError`). */
export interface ExecutionError {
  /** The class of the exception. */
  readonly name: string;
  /** What the exception says; for a limit, which one and its value. */
  readonly message: string;
  /** The language's own stack trace, one entry per line. */
  readonly traceback: readonly string[];
  /** Line in the submitted code, counted from 1. */
  readonly lineNumber?: number;
}

/** What a run cost. */
export interface Usage {
  /** Units counted inside the WebAssembly; the same program from the same state costs the same. */
  readonly fuelConsumed: number;
  /** Units at which the run is ended. */
  readonly fuelLimit: number;
  /** Linear memory of the interpreter at the end of the run, in bytes. */
  readonly memoryBytes: number;
}

/** Where a run in a context left that context. */
export interface ExecutionContext {
  /** Id of the context, minted by the sandbox. */
  readonly id: string;
  /** Working directory, absolute, under `/workspace`. */
  readonly cwd: string;
  /** Runs the context has seen, this one included. */
  readonly executions: number;
  /** Milliseconds it took to write a memory snapshot, when one was written. */
  readonly snapshotMs?: number;
  /** When the idle sandbox will expire, in epoch milliseconds; absent when it never does. */
  readonly expiresAt?: number;
  /** True when a limit (but that of the result) or a crash put globals, files and cwd back. */
  readonly rolledBack?: boolean;
}

/** The answer to a run (docs/contract.md#executionresult). */
export interface ExecutionResult {
  /** The submitted program. */
  readonly code: string;
  /** The runtime's own language. */
  readonly language: string;
  /** The runtime's engine: name and version. */
  readonly engine: string;
  /** Elapsed engine time in milliseconds; no billing measure. */
  readonly durationMs: number;
  /** Output of the run, also when it ended with an error. */
  readonly logs: Logs;
  /** At most one entry; empty when `error` is set. */
  readonly results: readonly ResultEntry[];
  /** Present only when the guest failed or hit a limit. */
  readonly error?: ExecutionError;
  /** Present only when a context ran: its runs so far. */
  readonly executionCount?: number;
  /** Absent when the engine failed before it could be metered. */
  readonly usage?: Usage;
  /** Present only when a context ran. */
  readonly context?: ExecutionContext;
}

/** Answer of `GET /interpreter` (docs/contract.md#runtime-probe). */
export interface InterpreterProbe {
  /** The one language of the runtime. */
  readonly language: Language;
  /** Name and version of its engine. */
  readonly engine: string;
  /** Whether it can hold code contexts. */
  readonly contexts: boolean;
  /** Version of the protocol between sandbox and runtime; absent is read as 1. */
  readonly protocol: number;
}

/**
 * Limits of one run, lower than the service's own or equal to them. What is absent is the
 * service's.
 */
export interface RunLimits {
  /** Units of fuel at which the run is ended. */
  readonly fuel?: number;
  /** Milliseconds at which the run is ended, virtual sleeps included. */
  readonly wallMs?: number;
}

/** Body of `POST /execute` on a runtime, read and validated (docs/contract.md#runtime-routes). */
export interface ExecuteRequest {
  /** Not empty, at most 64 KiB of UTF-8. */
  readonly code: string;
  /**
   * By name, which may be any name of the pattern, `__proto__` too. Values sent as null are
   * skipped.
   */
  readonly envVars: ReadonlyMap<string, string>;
  /** True when the caller said `typescript` or `ts`. */
  readonly typescript: boolean;
  /** What the caller asked for; at most the runtime's own. */
  readonly limits?: RunLimits;
}

/** Limits of one language, as `GET /languages` publishes them: a run can ask for less. */
export interface PublishedLimits {
  /** Length of a program, in bytes of UTF-8. */
  readonly codeBytes: number;
  /** Length of the body of a request to run code, in bytes. */
  readonly requestBytes: number;
  /** Most fuel of a run. */
  readonly fuel: number;
  /** Linear memory of the interpreter, in bytes. */
  readonly memoryBytes: number;
  /** Output of a run, both streams together, in bytes of UTF-8. */
  readonly outputBytes: number;
  /** Lines of output of a run, both streams together. */
  readonly outputLines: number;
  /** Length of the value of a run, as text or JSON, in bytes of UTF-8. */
  readonly resultBytes: number;
  /** Longest time of a run in milliseconds, virtual sleeps included. */
  readonly wallMs: number;
}

/** One entry of `GET /languages`. */
export interface LanguageListing {
  /** The name used in paths. */
  readonly id: Language;
  /** The name for people. */
  readonly name: string;
  /** The npm package that carries the engine. */
  readonly package: string;
  /** Version of that package. */
  readonly version: string;
  /** Name and version of the engine, as results show it. */
  readonly engine: string;
  /** Whether this service runs the language. */
  readonly enabled: boolean;
  /** How code is run: a whole program at a time. */
  readonly mode: "script";
  /** Whether the language can hold code contexts here. */
  readonly contexts: boolean;
  /** What the language can do here, for example `stateless`, `contexts`, `typescript`. */
  readonly capabilities: readonly string[];
  /** Further names accepted as `language` in a body, in any case. */
  readonly aliases: readonly string[];
  /** The limits as configured. */
  readonly limits: PublishedLimits;
}

/** Body of every answer that is not a success (docs/contract.md#errorresponse). */
export interface ErrorResponse {
  /** One of the codes of `ERROR_STATUSES`. */
  readonly code: string;
  /** What is wrong, for people. */
  readonly message: string;
  /** What the error is about; its keys depend on the code. */
  readonly context: { readonly [key: string]: JsonValue };
  /** The HTTP status of the answer. */
  readonly httpStatus: number;
  /** ISO-8601 in UTC, with milliseconds. */
  readonly timestamp: string;
  /** For example `file.read`. */
  readonly operation?: string;
}
