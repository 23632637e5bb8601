/**
 * The typed client of Belljar, a service that runs untrusted scripts in metered WebAssembly
 * interpreters. It uses only web standards, so it runs in Deno, Node, Bun and browsers.
 *
 * ```ts ignore
 * import { connect, getSandbox, runCode } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000", { token: "secret" });
 *
 * // Stateless: a fresh interpreter for each run.
 * const result = await runCode(env.JAVASCRIPT, "console.log('hello'); ({ answer: 6 * 7 })");
 * console.assert(result.logs.stdout[0] === "hello");
 * console.assert(result.results[0]?.formats()[0] === "json");
 *
 * // Stateful: a sandbox with files and contexts.
 * const sandbox = getSandbox<typeof env>(env.Sandbox, "ada");
 * const context = await sandbox.interpreter.createCodeContext({ binding: "JAVASCRIPT" });
 * await sandbox.interpreter.runCode("const squares = [1, 4, 9];", { context });
 * const { results, error } = await sandbox.interpreter.runCode("squares.length", { context });
 * console.assert(error === undefined && results[0]?.text === "3");
 *
 * await sandbox.files.write("/workspace/data.json", "[1, 2]");
 * console.assert(await sandbox.files.read("data.json") === "[1, 2]");
 * await sandbox.destroy();
 * ```
 *
 * If the guest fails, the call resolves and `result.error` has the reason. If the call itself
 * fails, it rejects with a {@link SandboxError}.
 *
 * The package has no dependency and imports nothing from the service. The service imports the
 * shared shapes from `protocol/`.
 *
 * @module
 */
export type { SandboxNamespace, ServiceBinding, ServiceBindingName } from "./bindings.ts";
export type { OutputMessage, RunCallbacks } from "./callbacks.ts";
export type { CallerOptions } from "./caller.ts";
export type { Checkpoint, Checkpoints, CreateCheckpointOptions } from "./checkpoints.ts";
export type {
  BoundLanguage,
  CodeContext,
  CreateContextOptions,
  ForkableContext,
  NewContextOptions,
} from "./code_context.ts";
export { connect, type Connection, type ConnectOptions, type RuntimeBindings } from "./connect.ts";
export type { EnvVars } from "./env_vars.ts";
export {
  ContextNotFoundError,
  type ErrorContext,
  FileExistsError,
  FileNotFoundError,
  FileSystemError,
  FileTooLargeError,
  PermissionDeniedError,
  SandboxError,
  type SandboxErrorDetails,
  ValidationFailedError,
} from "./errors.ts";
export type { CommandResult, ExecOptions } from "./exec.ts";
export type { ExecutionResult, Result } from "./execution_result.ts";
export type { ByteFiles, FileContent, UploadOptions } from "./file_bytes.ts";
export type { FileInfo } from "./file_info.ts";
export type {
  CreatePathOptions,
  DeletePathOptions,
  ListFilesOptions,
  SandboxFiles,
} from "./files.ts";
export type { Interpreter } from "./interpreter.ts";
export { ERROR_STATUSES, type ErrorCode, type ErrorStatus } from "./protocol/error_codes.ts";
export type { AvailableTool, CallAnswer, RunInfo, RunState, RunSummary } from "./protocol/calls.ts";
export type { LanguageName } from "./protocol/language_names.ts";
export type { FilePermissions, SnapshotInfo, TenantUsage } from "./protocol/sandbox_types.ts";
export type {
  Display,
  ErrorResponse,
  ExecutionContext,
  ExecutionError,
  ExecutionResult as RawExecutionResult,
  InstalledPackage,
  InterpreterProbe,
  JsonSchema,
  JsonValue,
  Language,
  LanguageListing,
  Logs,
  NotifyTarget,
  PendingCall,
  PendingInput,
  PublishedLimits,
  ResultEntry,
  Usage,
  Waiting,
} from "./protocol/types.ts";
export type { RequestOptions } from "./request_options.ts";
export type { RetryOptions } from "./retry.ts";
export { runCode } from "./run_code.ts";
export type { RunLimits } from "./run_limits.ts";
export type { RunCodeOptions, StatelessRunCodeOptions } from "./run_options.ts";
export type { Runs } from "./runs.ts";
export {
  type ForkOptions,
  getSandbox,
  type Sandbox,
  type SandboxGetter,
  sandboxGetter,
  type SandboxOptions,
} from "./sandbox.ts";
export type { ContextInfo, SandboxInfo, WorkspaceUse } from "./sandbox_info.ts";
export type { ListSandboxesOptions, SandboxDirectory, SandboxSummary } from "./sandbox_list.ts";
export {
  type StandardResult,
  type StandardSchema,
  type Tool,
  ToolDenied,
  type ToolFunction,
  type ToolInput,
  type Tools,
} from "./tools.ts";
