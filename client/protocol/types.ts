/**
 * The shapes of requests and answers, as the contract names them.
 *
 * `client/protocol/` is what client and service share: shapes, paths, error codes and the
 * quoting of text. It is published with the client, so it has no dependency. `shared/` builds
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
export const LANGUAGES = ["javascript", "python", "perl", "ruby", "shell"] as const;

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

/** The value of the last top-level expression; exactly one of `text` and `json` is present. */
export interface ResultEntry {
  /** The language's native string representation. */
  readonly text?: string;
  /** A container, as JSON. */
  readonly json?: JsonValue;
  /**
   * The value's own form in its language, at most 64 KiB of UTF-8, cut with `…`. Present only if the
   * run asked for it with `repr: true`, and the value's own code gave one.
   */
  readonly repr?: string;
}

/** A rich form of a value, which the run showed (docs/contract.md#displays). */
export interface Display {
  /**
   * The same thing in one or more media types: text as a string, bytes as base64, structured types
   * as JSON. Written by the guest: never render HTML or SVG in a page's own origin.
   */
  readonly data: { readonly [mime: string]: JsonValue };
  /** The guest's metadata, for example `width` and `height` by media type. */
  readonly metadata?: { readonly [key: string]: JsonValue };
  /** It is the value of the last expression. */
  readonly main?: true;
}

/** A failure of the guest: an exception, or a limit (`name` is `ExecutionLimitError`). */
export interface ExecutionError {
  /** The class of the exception. */
  readonly name: string;
  /** The message of the exception; for a limit, its name and value. */
  readonly message: string;
  /** The language's own stack trace, one entry per line. */
  readonly traceback: readonly string[];
  /** Line in the submitted code, counted from 1. */
  readonly lineNumber?: number;
}

/** The cost of a run. */
export interface Usage {
  /** Units counted inside the WebAssembly; the same program from the same state costs the same. */
  readonly fuelConsumed: number;
  /** Units at which the run is ended. */
  readonly fuelLimit: number;
  /** Linear memory of the instance at the end of the run, in bytes. */
  readonly memoryBytes: number;
}

/** State of a context after a run. */
export interface ExecutionContext {
  /** Id of the context, minted by the sandbox. */
  readonly id: string;
  /** Working directory, absolute, under `/workspace`. */
  readonly cwd: string;
  /** Runs of the context so far, this one included. */
  readonly executions: number;
  /** Milliseconds to write a memory snapshot, when one was written. */
  readonly snapshotMs?: number;
  /** When the idle sandbox expires, in epoch milliseconds; absent if never. */
  readonly expiresAt?: number;
  /** Whether a limit (except result and display) or a crash rolled back globals, files and cwd. */
  readonly rolledBack?: boolean;
}

/** The latest runs of a context (docs/contract.md#history-of-a-context). */
export interface ContextHistory {
  /** Newest first. */
  readonly runs: readonly {
    /** When the run was committed, in ISO 8601. */
    readonly endedAt: string;
    readonly execution: ExecutionResult;
  }[];
}

/** A JSON Schema. */
export type JsonSchema = { readonly [keyword: string]: JsonValue };

/** A function of the caller that a program may call. */
export interface Tool {
  /** Identifiers joined by dots, such as `crm.find`; at most 128 characters. */
  readonly name: string;
  /** The purpose of the tool, for people and models. */
  readonly description?: string;
  /** Arguments that break it raise an error in the program, and nobody is asked. */
  readonly inputSchema?: JsonSchema;
  /** An answer that breaks it is refused, and the call stays pending. */
  readonly outputSchema?: JsonSchema;
  /** Milliseconds from the moment at which a call is shown, after which it raises `ToolExpired`. */
  readonly timeoutMs?: number;
  /** Whether repeating a call has no further effect. */
  readonly idempotent?: boolean;
}

/** Where the service tells of a run (docs/calls.md#notifications). */
export interface NotifyTarget {
  /** A URL of a host that the operator allows; `https:`, but for private addresses. */
  readonly url: string;
  /** Signs the notifications; base64 after `whsec_`, or any text. At most 512 characters. */
  readonly secret: string;
}

/** The fields of a request by which a program may call and ask. */
export interface CallFields {
  /** The tools of the program: the caller's own, and the operator's by name or pattern. */
  readonly tools?: readonly (Tool | string)[];
  /** Whether a read of standard input past its end asks the caller. */
  readonly interactive?: boolean;
  /** Whether a run without a context survives the service. */
  readonly durable?: boolean;
  /** Gets a signed request when the run waits and when it is over. The run is durable then. */
  readonly notify?: NotifyTarget;
}

/** A call of the program that has no answer yet. */
export interface PendingCall {
  /** Names the call in answers; never used for another call. */
  readonly key: string;
  /** The name of the tool. */
  readonly name: string;
  /** The arguments, an object. */
  readonly arguments: JsonValue;
  /** Present when it is a tool of the operator: the answer approves or denies the call. */
  readonly approval?: "always";
}

/** The program asks for a line of standard input. */
export interface PendingInput {
  /** Names the question in answers. */
  readonly key: string;
  /** The unfinished line of output before the question. */
  readonly prompt: string;
}

/** Why a run stands still. */
export interface Waiting {
  /** Id of the run. */
  readonly run: string;
  /** The calls without an answer, in the order in which they were made. */
  readonly calls: readonly PendingCall[];
  /** The question, if the program asks for input. */
  readonly input?: PendingInput;
  /** When a program that only sleeps goes on, in epoch milliseconds. */
  readonly until?: number;
  /** When the first pending call or question expires, in epoch milliseconds. */
  readonly expiresAt?: number;
}

