/**
 * Sandboxes: found by name, used through one object.
 *
 * @module
 */
import {
  isSandboxNamespace,
  isServiceBinding,
  type SandboxNamespace,
  type ServiceBindingName,
} from "./bindings.ts";
import { type Endpoint, makeCall } from "./call.ts";
import { type Checkpoints, createCheckpoints } from "./checkpoints.ts";
import { createRuns, type Runs } from "./runs.ts";
import { envLayerWithNulls, type EnvVars } from "./env_vars.ts";
import { validationFailed } from "./errors.ts";
import { createFiles, type SandboxFiles } from "./files.ts";
import { type CommandResult, type ExecOptions, runCommand } from "./exec.ts";
import { createInterpreter, type Interpreter } from "./interpreter.ts";
import { ENV_PATH, FORK_PATH, SANDBOX_ID_HEADER, SANDBOX_ORIGIN } from "./protocol/paths.ts";
import type { RequestOptions } from "./request_options.ts";
import type { RetryOptions } from "./retry.ts";
import { readSandboxInfo, type SandboxInfo } from "./sandbox_info.ts";
import { checkpointSegment, checkSandboxId } from "./validation.ts";

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
export type SandboxGetter<Binding extends string> = (
  namespace: SandboxNamespace,
  id: string,
  options?: SandboxOptions,
) => Sandbox<Binding>;

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
export function getSandbox<Env = unknown>(
  namespace: SandboxNamespace,
  id: string,
  options: SandboxOptions = {},
): Sandbox<ServiceBindingName<Env>> {
  if (!isSandboxNamespace(namespace)) throw validationFailed("Pass a namespace of sandboxes");
  checkSandboxId(id);
  return new BoundSandbox(namespace, id, options);
}

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
export function sandboxGetter<Env>(): SandboxGetter<ServiceBindingName<Env>> {
  return (namespace, id, options) => getSandbox<Env>(namespace, id, options);
}

class BoundSandbox<Binding extends string> implements Sandbox<Binding> {
  readonly id: string;
  readonly interpreter: Interpreter<Binding>;
  readonly files: SandboxFiles;
  readonly checkpoints: Checkpoints;
  readonly runs: Runs;
  readonly #namespace: SandboxNamespace;
  readonly #options: SandboxOptions;
  readonly #endpoint: Endpoint;
  readonly #closing = new AbortController();

  constructor(namespace: SandboxNamespace, id: string, options: SandboxOptions) {
    const stub = namespace.get(namespace.idFromName(id));
    if (!isServiceBinding(stub)) throw validationFailed("Pass a namespace of sandboxes");
    this.id = id;
    this.#namespace = namespace;
    this.#options = options;
    this.#endpoint = {
      fetch: (request) => stub.fetch(request),
      origin: SANDBOX_ORIGIN,
      headers: { [SANDBOX_ID_HEADER]: id },
      defaults: { retry: options.retry, timeout: options.timeout },
    };
    const endpoint = { ...this.#endpoint, closed: this.#closing.signal };
    this.interpreter = createInterpreter(endpoint, namespace.bindings);
    this.files = createFiles(endpoint);
    this.checkpoints = createCheckpoints(endpoint);
    this.runs = createRuns(endpoint);
  }

  async exec(command: string, options?: ExecOptions): Promise<CommandResult> {
    return await runCommand(this.interpreter, command, options);
  }

  async setEnvVars(envVars: EnvVars, options?: RequestOptions): Promise<void> {
    const body = { envVars: envLayerWithNulls(envVars) };
    const read = () => undefined;
    await makeCall(
      this.#open(),
      { method: "POST", path: ENV_PATH, body, status: 200, read },
      options,
    );
  }

  async info(options?: RequestOptions): Promise<SandboxInfo> {
    const call = { method: "GET", path: "/", status: 200, read: readSandboxInfo } as const;
    return await makeCall(this.#open(), call, options);
  }

  async fork(name: string, options: ForkOptions = {}): Promise<Sandbox<Binding>> {
    checkSandboxId(name);
    const { checkpoint } = options;
    if (checkpoint !== undefined) checkpointSegment(checkpoint);
    const read = () => undefined;
    const body = checkpoint === undefined ? { to: name } : { to: name, checkpoint };
    const call = { method: "POST", path: FORK_PATH, body, status: 201, read } as const;
    await makeCall(this.#open(), call, options);
    return new BoundSandbox<Binding>(this.#namespace, name, this.#options);
  }

  async destroy(options?: RequestOptions): Promise<void> {
    await deleteSandbox(this.#open(), options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort(new DOMException("The sandbox object was disposed of", "AbortError"));
    if (this.#options.ephemeral === true) await deleteSandbox(this.#endpoint);
  }

  /** The endpoint whose calls end when the object is disposed of. */
  #open(): Endpoint {
    return { ...this.#endpoint, closed: this.#closing.signal };
  }
}

async function deleteSandbox(endpoint: Endpoint, options?: RequestOptions): Promise<void> {
  const call = { method: "DELETE", path: "/", status: 200, read: () => undefined } as const;
  await makeCall(endpoint, call, options);
}
