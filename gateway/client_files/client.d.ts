/**
 * The client's environment: bindings to runtimes, and a namespace of sandboxes.
 * Any object with these methods works: the values of `connect()`, a service in the same process, or
 * a fake.
 *
 * @module
 */
/**
 * A binding to one runtime worker or one sandbox. The host of a request is ignored.
 *
 * @example
 * ```ts ignore
 * import { runCode, type ServiceBinding } from "@belljar/client";
 *
 * // a fake for tests, whose programs all return 42
 * const fake: ServiceBinding = {
 *   fetch: async (request) => {
 *     const { code } = await request.json();
 *     return Response.json({
 *       code,
 *       language: "python",
 *       engine: "fake",
 *       durationMs: 0,
 *       logs: { stdout: [], stderr: [] },
 *       results: [{ text: "42" }],
 *     });
 *   },
 * };
 * console.assert((await runCode(fake, "6 * 7")).results[0]?.text === "42");
 * ```
 */
export interface ServiceBinding {
	/** Sends a request; rejects only when the other side cannot be called. */
	fetch(request: Request): Promise<Response>;
}
/**
 * A namespace in which sandboxes are found by name.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox } from "@belljar/client";
 *
 * const { Sandbox } = connect("http://127.0.0.1:8000");
 * const { contexts } = await getSandbox(Sandbox, "unused").info();
 * console.assert(contexts.length === 0);
 * ```
 */
export interface SandboxNamespace {
	/** The id of the sandbox with a name. Only the namespace knows the meaning of the value. */
	idFromName(name: string): unknown;
	/** The stub of a sandbox. It need not exist yet: its first use creates it. */
	get(id: unknown): ServiceBinding;
	/** The names of the bindings, where they are known. Messages list them. */
	readonly bindings?: readonly string[];
}
/**
 * The names in `Env` that hold a service binding; any string when `Env` is not known.
 *
 * A namespace of sandboxes, a string or a number in `Env` is not a binding, so its name is not
 * included.
 */
