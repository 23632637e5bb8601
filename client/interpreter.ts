/**
 * The interpreter of a sandbox: code contexts, and runs in them (docs/contract.md#the-client).
 *
 * @module
 */
import { type Call, type Endpoint, makeCall } from "./call.ts";
import {
  type CodeContext,
  type CreateContextOptions,
  type ForkableContext,
  readCodeContext,
} from "./code_context.ts";
import { envLayerWithNulls, envLayerWithout } from "./env_vars.ts";
import { validationFailed, type ValidationFailedError } from "./errors.ts";
import type { ExecutionResult } from "./execution_result.ts";
import { CONTEXTS_PATH, FORK_PATH } from "./protocol/paths.ts";
import { listed } from "./protocol/text.ts";
import { bindingName } from "./protocol/types.ts";
import type { RequestOptions } from "./request_options.ts";
import { callRun, type RunRequest } from "./run_call.ts";
import { commonFields, repeatHeaders, type RunCodeOptions } from "./run_options.ts";
import { checkBindingName, checkCode, checkedLanguage, contextSegment } from "./validation.ts";

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
  runCode(code: string, options?: RunCodeOptions<Binding>): Promise<ExecutionResult>;
}

/** The interpreter of the sandbox at an endpoint. `names`: those of the bindings, where known. */
export function createInterpreter<Binding extends string>(
  endpoint: Endpoint,
  names: readonly string[] | undefined,
): Interpreter<Binding> {
  const forkable = (context: CodeContext): ForkableContext => {
    const fork = async (options?: RequestOptions) =>
      forkable(await makeCall(endpoint, forking(context.id), options));
    // a context stays plain data where it is listed, compared or sent as JSON
    return Object.defineProperty({ ...context, fork }, "fork", { enumerable: false });
  };
  return {
    createCodeContext: async (options) =>
      forkable(await makeCall(endpoint, creation(options, names), options)),
    listCodeContexts: async (options) =>
      (await makeCall(endpoint, listing(), options)).map(forkable),
    deleteCodeContext: async (id, options) => await makeCall(endpoint, deletion(id), options),
    runCode: async (code, options = {}) =>
      await callRun(endpoint, execution(code, options, names), options),
  };
}

function creation(
  options: Partial<CreateContextOptions> = {},
  names: readonly string[] | undefined,
): Call<CodeContext> {
  const { cwd, envVars } = options;
  const binding = bindingOf(options, names);
  if (cwd !== undefined && typeof cwd !== "string") throw validationFailed("cwd must be a string");
  const body = {
    binding,
    ...(cwd === undefined ? {} : { cwd }),
    ...(envVars === undefined ? {} : { envVars: envLayerWithout(envVars) }),
  };
  return { method: "POST", path: CONTEXTS_PATH, body, status: 201, read: readCodeContext };
}

/** The binding of a new context, which may be named by its language. */
function bindingOf(
  { binding, language }: Partial<CreateContextOptions>,
  names: readonly string[] | undefined,
): string {
  if (language === undefined) {
    if (binding === undefined) throw missing("Pass a binding or a language", names);
    checkBindingName(binding);
    return binding;
  }
  if (binding !== undefined) throw validationFailed("Pass a binding or a language, not both");
  return bindingName(checkedLanguage(language));
}

/** A binding is missing; lists those that exist, where they are known. */
function missing(message: string, names: readonly string[] | undefined): ValidationFailedError {
  return validationFailed(names === undefined ? message : `${message}: ${listed(names)}`);
}

function forking(id: string): Call<CodeContext> {
  const path = `${CONTEXTS_PATH}/${contextSegment(id)}${FORK_PATH}`;
  return { method: "POST", path, body: {}, status: 201, read: readCodeContext };
}

function listing(): Call<CodeContext[]> {
  return {
    method: "GET",
    path: CONTEXTS_PATH,
    status: 200,
    read: (body) => body.list("contexts", readCodeContext),
  };
}

function deletion(id: string): Call<void> {
  const path = `${CONTEXTS_PATH}/${contextSegment(id)}`;
  return { method: "DELETE", path, status: 200, read: () => undefined };
}

function execution(
  code: string,
  options: RunCodeOptions,
  names: readonly string[] | undefined,
): RunRequest {
  checkCode(code);
  const { envVars } = options;
  const body = {
    code,
    ...placeOf(options, names),
    ...(envVars === undefined ? {} : { envVars: envLayerWithNulls(envVars) }),
    ...commonFields(options),
  };
  return { body, headers: repeatHeaders(options) };
}

/** Where to run. The binding is used only without a context. */
function placeOf(
  { context, binding }: RunCodeOptions,
  names: readonly string[] | undefined,
): { contextId: string } | { binding: string } {
  if (context !== undefined && context !== null) {
    if (typeof context.id === "string") return { contextId: context.id };
    throw validationFailed("context must be a code context");
  }
  if (binding === undefined || binding === null) {
    throw missing("Pass a context or a binding", names);
  }
  checkBindingName(binding);
  return { binding };
}
