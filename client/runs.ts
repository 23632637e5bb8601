/**
 * Runs of a sandbox whose programs can wait (docs/calls.md).
 *
 * @module
 */
import { type Endpoint, makeCall } from "./call.ts";
import {
  type ExecutionResult,
  EXPECTED_RESULT,
  readExecutionResult,
  readWaiting,
} from "./execution_result.ts";
import { type JsonShape, ShapeError } from "./json_shape.ts";
import { type CallAnswer, RUN_STATES, type RunInfo, type RunSummary } from "./protocol/calls.ts";
import { RUNS_PATH } from "./protocol/paths.ts";
import { LANGUAGES } from "./protocol/types.ts";
import type { RequestOptions } from "./request_options.ts";
import { runSegment } from "./validation.ts";

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
  answer(
    id: string,
    answers: readonly CallAnswer[],
    options?: RequestOptions,
  ): Promise<ExecutionResult>;

  /** Ends a run: its context is as before the run. */
  cancel(id: string, options?: RequestOptions): Promise<void>;
}

/** The runs of the sandbox at an endpoint. */
export function createRuns(endpoint: Endpoint): Runs {
  const path = (id: string) => `${RUNS_PATH}/${runSegment(id)}`;
  return {
    list: async (options) => {
      const read = (body: JsonShape) => body.list("runs", readSummary);
      return await makeCall(
        endpoint,
        { method: "GET", path: RUNS_PATH, status: 200, read },
        options,
      );
    },
    get: async (id, options) =>
      await makeCall(
        endpoint,
        { method: "GET", path: path(id), status: 200, read: readRun },
        options,
      ),
    answer: async (id, answers, options) =>
      await makeCall(endpoint, {
        method: "POST",
        path: `${path(id)}/answers`,
        body: { answers },
        isRepeatable: true,
        ...EXPECTED_RESULT,
      }, options),
    cancel: async (id, options) =>
      await makeCall(
        endpoint,
        { method: "DELETE", path: path(id), status: 200, read: () => undefined },
        options,
      ),
  };
}

function readSummary(run: JsonShape): RunSummary {
  const optional = (name: "contextId" | "startedAt" | "endedAt") =>
    run.has(name) ? { [name]: run.string(name) } : {};
  return {
    id: run.string("id"),
    state: oneOf(RUN_STATES, run.string("state"), "state"),
    language: oneOf(LANGUAGES, run.string("language"), "language"),
    ...optional("contextId"),
    createdAt: run.string("createdAt"),
    ...optional("startedAt"),
    ...optional("endedAt"),
  };
}

function readRun(run: JsonShape): RunInfo {
  return {
    ...readSummary(run),
    ...(run.has("waiting") ? { waiting: readWaiting(run.object("waiting")) } : {}),
    ...(run.has("execution") ? { execution: readExecutionResult(run.object("execution")) } : {}),
  };
}

function oneOf<T extends string>(values: readonly T[], value: string, name: string): T {
  const found = values.find((each) => each === value);
  if (found === undefined) throw new ShapeError(`${name} has an unknown value`);
  return found;
}
