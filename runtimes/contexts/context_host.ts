/**
 * The context host of a language: creates, deletes and runs contexts for any sandbox key. It never
 * throws for anything that an application can cause; the answer reports it.
 *
 * @module
 */
import { isoTimestamp } from "../../shared/clock.ts";
import {
  conflict,
  contextNotFound,
  internalError,
  ServiceError,
  validationFailed,
} from "../../shared/errors.ts";
import type {
  ExecuteInContextArgs,
  GetFiles,
  InterpreterExecuteRpcResult,
} from "../../shared/run_in_context.ts";
import { AttemptEnded } from "../../shared/run_calls.ts";
import { SANDBOX_LIMITS } from "../../shared/limits.ts";
import { WORKSPACE } from "../../client/protocol/paths.ts";
import { checkRunLimits } from "../../shared/run_limits.ts";
import { ContextRuns, type ContextRunsOptions } from "./context_runs.ts";
import { newMemory } from "./memory_record.ts";
import { isWorkspacePath } from "./workspace_mirror.ts";

/** Options of a context host. */
export interface ContextHostOptions extends ContextRunsOptions {
  /** Called with failures of the service itself. */
  readonly onUnexpected: (thrown: unknown) => void;
}

/** The answer to the creation of a context. */
export interface CreatedContext {
  readonly id: string;
  readonly cwd: string;
  readonly createdAt: string;
}

/** The fork of a context: where it goes, and the state that it gets. */
export interface ForkOrder {
  /** The sandbox key of the new context. */
  readonly key: string;
  readonly id: string;
  /** The reference to the state. */
  readonly snapshot: string;
  /** Whether it may be a state before the last one. */
  readonly behind: boolean;
}

/**
 * Contexts of one sandbox key. A sandbox counts its own; but while it goes back, it has them once
 * more for each restore under way, and until those before are removed.
 */
const CONTEXTS_OF_KEY = 16 * SANDBOX_LIMITS.contexts;

/** Others may fork the same context at the same time. */
const FORK_ATTEMPTS = 200;

/** The form of sandbox keys and context ids (docs/contract.md#runtime-routes). */
const NAME_PATTERN = /^[A-Za-z0-9._-]{1,128}$/;

/** The context host of one language. */
export class ContextHost {
  readonly #options: ContextHostOptions;
  readonly #runs: ContextRuns;

  constructor(options: ContextHostOptions) {
    this.#options = options;
    this.#runs = new ContextRuns(options);
  }

  /** Adds a context. VALIDATION_FAILED, CONFLICT when the id is taken. */
  async create(
    sandboxKey: string,
    { id, cwd }: { id: string; cwd: string },
  ): Promise<CreatedContext> {
    checkName(sandboxKey, "key");
    checkName(id, "id");
    if (cwd !== WORKSPACE && !isWorkspacePath(cwd)) {
      throw validationFailed("cwd must be an absolute path under /workspace");
    }
    const { contexts, clock, engines, onUnexpected } = this.#options;
    if ((await contexts.list(sandboxKey)).length >= SANDBOX_LIMITS.contexts) {
      throw validationFailed(`A sandbox has at most ${SANDBOX_LIMITS.contexts} code contexts`);
    }
    const createdAt = isoTimestamp(clock);
    const record = newMemory(createdAt, cwd);
    // its first snapshot will need module and baseline; when this fails, that run retries it
    engines.ensureStored(engines.current).catch((thrown) => {
      if (!(thrown instanceof ServiceError)) onUnexpected(thrown);
    });
    if (await contexts.create({ sandboxKey, contextId: id }, record)) return { id, cwd, createdAt };
    throw conflict("There is a code context with this id already", id);
  }

  /**
   * Adds a context with the state of another one, of any sandbox: they share it. CONTEXT_NOT_FOUND
   * without the source, PRECONDITION_FAILED when it has another state, CONFLICT when the id is
   * taken.
   */
  async fork(sandboxKey: string, contextId: string, order: ForkOrder): Promise<void> {
    const { contexts } = this.#options;
    const target = { sandboxKey: order.key, contextId: order.id };
    checkName(sandboxKey, "key");
    checkName(contextId, "contextId");
    checkName(target.sandboxKey, "key");
    checkName(target.contextId, "id");
    if ((await contexts.list(target.sandboxKey)).length >= CONTEXTS_OF_KEY) {
      throw validationFailed("A sandbox has too many code contexts that are not removed yet");
    }
    for (let attempt = 1; attempt <= FORK_ATTEMPTS; attempt++) {
      const fork = await contexts.fork({ sandboxKey, contextId }, target, order.snapshot);
      if (fork === undefined && await contexts.read({ sandboxKey, contextId }) === undefined) {
        throw contextNotFound(contextId);
      }
      if (fork === undefined || (fork.isBehind && !order.behind)) break;
      if (await contexts.commitFork(fork)) return;
      if (await contexts.read(target) !== undefined) {
        throw conflict("There is a code context with this id already", order.id);
      }
    }
    throw new ServiceError("PRECONDITION_FAILED", "The context has another state by now");
  }

  /** Removes a context and its snapshots. CONTEXT_NOT_FOUND. */
  async delete(sandboxKey: string, contextId: string): Promise<void> {
    checkName(sandboxKey, "key");
    const removed = NAME_PATTERN.test(contextId) &&
      await this.#options.contexts.remove({ sandboxKey, contextId });
    if (!removed) throw contextNotFound(contextId);
  }

  /** Removes everything of a sandbox. */
  async wipe(sandboxKey: string): Promise<void> {
    checkName(sandboxKey, "key");
    await this.#options.contexts.wipe(sandboxKey);
  }

  /**
   * Runs a program in a context (docs/contract.md#running-in-a-context). Rejects only with the errors
   * of an attempt of a run with calls.
   */
  async run(
    sandboxKey: string,
    args: ExecuteInContextArgs,
    getFiles: GetFiles,
  ): Promise<InterpreterExecuteRpcResult> {
    try {
      checkName(sandboxKey, "key");
      checkName(args.contextId, "contextId");
      checkWorkspace(args);
      checkRunLimits(args.limits, this.#options.limits);
      return { ok: true, result: await this.#runs.run(sandboxKey, args, getFiles) };
    } catch (thrown) {
      if (thrown instanceof AttemptEnded) throw thrown;
      if (!(thrown instanceof ServiceError)) this.#options.onUnexpected(thrown);
      const error = thrown instanceof ServiceError ? thrown : internalError();
      return { ok: false, status: error.status, body: error.toBody(this.#options.clock) };
    }
  }
}

function checkName(name: string, field: string): void {
  if (NAME_PATTERN.test(name)) return;
  throw validationFailed(`${field} must be 1 to 128 letters, digits, dots, underscores or hyphens`);
}

function checkWorkspace({ workspace: { dirs, manifest } }: ExecuteInContextArgs): void {
  for (const path of [...dirs, ...Object.keys(manifest)]) {
    if (path !== WORKSPACE && !isWorkspacePath(path)) {
      throw validationFailed("A path of the workspace is not under /workspace");
    }
  }
}