/** The answer to a run (docs/contract.md#executionresult). */
export interface ExecutionResult {
  /** The submitted program. */
  readonly code: string;
  /** The runtime's own language. */
  readonly language: string;
  /** The runtime's engine: name and version. */
  readonly engine: string;
  /** Elapsed engine time in milliseconds; not a measure for billing. */
  readonly durationMs: number;
  /** Output of the run, even when it ended with an error. */
  readonly logs: Logs;
  /** At most one entry; empty when `error` is set. */
  readonly results: readonly ResultEntry[];
  /**
   * The displays of the run, in order of arising, even when it ended with an error; absent if empty.
   */
  readonly displays?: readonly Display[];
  /** Present only when the guest failed or hit a limit. */
  readonly error?: ExecutionError;
  /** The exit code of the shell, from 0 to 255. Absent with `error`, and in other languages. */
  readonly exitCode?: number;
  /** The shell's streams whose last line has no newline. Absent if there are none. */
  readonly unterminated?: readonly ("stdout" | "stderr")[];
  /** Present only when a context ran: its runs so far. */
  readonly executionCount?: number;
  /** Absent when the engine failed before it could be metered. */
  readonly usage?: Usage;
  /** Present only when a context ran. */
  readonly context?: ExecutionContext;
  /** Present only while the program waits for its caller. */
  readonly waiting?: Waiting;
}

/** Answer of `GET /interpreter` (docs/contract.md#runtime-probe). */
export interface InterpreterProbe {
  /** The one language of the runtime. */
  readonly language: Language;
  /** Name and version of its engine. */
  readonly engine: string;
  /** Whether it can hold code contexts. */
  readonly contexts: boolean;
  /** Version of the protocol between sandbox and runtime; 1 when absent. */
  readonly protocol: number;
}

/** Limits of one run, at most the service's own. The service's limit for each absent field. */
export interface RunLimits {
  /** Units of fuel at which the run is ended. */
  readonly fuel?: number;
  /** Milliseconds at which the run is ended, virtual sleeps included. */
  readonly wallMs?: number;
}

/** The latest moment of a date, in milliseconds since the epoch. */
export const MAX_CLOCK_MS = 8.64e15;

/** The fields that make a run repeatable (docs/contract.md#replay). */
export interface Replay {
  /** Of the run's random bytes: an integer from 0 to 2^53-1. */
  readonly seed?: number;
  /** Where the run's clock begins: integer epoch milliseconds, from 0 to 8.64e15. */
  readonly clock?: number;
}

/** Body of `POST /execute` on a runtime, read and validated (docs/contract.md#runtime-routes). */
export interface ExecuteRequest extends Replay {
  /** Not empty, at most 64 KiB of UTF-8. */
  readonly code: string;
  /**
   * Variables by name. Any name of the pattern is allowed, even `__proto__`. Null values are
   * skipped.
   */
  readonly envVars: ReadonlyMap<string, string>;
  /** True when the caller said `typescript` or `ts`. */
  readonly typescript: boolean;
  /** The caller's limits; at most the runtime's own. */
  readonly limits?: RunLimits;
  /** Standard input of the program, at most 64 KiB of UTF-8; empty when absent. */
  readonly stdin?: string;
  /** Whether the entry of the result also has `repr`. */
  readonly repr?: boolean;
  /** Absent: the program cannot wait for its caller. */
  readonly calls?: CallFields;
}

/** Limits of one language, as `GET /languages` publishes them. A run can set lower ones. */
export interface PublishedLimits {
  /** Length of a program, in bytes of UTF-8. */
  readonly codeBytes: number;
  /** Length of the body of a request to run code, in bytes. */
  readonly requestBytes: number;
  /** Maximum fuel of a run. */
  readonly fuel: number;
  /** Maximum linear memory of the instance, in bytes. */
  readonly memoryBytes: number;
  /** Output of a run, both streams together, in bytes of UTF-8. */
  readonly outputBytes: number;
  /** Lines of output of a run, both streams together. */
  readonly outputLines: number;
  /** Length of the value of a run, as text or JSON, in bytes of UTF-8. */
  readonly resultBytes: number;
  /** Maximum time of a run in milliseconds, virtual sleeps included. */
  readonly wallMs: number;
}

/** A package that the operator installed. */
export interface InstalledPackage {
  /** The normalised name, such as `pydantic-core`. */
  readonly name: string;
  /** Its version. */
  readonly version: string;
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
  /** How code runs: a whole program at a time. */
  readonly mode: "script";
  /** Whether the language can hold code contexts here. */
  readonly contexts: boolean;
  /** Capabilities of the language here, for example `stateless`, `contexts`, `typescript`. */
  readonly capabilities: readonly string[];
  /** Further names accepted as `language` in a body, in any case. */
  readonly aliases: readonly string[];
  /** The configured limits. */
  readonly limits: PublishedLimits;
  /** Packages beyond the standard library, in order of name; absent when there are none. */
  readonly packages?: readonly InstalledPackage[];
}

/** Body of every answer that is not a success (docs/contract.md#errorresponse). */
export interface ErrorResponse {
  /** One of the codes of `ERROR_STATUSES`. */
  readonly code: string;
  /** Description of the error, for people. */
  readonly message: string;
  /** Details of the error; the keys depend on the code. */
  readonly context: { readonly [key: string]: JsonValue };
  /** The HTTP status of the answer. */
  readonly httpStatus: number;
  /** ISO-8601 in UTC, with milliseconds. */
  readonly timestamp: string;
  /** For example `file.read`. */
  readonly operation?: string;
}

/** A checkpoint of a sandbox (docs/contract.md#checkpoints). */
export interface CheckpointInfo {
  /** Minted by the sandbox. */
  readonly id: string;
  /** The name from its creator; null: none. */
  readonly name: string | null;
  /** ISO-8601. */
  readonly createdAt: string;
}