export type ServiceBindingName<Env> = unknown extends Env ? string : {
	[Name in Extract<keyof Env, string>]: NonNullable<Env[Name]> extends ServiceBinding ? Name : never;
}[Extract<keyof Env, string>];
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
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | {
	readonly [key: string]: JsonValue;
};
declare const LANGUAGES: readonly [
	"javascript",
	"python",
	"perl",
	"ruby",
	"shell"
];
/** A language, by the id used in paths and answers. */
export type Language = typeof LANGUAGES[number];
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
	readonly data: {
		readonly [mime: string]: JsonValue;
	};
	/** The guest's metadata, for example `width` and `height` by media type. */
	readonly metadata?: {
		readonly [key: string]: JsonValue;
	};
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
/** A JSON Schema. */
export type JsonSchema = {
	readonly [keyword: string]: JsonValue;
};
/** Where the service tells of a run (docs/calls.md#notifications). */
export interface NotifyTarget {
	/** A URL of a host that the operator allows; `https:`, but for private addresses. */
	readonly url: string;
	/** Signs the notifications; base64 after `whsec_`, or any text. At most 512 characters. */
	readonly secret: string;
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
interface ExecutionResult {
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
	readonly context: {
		readonly [key: string]: JsonValue;
	};
	/** The HTTP status of the answer. */
	readonly httpStatus: number;
	/** ISO-8601 in UTC, with milliseconds. */
	readonly timestamp: string;
	/** For example `file.read`. */
	readonly operation?: string;
}
/** Details of a {@link SandboxError}; the keys depend on the code. */
export interface ErrorContext {
	/** For example `contextId`, `path`, `limit`. */
	readonly [key: string]: JsonValue;
}
/** The options of a {@link SandboxError}, besides its message. */
export interface SandboxErrorDetails {
	/** One of the service's codes. */
	readonly code: string;
	/** HTTP status of the answer. */
	readonly httpStatus: number;
	/** Details of the error; `{}` when absent. */
	readonly context?: ErrorContext;
	/** ISO-8601 in UTC; the client's time when absent. */
	readonly timestamp?: string;
	/** For example `file.read`. */
	readonly operation?: string;
	/** How long the service asks to wait, in milliseconds. */
	readonly retryAfterMs?: number;
	/** The underlying error, for example that of a failed connection. */
	readonly cause?: unknown;
}
/**
 * Base class of all errors of the client, and the class of every code without its own class. A
 * guest's error is never thrown: it is `result.error`.
 *
 * A `httpStatus` of 502 with code `INTERNAL_ERROR` also means that a binding could not be called,
 * or that an answer does not have the expected shape. `UNREACHABLE` is the client's own code: the
 * connection to the service could not be opened, or it broke. The message names the reason;
 * `context` has the `address` and whether anything was `sent`.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox, SandboxError } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await using sandbox = getSandbox(env.Sandbox, "scratch", { ephemeral: true });
 * try {
 *   await sandbox.files.read("missing.txt");
 * } catch (error) {
 *   if (!(error instanceof SandboxError)) throw error;
 *   console.assert(error.code === "FILE_NOT_FOUND" && error.httpStatus === 404);
 *   console.assert(!error.retryable);
 * }
 * ```
 */
export declare class SandboxError extends Error {
	/** The name of the class. */
	readonly name: string;
	/** One of the service's codes, see `ErrorCode`, or `UNREACHABLE`. */
	readonly code: string;
	/** Details of the error; the keys depend on the code. */
	readonly context: ErrorContext;
	/** HTTP status of the answer, or the corresponding status if the client refused the call. */
	readonly httpStatus: number;
	/** ISO-8601 in UTC, with milliseconds. */
	readonly timestamp: string;
	/** For example `file.read`; undefined when the service named none. */
	readonly operation: string | undefined;
	/** How long the service asked to wait, in milliseconds; undefined when it did not. */
	readonly retryAfterMs: number | undefined;
	/** Created by the client; applications need not do so. */
	constructor(message: string, details: SandboxErrorDetails);
	/** Whether the call never started, so that it may be retried: refused, or not sent. */
	get retryable(): boolean;
}
/**
 * The call is not acceptable; `message` says why.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox, ValidationFailedError } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await using sandbox = getSandbox(env.Sandbox, "scratch", { ephemeral: true });
 * const error = await sandbox.interpreter.runCode("1 + 1").catch((thrown: unknown) => thrown);
 * console.assert(error instanceof ValidationFailedError);
 * ```
 */
export declare class ValidationFailedError extends SandboxError {
	/** The name of the class. */
	readonly name = "ValidationFailedError";
}
/**
 * The sandbox has no context with that id.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox, ContextNotFoundError } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await using sandbox = getSandbox(env.Sandbox, "scratch", { ephemeral: true });
 * const error = await sandbox.interpreter.deleteCodeContext("unknown").catch((thrown: unknown) => thrown);
 * console.assert(error instanceof ContextNotFoundError);
 * ```
 */
export declare class ContextNotFoundError extends SandboxError {
	/** The name of the class. */
	readonly name = "ContextNotFoundError";
}
/**
 * A call of `sandbox.files` failed. Base class for the more common reasons.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox, FileSystemError } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await using sandbox = getSandbox(env.Sandbox, "scratch", { ephemeral: true });
 * const error = await sandbox.files.read("/workspace").catch((thrown: unknown) => thrown);
 * console.assert(error instanceof FileSystemError);
 * ```
 */
export declare class FileSystemError extends SandboxError {
	/** The name of the class. */
	readonly name: string;
}
/**
 * There is no such file or directory.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox, FileNotFoundError } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await using sandbox = getSandbox(env.Sandbox, "scratch", { ephemeral: true });
 * const error = await sandbox.files.stat("missing.txt").catch((thrown: unknown) => thrown);
 * console.assert(error instanceof FileNotFoundError);
 * ```
 */
export declare class FileNotFoundError extends FileSystemError {
	/** The name of the class. */
	readonly name = "FileNotFoundError";
}
/**
 * The path exists already.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox, FileExistsError } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await using sandbox = getSandbox(env.Sandbox, "scratch", { ephemeral: true });
 * await sandbox.files.mkdir("data");
 * const error = await sandbox.files.mkdir("data").catch((thrown: unknown) => thrown);
 * console.assert(error instanceof FileExistsError);
 * ```
 */
export declare class FileExistsError extends FileSystemError {
	/** The name of the class. */
	readonly name = "FileExistsError";
}
/**
 * The path is outside `/workspace`, or may not be changed.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox, PermissionDeniedError } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await using sandbox = getSandbox(env.Sandbox, "scratch", { ephemeral: true });
 * const error = await sandbox.files.read("/etc/passwd").catch((thrown: unknown) => thrown);
 * console.assert(error instanceof PermissionDeniedError);
 * ```
 */
export declare class PermissionDeniedError extends FileSystemError {
	/** The name of the class. */
	readonly name = "PermissionDeniedError";
}
/**
 * The file would exceed the maximum size.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox, FileTooLargeError } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await using sandbox = getSandbox(env.Sandbox, "scratch", { ephemeral: true });
 * const content = new Uint8Array(5 * 1024 * 1024);
 * const error = await sandbox.files.upload("large", content).catch((thrown: unknown) => thrown);
 * console.assert(error instanceof FileTooLargeError);
 * ```
 */
export declare class FileTooLargeError extends FileSystemError {
	/** The name of the class. */
	readonly name = "FileTooLargeError";
}
/**
 * The value of the last top-level expression.
 *
 * @example
 * ```ts ignore
 * import { connect, runCode } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * const { results: [value] } = await runCode(env.JAVASCRIPT, "[1, 2]");
 * console.assert(value?.formats().join() === "json" && Array.isArray(value.json));
 * ```
 */
export interface Result extends ResultEntry {
	/** The available formats of the value: `text`, `json`, or both. */
	formats(): string[];
}
/**
 * The result of a run. If the guest failed, `error` is set.
 *
 * `displays` comes from the guest: never render its HTML or SVG in the origin of your page.
 *
 * Numbers come from `JSON.parse`: an integer beyond 2^53 loses digits.
 *
 * @example
 * ```ts ignore
 * import { connect, runCode } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * const { logs, results, error, usage } = await runCode(env.PYTHON, "print('hi')\n6 * 7");
 * console.assert(logs.stdout[0] === "hi" && results[0]?.text === "42" && error === undefined);
 * console.assert((usage?.fuelConsumed ?? 0) > 0);
 * ```
 */
interface ExecutionResult$1 extends ExecutionResult {
	/** At most one entry; empty when `error` is set. */
	readonly results: readonly Result[];
}
/** A line of output. */
export interface OutputMessage {
	/** The line, without its newline. */
	readonly text: string;
	/** When the callback was called, in epoch milliseconds. */
	readonly timestamp: number;
}
/**
 * Callbacks of a run. With any of them, the client requests a stream: lines and displays are
 * reported as they arrive, in order; results and error follow at the end of the run. A service
 * without streams reports all lines of stdout, all of stderr, displays, results and error at the
 * end.
 *
 * Each callback is awaited before the next call. If a callback throws, the run's promise rejects
 * with that error, no other callback is called, and the run ends. If a callback never returns,
 * only `signal` or `timeout` ends the call; the run and other calls continue.
 *
 * A limit or a conflict rolls the run back, including reported output. The result is
 * authoritative.
 *
 * @example
 * ```ts ignore
 * import { connect, runCode } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * const lines: string[] = [];
 * await runCode(env.JAVASCRIPT, "console.log('one'); console.error('two'); missing", {
 *   onStdout: ({ text }) => void lines.push(text),
 *   onStderr: ({ text }) => void lines.push(text),
 *   onError: ({ name }) => void lines.push(name),
 * });
 * console.assert(lines.join() === "one,two,ReferenceError");
 * ```
 */
export interface RunCallbacks {
	/** Called for each line of standard output. */
	readonly onStdout?: ((output: OutputMessage) => void | Promise<void>) | undefined;
	/** Called for each line of standard error. */
	readonly onStderr?: ((output: OutputMessage) => void | Promise<void>) | undefined;
	/**
	 * Called for each entry of `displays`, after the lines that ended before it.
	 */
	readonly onDisplay?: ((display: Display) => void | Promise<void>) | undefined;
	/** Called for each entry of `results`: at most once. */
	readonly onResult?: ((result: Result) => void | Promise<void>) | undefined;
	/** Called if the guest failed or reached a limit. */
	readonly onError?: ((error: ExecutionError) => void | Promise<void>) | undefined;
}
/** The answer to a call or a question. */
export type CallAnswer = {
	readonly key: string;
	/** The result of the tool; for a question a line, or null for the end of input. */
	readonly value: JsonValue;
} | {
	readonly key: string;
	/** Raises `ToolError` in the program. */
	readonly error: {
		readonly message: string;
		readonly data?: JsonValue;
	};
} | {
	readonly key: string;
	/** Raises `ToolDenied` in the program, with this reason. */
	readonly deny: string;
} | {
	readonly key: string;
	/** The service performs the call: it is one of the operator's tools. */
	readonly approve: true;
};
declare const RUN_STATES: readonly [
	"queued",
	"running",
	"waiting",
	"ended",
	"failed",
	"cancelled",
	"expired"
];
/** The state of a run. */
export type RunState = typeof RUN_STATES[number];
/** A run in a listing. Times are ISO-8601. */
export interface RunSummary {
	/** Id of the run. */
	readonly id: string;
	/** Its state. */
	readonly state: RunState;
	/** The language of the program. */
	readonly language: Language;
	/** The context in which it runs; absent for a run without one. */
	readonly contextId?: string;
	/** When it was asked for. */
	readonly createdAt: string;
	/** When its program began. */
	readonly startedAt?: string;
	/** When it ended. */
	readonly endedAt?: string;
	/** Present while it waits; in a listing only in that of runs that wait. */
	readonly waiting?: Waiting;
}
/** A run. */
export interface RunInfo extends RunSummary {
	/** Its result, once it has ended. */
	readonly execution?: ExecutionResult;
}
declare const APPROVALS: readonly [
	"never",
	"always"
];
/** A tool of the operator. */
export interface AvailableTool {
	/** Identifiers joined by dots. */
	readonly name: string;
	/** The purpose of the tool, for people and models. */
	readonly description?: string;
	/** JSON Schema of the arguments. */
	readonly inputSchema: JsonSchema;
	/** JSON Schema of the result. */
	readonly outputSchema?: JsonSchema;
	/** `always`: each call waits until somebody approves it. */
	readonly approval: typeof APPROVALS[number];
	/** Whether repeating a call has no further effect. */
	readonly idempotent: boolean;
}
/** Arguments of a call, by name. */
export interface ToolInput {
	/** A value as JSON has it. */
	readonly [name: string]: JsonValue;
}
/**
 * Performs a call. Its value becomes the value of the call in the program; `undefined` becomes null.
 * An error that it throws becomes a `ToolError` with its message and its `data`; a
 * {@link ToolDenied} becomes one of the same name.
 */
export type ToolFunction = {
	call(input: ToolInput): unknown;
}["call"];
/** A schema by the specification Standard Schema, such as one of zod, valibot or arktype. */
export interface StandardSchema {
	/** The specification's properties. */
	readonly "~standard": {
		/** Version of the specification. */
		readonly version: 1;
		/** Checks a value. */
		readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
		/** Converts to JSON Schema, where the library can. */
		readonly jsonSchema?: {
			/** The schema of values before they are checked. */
			readonly input: (options: {
				readonly target: "draft-2020-12";
			}) => object;
			/** The schema of values after they are checked. */
			readonly output: (options: {
				readonly target: "draft-2020-12";
			}) => object;
		};
	};
}
/** The result of a check. */
export type StandardResult = {
	readonly value: unknown;
	readonly issues?: undefined;
} | {
	readonly issues: readonly {
		readonly message: string;
	}[];
};
/** A tool with its description and schemas. */
export interface Tool {
	/** The purpose of the tool. */
	readonly description?: string | undefined;
	/**
	 * The arguments. Those that break a JSON Schema raise `ToolError` in the program, and nobody is
	 * asked. A Standard Schema also checks and converts them here.
	 */
	readonly inputSchema?: JsonSchema | StandardSchema | undefined;
	/** The value. */
	readonly outputSchema?: JsonSchema | StandardSchema | undefined;
	/** Milliseconds from the moment at which a call is shown, after which it raises `ToolExpired`. */
	readonly timeoutMs?: number | undefined;
	/** Whether repeating a call has no further effect. */
	readonly idempotent?: boolean | undefined;
	/** Performs a call. */
	readonly execute: ToolFunction;
}
/** Tools by name: identifiers joined by dots, such as `crm.find`. */
export interface Tools {
	/** A function, or one with its description and schemas. */
	readonly [name: string]: ToolFunction | Tool;
}
/**
 * Thrown by a tool: the program gets a `ToolDenied` with this message.
 *
 * @example
 * ```ts ignore
 * import { connect, runCode, ToolDenied } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * const { error } = await runCode(env.PYTHON, "tools.pay(amount=5)", {
 *   tools: {
 *     pay: () => {
 *       throw new ToolDenied("not today");
 *     },
 *   },
 * });
 * console.assert(error?.name === "ToolDenied" && error.message === "not today");
 * ```
 */
export declare class ToolDenied extends Error {
	/** The name of the class. */
	readonly name = "ToolDenied";
}
/** Callbacks of a run that a program waits for. */
export interface CallerOptions {
	/**
	 * Functions that the program may call: `await tools.crm.find({ q })` in JavaScript,
	 * `tools.crm.find(q="x")` in Python, `tools.crm.find(q: "x")` in Ruby,
	 * `Belljar::call("crm.find", { q => "x" })` in Perl. Several may run at once. An abort, a timeout
	 * and a callback that throws cancel the run, whose program may be waiting.
	 */
	readonly tools?: Tools | undefined;
	/**
	 * Tools of the service's operator that the program may call, too: names, or patterns such as
	 * `"crm.*"`. The service performs these calls.
	 */
	readonly operatorTools?: readonly string[] | undefined;
	/**
	 * Called when a tool of the operator needs an approval: true approves the call, false denies it,
	 * and a text is the reason of a denial. When absent, the run waits until somebody else decides.
	 */
	readonly onApproval?: ((call: PendingCall) => boolean | string | Promise<boolean | string>) | undefined;
	/**
	 * Called when the program reads standard input past its end, with the unfinished line of its
	 * output. Returns the next line, or null for the end of input.
	 */
	readonly onInput?: ((prompt: string) => string | null | Promise<string | null>) | undefined;
}
/**
 * How to retry refused calls.
 *
 * @example
 * ```ts ignore
 * import { connect, runCode } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await runCode(env.PYTHON, "6 * 7", { retry: { attempts: 2, maxDelayMs: 1_000 } });
 * await runCode(env.PYTHON, "6 * 7", { retry: false });
 * ```
 */
export interface RetryOptions {
	/** Maximum number of attempts, including the first. @default {4} */
	readonly attempts?: number | undefined;
	/** The jitter after the first refusal is below this, in milliseconds; it doubles each time. @default {250} */
	readonly baseDelayMs?: number | undefined;
	/**
	 * Longest wait, in milliseconds. When the service asks for a longer one, the call fails at
	 * once. @default {30000}
	 */
	readonly maxDelayMs?: number | undefined;
	/** Returns a random number from 0 up to 1. @default {Math.random} */
	readonly random?: (() => number) | undefined;
	/** Waits; rejects with the signal's reason when it fires. By default a timer. */
	readonly sleep?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined;
}
/** Options that every call takes. */
export interface RequestOptions {
	/** Ends the call; it rejects with the signal's reason. */
	readonly signal?: AbortSignal | undefined;
	/**
	 * Milliseconds until the call ends with a `DOMException` named `TimeoutError`, including waits,
	 * retries and callbacks. By default there is no timeout.
	 */
	readonly timeout?: number | undefined;
	/**
	 * How to retry a call that the service refused before it started, and a run with an
	 * `idempotencyKey` whose connection broke; `false`: never.
	 */
	readonly retry?: RetryOptions | false | undefined;
}
/** A saved state of a sandbox: its contexts, files and variables. */
export interface Checkpoint {
	/** Chosen by the sandbox. */
	readonly id: string;
	/** Its name, or null. */
	readonly name: string | null;
	/** The time of its creation. */
	readonly createdAt: Date;
}
/** Options of a new checkpoint. */
export interface CreateCheckpointOptions extends RequestOptions {
	/** 1 to 128 characters. @default {no name} */
	readonly name?: string | undefined;
}
/**
 * The checkpoints of a sandbox.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await using sandbox = getSandbox(env.Sandbox, "scratch", { ephemeral: true });
 * await sandbox.files.write("notes.txt", "first");
 * const { id } = await sandbox.checkpoints.create({ name: "before the change" });
 * await sandbox.files.write("notes.txt", "second");
 * await sandbox.checkpoints.restore(id);
 * console.assert(await sandbox.files.read("notes.txt") === "first");
 * ```
 */
export interface Checkpoints {
	/**
	 * Saves the sandbox as of its last commits. Memory is shared, not copied.
	 *
	 * Rejects with a `SandboxError`: `CONFLICT` for a seventeenth checkpoint, `NO_SPACE`.
	 */
	create(options?: CreateCheckpointOptions): Promise<Checkpoint>;
	/** All checkpoints, oldest first. */
	list(options?: RequestOptions): Promise<Checkpoint[]>;
	/**
	 * Restores the sandbox to a checkpoint, in one step. Newer contexts are deleted, deleted ones
	 * return with their ids, and runs in progress end with `CONFLICT`. The checkpoint stays.
	 *
	 * Rejects with a `SandboxError`: `CHECKPOINT_NOT_FOUND`.
	 */
	restore(id: string, options?: RequestOptions): Promise<void>;
	/** Deletes a checkpoint. Rejects with a `SandboxError`: `CHECKPOINT_NOT_FOUND`. */
	delete(id: string, options?: RequestOptions): Promise<void>;
}
/** Variables by name. The meaning of `undefined` depends on the call. */
export interface EnvVars {
	/** Name → value. */
	readonly [name: string]: string | undefined;
}
declare const LANGUAGE_ALIASES: {
	readonly javascript: readonly [
		"js",
		"node",
		"typescript",
		"ts"
	];
	readonly python: readonly [
		"python3",
		"py"
	];
	readonly perl: readonly [
		"pl"
	];
	readonly ruby: readonly [
		"rb"
	];
	readonly shell: readonly [
		"bash",
		"sh"
	];
};
/** The names of a language: its id and its aliases. */
export type LanguageName<L extends Language = Language> = {
	readonly [K in L]: K | typeof LANGUAGE_ALIASES[K][number];
}[L];
/** A durable interpreter of a sandbox: later runs see the definitions of earlier runs. */
export interface CodeContext {
	/** Chosen by the sandbox. */
	readonly id: string;
	/** Name of its service binding. */
	readonly binding: string;
	/** Language of that binding's runtime. */
	readonly language: string;
	/** Working directory when it was created or last used. */
	readonly cwd: string;
	/** Time of its creation. */
	readonly createdAt: Date;
	/** Time of its last run, or of its creation. */
	readonly lastUsed: Date;
}
/**
 * A context that can be forked.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await using sandbox = getSandbox(env.Sandbox, "scratch", { ephemeral: true });
 * const context = await sandbox.interpreter.createCodeContext({ language: "javascript" });
 * await sandbox.interpreter.runCode("var n = 1", { context });
 * const fork = await context.fork();
 * await sandbox.interpreter.runCode("n = 2", { context: fork });
 * const { results } = await sandbox.interpreter.runCode("n", { context });
 * console.assert(results[0]?.text === "1");
 * ```
 */
export interface ForkableContext extends CodeContext {
	/**
	 * Creates a context with the memory, working directory and variables of this one at its last
	 * commit. It takes milliseconds, whatever the size: both share unchanged memory.
	 *
	 * Rejects with a `ContextNotFoundError`, or a `ValidationFailedError` for a ninth context.
	 */
	fork(options?: RequestOptions): Promise<ForkableContext>;
}
/**
 * The languages whose runtimes have a binding by the language's name: `PYTHON` for `"python"`,
 * `"python3"` and `"py"`.
 */
export type BoundLanguage<Binding extends string> = string extends Binding ? LanguageName : {
	readonly [L in Language]: Uppercase<L> extends Binding ? LanguageName<L> : never;
}[Language];
/** Options for creating a context: a binding, or a language instead. */
export type CreateContextOptions<Binding extends string = string> = NewContextOptions & ({
	/** Name of the service binding of a runtime that can hold contexts. */
	readonly binding: Binding;
	/** Not with a binding. */
	readonly language?: undefined;
} | {
	/** A language, by its id or an alias: means the binding of that name in capitals. */
	readonly language: BoundLanguage<Binding>;
	/** Not with a language. */
	readonly binding?: undefined;
});
/** Options of a new context, besides its binding. */
export interface NewContextOptions extends RequestOptions {
	/** An existing directory under `/workspace`. @default {"/workspace"} */
	readonly cwd?: string | undefined;
	/** Variables of the context. A value of `undefined` is omitted. */
	readonly envVars?: EnvVars | undefined;
}
/** Permissions of a file. */
export interface FilePermissions {
	/** It can be read. */
	readonly readable: boolean;
	/** It can be written. */
	readonly writable: boolean;
	/** It can be executed. */
	readonly executable: boolean;
}
/** A stored memory snapshot of a context (docs/contract.md#snapshotinfo). */
export interface SnapshotInfo {
	/** Identifies the build of the engine and its baseline. */
	readonly build: string;
	/** Pages of 4 KiB that differ from the baseline. */
	readonly pages: number;
	/** Length of these pages in bytes. */
	readonly bytes: number;
	/** Stored length, in bytes. */
	readonly storedBytes: number;
	/** When it was taken, in epoch milliseconds. */
	readonly takenAt: number;
}
/** A tenant's use of its quotas. Bytes are those of files, variables and snapshots. */
export interface TenantUsage {
	/** Number of sandboxes. */
	readonly sandboxes: number;
	/** Maximum number of sandboxes. */
	readonly maxSandboxes: number;
	/** Bytes in use. */
	readonly bytes: number;
	/** Maximum number of bytes. */
	readonly maxBytes: number;
}
/**
 * The sandboxes of a service at a URL: found by name, and listed.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await getSandbox(env.Sandbox, "scratch").files.upload("notes.txt", "hello");
 * for await (const { id, files, bytes } of env.Sandbox.list()) {
 *   console.log(`${id}: ${files} files, ${bytes} bytes`);
 * }
 * ```
 */
export interface SandboxDirectory extends SandboxNamespace {
	/**
	 * All sandboxes of the token's tenant, in order of id. Each page is requested when it is needed.
	 * A sandbox that exists throughout comes once, even if others are created or deleted meanwhile.
	 *
	 * The iteration rejects with a `SandboxError`. Each iteration begins anew.
	 */
	list(options?: ListSandboxesOptions): AsyncIterable<SandboxSummary>;
	/** The tenant's use of its quotas. */
	usage(options?: RequestOptions): Promise<TenantUsage>;
}
/** Options of `env.Sandbox.list()`. `timeout` is that of each page. */
export interface ListSandboxesOptions extends RequestOptions {
	/** Sandboxes per page, 1 to 100. All pages are read. @default {50} */
	readonly limit?: number | undefined;
}
/** A sandbox in the listing. */
export interface SandboxSummary {
	/** The name that it is found by. */
	readonly id: string;
	/** When it was created. */
	readonly createdAt: Date;
	/** When it was last used; listing it is no use. */
	readonly lastUsed: Date;
	/** When it is deleted unless it is used before, in epoch milliseconds; null: never. */
	readonly expiresAt: number | null;
	/** Number of contexts. */
	readonly contexts: number;
	/** Number of files. */
	readonly files: number;
	/** Total length of the files, in bytes. */
	readonly bytes: number;
}
/** Options of {@link connect}. */
export interface ConnectOptions {
	/** Sent as `Authorization: Bearer` with each request. */
	readonly token?: string | undefined;
	/** Sends a request. By default the global `fetch`. */
	readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}
/**
 * The runtimes of a service at a URL, by the languages' ids in capitals: `JAVASCRIPT` (TypeScript
 * too), `PYTHON`, `PERL`, `RUBY`, `SHELL`.
 */
export type RuntimeBindings = {
	readonly [L in Language as Uppercase<L>]: ServiceBinding;
};
/**
 * The bindings of a service at a URL.
 *
 * @example
 * ```ts ignore
 * import { connect } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000", { token: "secret" });
 * const names = (await env.tools()).map(({ name }) => name);
 * console.assert(names.length === 0); // a service without tools of its operator
 * ```
 */
export interface Connection extends RuntimeBindings {
	/** Its sandboxes, and the listing of those of the token's tenant. */
	readonly Sandbox: SandboxDirectory;
	/**
	 * The tools that the service's operator gives the token's tenant. A run names them in
	 * `operatorTools`.
	 */
	tools(options?: RequestOptions): Promise<AvailableTool[]>;
}
/**
 * Creates bindings to a service at a URL. Sends nothing yet.
 *
 * @example
 * ```ts ignore
 * import { connect, runCode } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000", { token: "secret" });
 * const { results } = await runCode(env.PYTHON, "6 * 7");
 * console.assert(results[0]?.text === "42");
 * ```
 *
 * @throws {ValidationFailedError} when the URL or the token is not valid.
 */
export declare function connect(url: string | URL, options?: ConnectOptions): Connection;
/** Limits of one run, at most the service's own. The service's limit for each absent field. */
export interface RunLimits {
	/** Units of fuel at which the run is ended: a positive integer. */
	readonly fuel?: number | undefined;
	/** Milliseconds at which the run is ended, virtual sleeps included: a positive integer. */
	readonly wallMs?: number | undefined;
}
/** Options of a run without a context. */
export interface StatelessRunCodeOptions extends RequestOptions, RunCallbacks, CallerOptions {
	/** Variables of this run. A value of `undefined` is omitted. */
	readonly envVars?: EnvVars | undefined;
	/** Limits of this run, at most those of the service, which `GET /languages` lists. */
	readonly limits?: RunLimits | undefined;
	/**
	 * Standard input of the program, at most 64 KiB of UTF-8. Unread input is
	 * gone. @default {""}
	 */
	readonly stdin?: string | undefined;
	/**
	 * Fixes the random bytes of the run: an integer from 0 to 2^53-1. With `clock` too, a run from the
	 * same state gives the same output, results, fuel and state. @default {new ones}
	 */
	readonly seed?: number | undefined;
	/**
	 * The start of the run's clock, in integer epoch milliseconds from 0 to 8.64e15. Only sleeps
	 * advance it. @default {real time}
	 */
	readonly clock?: number | undefined;
	/**
	 * Adds `repr` to the entry of the result: the value's own form in its language, for people and
	 * models, such as `[True, None]` in Python. @default {false}
	 */
	readonly repr?: boolean | undefined;
	/**
	 * Where the service tells when the run waits and when it is over, if its operator allows the host.
	 */
	readonly notify?: NotifyTarget | undefined;
}
/**
 * Options of a run in a sandbox: a context, or the binding whose default context is used.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await using sandbox = getSandbox<typeof env>(env.Sandbox, "counter", { ephemeral: true });
 * const { executionCount } = await sandbox.interpreter.runCode("console.log('hi')", {
 *   binding: "JAVASCRIPT",
 *   idempotencyKey: crypto.randomUUID(), // the run happens once
 *   ifExecutions: 0, // only as the first run of the context
 *   onStdout: ({ text }) => console.log("guest:", text), // while the program runs
 * });
 * console.assert(executionCount === 1);
 * ```
 */
export interface RunCodeOptions<Binding extends string = string> extends StatelessRunCodeOptions {
	/** The context to run in. */
	readonly context?: CodeContext | undefined;
	/**
	 * Used when `context` is absent: the default context of this binding, which is created if there
	 * is none.
	 */
	readonly binding?: Binding | undefined;
	/**
	 * Variables of this run, which override those of context and sandbox. `undefined` unsets the
	 * name.
	 */
	readonly envVars?: EnvVars | undefined;
	/**
	 * Names the run, 1 to 255 visible ASCII characters: use a new one for each run, for example
	 * `crypto.randomUUID()`. For 24 hours the same call with the same key resolves with the first
	 * result and runs nothing; another call with the key rejects with `CONFLICT`. So the client also
	 * tries again when the connection broke. Callbacks still receive each line once.
	 */
	readonly idempotencyKey?: string | undefined;
	/**
	 * Run only if the context has had this number of runs, 0 or more; otherwise the call rejects with
	 * `PRECONDITION_FAILED`. The number after a run is its `executionCount`.
	 */
	readonly ifExecutions?: number | undefined;
}
/**
 * Contexts of a sandbox, and runs in them.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await using sandbox = getSandbox(env.Sandbox, "scratch", { ephemeral: true });
 * const { interpreter } = sandbox;
 * const context = await interpreter.createCodeContext({ language: "python" });
 * await interpreter.runCode("total = sum(range(10))", { context });
 * const { results, error } = await interpreter.runCode("total", { context });
 * console.assert(error === undefined && results[0]?.text === "45");
 * console.assert((await interpreter.listCodeContexts()).length === 1);
 * await interpreter.deleteCodeContext(context.id);
 * ```
 */
export interface Interpreter<Binding extends string = string> {
	/**
	 * Creates a context.
	 *
	 * `language: "python"` means the binding `PYTHON`; aliases such as `py` and `ts` do, too.
	 *
	 * Rejects with a `ValidationFailedError`: `Unknown binding 'X'`, `Binding 'X' is not a runtime
	 * worker`, `Code contexts are not supported by binding 'X' (language)`, a `cwd` that is not a
	 * directory under `/workspace`, a ninth context.
	 */
	createCodeContext(options: CreateContextOptions<Binding>): Promise<ForkableContext>;
	/** All contexts of the sandbox, of every binding. */
	listCodeContexts(options?: RequestOptions): Promise<ForkableContext[]>;
	/**
	 * Deletes a context and its state. Files in `/workspace` stay.
	 *
	 * Rejects with a `ContextNotFoundError` when there is no context with that id.
	 */
	deleteCodeContext(id: string, options?: RequestOptions): Promise<void>;
	/**
	 * Runs code in `context`, or else in the default context of `binding`: its oldest one, or a new
	 * one at `/workspace`. A runtime without contexts runs it statelessly; the result then has no
	 * `context`.
	 *
	 * Resolves even when the guest fails: check `error`. Rejects with a `ValidationFailedError`
	 * (`Pass a context or a binding`) or another `SandboxError` when the code could not be run. The
	 * guest's limits apply for any `timeout`.
	 */
	runCode(code: string, options?: RunCodeOptions<Binding>): Promise<ExecutionResult$1>;
}
/** Options of a command: those of a run, and where it runs. */
export interface ExecOptions extends Pick<RunCodeOptions, "clock" | "envVars" | "idempotencyKey" | "limits" | "onStderr" | "onStdout" | "retry" | "seed" | "signal" | "stdin" | "timeout"> {
	/** Where the command runs. @default {"/workspace"} */
	readonly cwd?: string | undefined;
}
/** The outcome of a command. */
export interface CommandResult {
	/** Standard output, as the command wrote it. */
	readonly stdout: string;
	/** Standard error, as the command wrote it. */
	readonly stderr: string;
	/** The exit code; 137 for a command that a limit ended. */
	readonly exitCode: number;
	/** The limit that ended the command. */
	readonly error?: ExecutionResult$1["error"];
}
/** The contents of an upload; text as UTF-8. */
export type FileContent = string | Uint8Array | Blob | ReadableStream<Uint8Array>;
/** Options of `files.upload`: conditions on the existing file. */
export interface UploadOptions extends RequestOptions {
	/** `"*"`: only create; if the file exists, the call rejects with `PRECONDITION_FAILED`. */
	readonly ifNoneMatch?: string | undefined;
	/**
	 * Only replace this state, otherwise `PRECONDITION_FAILED`: the SHA-256 of the contents, in
	 * hexadecimal and in quotation marks.
	 */
	readonly ifMatch?: string | undefined;
}
/**
 * Files as bytes.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await using sandbox = getSandbox(env.Sandbox, "scratch", { ephemeral: true });
 * await sandbox.files.upload("data/numbers.bin", Uint8Array.of(1, 2, 3));
 * console.assert((await sandbox.files.download("data/numbers.bin")).length === 3);
 * const stream = await sandbox.files.downloadStream("data/numbers.bin");
 * console.assert((await new Response(stream).arrayBuffer()).byteLength === 3);
 * ```
 */
export interface ByteFiles {
	/**
	 * Creates a file or replaces its contents. Missing parent directories are created. A stream is read
	 * into memory first; if it breaks off, nothing is changed. More than 4 MiB of any other content are
	 * sent in pieces, which go on after a broken connection; `timeout` holds for each of them.
	 */
	upload(path: string, content: FileContent, options?: UploadOptions): Promise<void>;
	/** Reads a file. */
	download(path: string, options?: RequestOptions): Promise<Uint8Array<ArrayBuffer>>;
	/**
	 * Reads a file as it arrives. Resolves once the file is found. `signal` and `timeout` hold until
	 * the stream is read to its end or cancelled; then it fails with their reason.
	 */
	downloadStream(path: string, options?: RequestOptions): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
}
/** A file or directory under `/workspace`. */
export interface FileInfo {
	/** The last segment of its path. */
	readonly name: string;
	/** Begins with `/workspace`. */
	readonly absolutePath: string;
	/** Relative to the listed directory, or to `/workspace`. */
	readonly relativePath: string;
	/** Its type. */
	readonly type: "file" | "directory";
	/** Length in bytes. */
	readonly size: number;
	/** When it was last written. */
	readonly modifiedAt: Date;
	/** For example `-rw-r--r--`. */
	readonly mode: string;
	/** Its permissions. */
	readonly permissions: FilePermissions;
}
/** Options of `files.write` and `files.mkdir`. */
export interface CreatePathOptions extends RequestOptions {
	/**
	 * Create missing parent directories; for `mkdir` also accept an existing directory. @default
	 * {false}
	 */
	readonly recursive?: boolean | undefined;
}
/** Options of `files.delete`. */
export interface DeletePathOptions extends RequestOptions {
	/** Delete a directory with all its contents. @default {false} */
	readonly recursive?: boolean | undefined;
	/** Ignore a path that does not exist. @default {false} */
	readonly force?: boolean | undefined;
}
/** Options of `files.list`. */
export interface ListFilesOptions extends RequestOptions {
	/** Include the contents of subdirectories. @default {false} */
	readonly recursive?: boolean | undefined;
	/** Include entries whose path has a segment that begins with a dot. @default {false} */
	readonly includeHidden?: boolean | undefined;
}
/**
 * The files of a sandbox. A failing call rejects with a `FileSystemError`.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await using sandbox = getSandbox(env.Sandbox, "scratch", { ephemeral: true });
 * const { files } = sandbox;
 * await files.write("data/numbers.txt", "1 2 3", { recursive: true });
 * await files.rename("data/numbers.txt", "data/list.txt");
 * console.assert(await files.read("data/list.txt") === "1 2 3");
 * console.assert((await files.list("data")).map(({ name }) => name).join() === "list.txt");
 * await files.delete("data", { recursive: true });
 * ```
 */
export interface SandboxFiles extends ByteFiles {
	/** Reads a file as text; invalid UTF-8 becomes U+FFFD. */
	read(path: string, options?: RequestOptions): Promise<string>;
	/** Reads a file as bytes. */
	readBytes(path: string, options?: RequestOptions): Promise<Uint8Array<ArrayBuffer>>;
	/** Creates a file or replaces its contents. */
	write(path: string, content: string | Uint8Array, options?: CreatePathOptions): Promise<void>;
	/** Creates a directory. */
	mkdir(path: string, options?: CreatePathOptions): Promise<void>;
	/** Deletes a file, or with `recursive` a directory. */
	delete(path: string, options?: DeletePathOptions): Promise<void>;
	/** Moves a file or directory to another path; replaces a file there. */
	rename(path: string, newPath: string, options?: RequestOptions): Promise<void>;
	/** The same as `rename`. */
	move(path: string, newPath: string, options?: RequestOptions): Promise<void>;
	/** Lists a directory, sorted by path. @default {"/workspace"} for the path. */
	list(path?: string, options?: ListFilesOptions): Promise<FileInfo[]>;
	/** Whether a file or directory exists. */
	exists(path: string, options?: RequestOptions): Promise<boolean>;
	/** Returns information about a file or directory. */
	stat(path: string, options?: RequestOptions): Promise<FileInfo>;
}
/**
 * The codes of the service's errors, each with its possible HTTP statuses.
 *
 * This is the only table. The types {@link ErrorCode} and {@link ErrorStatus} are derived from it,
 * so a code without a status, or a status that its code does not have, does not compile. It has no
 * dependency, so the published client can use it.
 *
 * @module
 */
/**
 * Code → statuses; the first one is the default.
 *
 * @example
 * ```ts ignore
 * import { ERROR_STATUSES } from "@belljar/client";
 *
 * console.assert(ERROR_STATUSES.CONFLICT.includes(409));
 * ```
 */
export declare const ERROR_STATUSES: {
	/**
	 * The request is not acceptable. Includes unknown routes (404), methods, sizes, content types and
	 * ranges.
	 */
	readonly VALIDATION_FAILED: readonly [
		400,
		404,
		405,
		413,
		415,
		416
	];
	/** No token, or a wrong one. */
	readonly UNAUTHORIZED: readonly [
		401
	];
	/** The service does not accept the `Host` or `Origin` of the request. */
	readonly FORBIDDEN: readonly [
		403
	];
	readonly CONTEXT_NOT_FOUND: readonly [
		404
	];
	readonly CHECKPOINT_NOT_FOUND: readonly [
		404
	];
	readonly RUN_NOT_FOUND: readonly [
		404
	];
	/** The run has no such call or question, or its program went on without the answer. */
	readonly CALL_NOT_FOUND: readonly [
		404
	];
	/** The call has another answer already. */
	readonly CALL_ANSWERED: readonly [
		409
	];
	/** The context has a run that waits for answers. */
	readonly RUN_WAITING: readonly [
		409
	];
	readonly FILE_NOT_FOUND: readonly [
		404
	];
	readonly FILE_EXISTS: readonly [
		409
	];
	readonly PERMISSION_DENIED: readonly [
		403
	];
	readonly IS_DIRECTORY: readonly [
		400
	];
	readonly NOT_DIRECTORY: readonly [
		400
	];
	readonly FILE_TOO_LARGE: readonly [
		413
	];
	readonly NO_SPACE: readonly [
		507
	];
	readonly FILESYSTEM_ERROR: readonly [
		400
	];
	/** Another engine saved the stored state of the context. */
	readonly SNAPSHOT_INCOMPATIBLE: readonly [
		409
	];
	readonly SNAPSHOT_CORRUPT: readonly [
		500
	];
	/**
	 * The sandbox or context was deleted during the run, its lease was lost, or its `Idempotency-Key`
	 * is that of another request.
	 */
	readonly CONFLICT: readonly [
		409
	];
	readonly PRECONDITION_FAILED: readonly [
		412
	];
	/** This tenant exceeds its share; comes with `Retry-After`. */
	readonly RATE_LIMITED: readonly [
		429
	];
	/** The service as a whole is busy or stopping; comes with `Retry-After`. */
	readonly OVERLOADED: readonly [
		503
	];
	/** 502 when a runtime could not be called or its isolate died by itself. */
	readonly INTERNAL_ERROR: readonly [
		500,
		502
	];
};
/** A code of the table. */
export type ErrorCode = keyof typeof ERROR_STATUSES;
/** The statuses of a code. */
export type ErrorStatus<C extends ErrorCode = ErrorCode> = (typeof ERROR_STATUSES)[C][number];
/**
 * Runs code in a fresh instance of a runtime. Nothing is kept.
 *
 * Resolves even when the guest fails: check `error`. Rejects with a `SandboxError` when the code
 * could not be run.
 *
 * @example
 * ```ts ignore
 * import { connect, runCode } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * const result = await runCode(env.JAVASCRIPT, "console.log('hello'); [1, 2, 3]", {
 *   timeout: 5_000,
 *   onStdout: ({ text }) => console.log("guest:", text),
 * });
 * console.assert(JSON.stringify(result.results[0]?.json) === "[1,2,3]");
 * ```
 *
 * @throws {Error} synchronously, when `target` is a namespace of sandboxes.
 */
export declare function runCode(target: ServiceBinding, code: string, options?: StatelessRunCodeOptions): Promise<ExecutionResult$1>;
/**
 * Runs that began with `tools` or `onInput`, and what their programs wait for.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await using sandbox = getSandbox(env.Sandbox, "approvals", { ephemeral: true });
 * for (const { id, state } of await sandbox.runs.list()) {
 *   if (state !== "waiting") continue;
 *   const { waiting } = await sandbox.runs.get(id);
 *   const answers = (waiting?.calls ?? []).map(({ key }) => ({ key, value: "approved" }));
 *   const { results } = await sandbox.runs.answer(id, answers);
 *   console.log(results);
 * }
 * ```
 */
export interface Runs {
	/** The runs, newest first. */
	list(options?: RequestOptions): Promise<RunSummary[]>;
	/** A run. Rejects with a `SandboxError`: `RUN_NOT_FOUND`. */
	get(id: string, options?: RequestOptions): Promise<RunInfo>;
	/**
	 * Answers calls and questions, all or none. Resolves when the program waits again or has ended:
	 * `waiting` of the result says which. An empty list asks for the present state. The same answer
	 * again changes nothing.
	 *
	 * Rejects with a `SandboxError`: `RUN_NOT_FOUND`, `CALL_NOT_FOUND`, `CALL_ANSWERED`.
	 */
	answer(id: string, answers: readonly CallAnswer[], options?: RequestOptions): Promise<ExecutionResult$1>;
	/** Ends a run: its context is as before the run. */
	cancel(id: string, options?: RequestOptions): Promise<void>;
}
/**
 * Information about a sandbox. Reading it does not create the sandbox: one that was never used is
 * shown as empty.
 */
export interface SandboxInfo {
	/** The name that it is found by. */
	readonly id: string;
	/** When it was created; null when it does not exist. */
	readonly createdAt: Date | null;
	/** When it was last used; null when it does not exist. */
	readonly lastUsed: Date | null;
	/** Names of its variables; values are never shown. */
	readonly envVars: readonly string[];
	/** Its contexts. */
	readonly contexts: readonly ContextInfo[];
	/** The size of `/workspace`. */
	readonly workspace: WorkspaceUse;
	/** When it is deleted unless it is used before, in epoch milliseconds; null: never. */
	readonly expiresAt: number | null;
}
/** A context and its state. */
export interface ContextInfo extends CodeContext {
	/** Name and version of the engine. */
	readonly engine: string;
	/** Its runs so far. */
	readonly executions: number;
	/** Its stored memory snapshot; null when there is none yet. */
	readonly snapshot: SnapshotInfo | null;
}
/** The size of `/workspace`. */
export interface WorkspaceUse {
	/** Number of files. */
	readonly files: number;
	/** Their total length, in bytes. */
	readonly bytes: number;
}
/** Options of {@link getSandbox}. */
export interface SandboxOptions {
	/** Delete the sandbox when the object is disposed of. @default {false} */
	readonly ephemeral?: boolean | undefined;
	/** Default timeout of calls in milliseconds. By default there is none. */
	readonly timeout?: number | undefined;
	/** Default for how to retry refused calls. */
	readonly retry?: RetryOptions | false | undefined;
}
/** Options of {@link Sandbox.fork}. */
export interface ForkOptions extends RequestOptions {
	/** Id of a checkpoint of the sandbox. @default {the state of now} */
	readonly checkpoint?: string | undefined;
}
/**
 * A sandbox: contexts and the files they share. The object holds no state of the sandbox; any
 * number of objects may refer to the same one.
 *
 * `await using` ends the calls in progress through this object, and deletes the sandbox only if it
 * was opened with `ephemeral: true`.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await using sandbox = getSandbox<typeof env>(env.Sandbox, "scratch", { ephemeral: true });
 * await sandbox.setEnvVars({ MODE: "test" });
 * await sandbox.files.write("notes.txt", "hello");
 * const copy = await sandbox.fork("scratch-copy");
 * console.assert(await copy.files.read("notes.txt") === "hello");
 * console.assert((await copy.info()).envVars.join() === "MODE");
 * await copy.destroy();
 * ```
 */
export interface Sandbox<Binding extends string = string> extends AsyncDisposable {
	/** Its name. */
	readonly id: string;
	/** Its contexts, and runs in them. */
	readonly interpreter: Interpreter<Binding>;
	/** Its files. */
	readonly files: SandboxFiles;
	/** Its checkpoints: saved states, to restore later. */
	readonly checkpoints: Checkpoints;
	/** Its runs whose programs can wait. */
	readonly runs: Runs;
	/**
	 * Runs a command in a fresh shell on the files of the sandbox, where the service has the language
	 * Shell. A code other than 0 is a result, not an error.
	 */
	exec(command: string, options?: ExecOptions): Promise<CommandResult>;
	/** Sets variables for all contexts of the sandbox; a value of `undefined` unsets the name. */
	setEnvVars(envVars: EnvVars, options?: RequestOptions): Promise<void>;
	/** Returns information about the sandbox. */
	info(options?: RequestOptions): Promise<SandboxInfo>;
	/**
	 * Creates a sandbox of that name with all contexts, files and variables of this one, of one
	 * moment: now, or that of a checkpoint. Later changes are independent. Returns the new sandbox, with
	 * the options of this one.
	 *
	 * Rejects with a `SandboxError`: `CONFLICT` when there is a sandbox of that name,
	 * `CHECKPOINT_NOT_FOUND`, `NO_SPACE`.
	 */
	fork(name: string, options?: ForkOptions): Promise<Sandbox<Binding>>;
	/** Deletes the sandbox: contexts, files, variables. Its name can be used again. */
	destroy(options?: RequestOptions): Promise<void>;
}
/** A {@link getSandbox} whose sandboxes know the names of the bindings. */
export type SandboxGetter<Binding extends string> = (namespace: SandboxNamespace, id: string, options?: SandboxOptions) => Sandbox<Binding>;
/**
 * Returns the sandbox with a name. Sends nothing; the first use creates the sandbox.
 *
 * With `Env` given, `binding` only accepts names of service bindings in it, so that a misspelled
 * name does not compile.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000", { token: "secret" });
 * const sandbox = getSandbox<typeof env>(env.Sandbox, "ada");
 * await sandbox.interpreter.runCode("x = 41", { binding: "JAVASCRIPT" });
 * const { results } = await sandbox.interpreter.runCode("x + 1", { binding: "JAVASCRIPT" });
 * console.assert(results[0]?.text === "42");
 * await sandbox.destroy();
 * ```
 *
 * @throws {ValidationFailedError} when the id is not valid.
 */
export declare function getSandbox<Env = unknown>(namespace: SandboxNamespace, id: string, options?: SandboxOptions): Sandbox<ServiceBindingName<Env>>;
/**
 * {@link getSandbox} for one environment, without its type at each call.
 *
 * @example
 * ```ts ignore
 * import { connect, sandboxGetter } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * const openSandbox = sandboxGetter<typeof env>();
 * await using sandbox = openSandbox(env.Sandbox, "scratch", { ephemeral: true });
 * await sandbox.files.write("notes.txt", "kept until the end of this block");
 * ```
 */
export declare function sandboxGetter<Env>(): SandboxGetter<ServiceBindingName<Env>>;

export {
	ExecutionResult as RawExecutionResult,
	ExecutionResult$1 as ExecutionResult,
};

export {};
