/**
 * The interpreter object of a language: what the routes and the call of section B of the
 * contract do, for any key. Nothing that an application can cause is thrown; the answer says it.
 *
 * @module
 */
import { isoTimestamp } from "../../wire/clock.ts";
import {
  conflict,
  contextNotFound,
  internalError,
  ServiceError,
  validationFailed,
} from "../../wire/errors.ts";
import type {
  ExecuteInContextArgs,
  GetFiles,
  InterpreterExecuteRpcResult,
} from "../../wire/run_in_context.ts";
import { SANDBOX_LIMITS } from "../../wire/limits.ts";
import { WORKSPACE } from "../../client/protocol/paths.ts";
import { checkRunLimits } from "../../wire/run_limits.ts";
import { ContextExecution, type ContextExecutionOptions } from "./context_execution.ts";
import { isWorkspacePath } from "./workspace_mirror.ts";

/** What an interpreter object needs. */
export interface ContextHostOptions extends ContextExecutionOptions {
  /** Told of failures of our own. */
  readonly onUnexpected: (thrown: unknown) => void;
}

/** A context as its creation is answered. */
export interface CreatedContext {
  readonly id: string;
  readonly cwd: string;
  readonly createdAt: string;
}

/** Keys and ids of contexts (docs/contract.md#runtime-routes). */
const NAME_PATTERN = /^[A-Za-z0-9._-]{1,128}$/;

/** The interpreter objects of one language. */
export class ContextHost {
  readonly #options: ContextHostOptions;
  readonly #execution: ContextExecution;

  constructor(options: ContextHostOptions) {
    this.#options = options;
    this.#execution = new ContextExecution(options);
  }

  /** Adds a context. VALIDATION_FAILED, CONFLICT when the id is taken. */
  async create(key: string, { id, cwd }: { id: string; cwd: string }): Promise<CreatedContext> {
    checkName(key, "key");
    checkName(id, "id");
    if (cwd !== WORKSPACE && !isWorkspacePath(cwd)) {
      throw validationFailed("cwd must be an absolute path under /workspace");
    }
    const { contexts, clock, baselines, onUnexpected } = this.#options;
    if ((await contexts.list(key)).length >= SANDBOX_LIMITS.contexts) {
      throw validationFailed(`A sandbox has at most ${SANDBOX_LIMITS.contexts} code contexts`);
    }
    const createdAt = isoTimestamp(clock);
    const record = { createdAt, cwd, fence: 0, snapshots: [], baseline: null };
    // its first snapshot will need it; when this fails, that run tries again
    baselines.ensurePresent().catch((thrown) => {
      if (!(thrown instanceof ServiceError)) onUnexpected(thrown);
    });
    if (await contexts.create({ key, contextId: id }, record)) return { id, cwd, createdAt };
    throw conflict("There is a code context with this id already", id);
  }

  /** Removes a context and its snapshots. CONTEXT_NOT_FOUND. */
  async delete(key: string, contextId: string): Promise<void> {
    checkName(key, "key");
    const removed = NAME_PATTERN.test(contextId) &&
      await this.#options.contexts.remove({ key, contextId });
    if (!removed) throw contextNotFound(contextId);
  }

  /** Removes everything of a key. */
  async wipe(key: string): Promise<void> {
    checkName(key, "key");
    await this.#options.contexts.wipe(key);
  }

  /** Runs a program in a context (docs/contract.md#running-in-a-context). Never rejects. */
  async execute(
    key: string,
    args: ExecuteInContextArgs,
    getFiles: GetFiles,
  ): Promise<InterpreterExecuteRpcResult> {
    try {
      checkName(key, "key");
      checkName(args.contextId, "contextId");
      checkWorkspace(args);
      checkRunLimits(args.limits, this.#options.limits);
      return { ok: true, result: await this.#execution.execute(key, args, getFiles) };
    } catch (thrown) {
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
