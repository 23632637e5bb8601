/**
 * The result of a run (docs/contract.md#executionresult).
 *
 * @module
 */
import type { ExpectedAnswer } from "./answer.ts";
import { type JsonShape, ShapeError } from "./json_shape.ts";
import { NDJSON } from "./protocol/run_events.ts";
import type {
  Display,
  ExecutionContext,
  ExecutionError,
  ExecutionResult as RawExecutionResult,
  JsonValue,
  Logs,
  PendingCall,
  PendingInput,
  ResultEntry,
  Usage,
  Waiting,
} from "./protocol/types.ts";

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
export interface ExecutionResult extends RawExecutionResult {
  /** At most one entry; empty when `error` is set. */
  readonly results: readonly Result[];
}

/** Media types of an answer to a run. A service that does not stream answers with JSON. */
export const STREAM_OR_JSON: string = `${NDJSON}, application/json;q=0.9`;

/** Reads an answer to a run. */
export function readExecutionResult(body: JsonShape): ExecutionResult {
  return {
    code: body.string("code"),
    language: body.string("language"),
    engine: body.string("engine"),
    durationMs: body.number("durationMs"),
    logs: readLogs(body.object("logs")),
    results: body.list("results", readResult),
    ...(body.has("displays") ? { displays: body.list("displays", readDisplay) } : {}),
    ...(body.has("error") ? { error: readError(body.object("error")) } : {}),
    ...(body.has("exitCode") ? { exitCode: body.number("exitCode") } : {}),
    ...(body.has("unterminated") ? { unterminated: readStreams(body) } : {}),
    ...(body.has("executionCount") ? { executionCount: body.number("executionCount") } : {}),
    ...(body.has("usage") ? { usage: readUsage(body.object("usage")) } : {}),
    ...(body.has("context") ? { context: readContext(body.object("context")) } : {}),
    ...(body.has("waiting") ? { waiting: readWaiting(body.object("waiting")) } : {}),
  };
}

/** The answer to a run. */
export const EXPECTED_RESULT: ExpectedAnswer<ExecutionResult> = {
  status: 200,
  read: readExecutionResult,
};

function readStreams(body: JsonShape): readonly ("stdout" | "stderr")[] {
  return body.strings("unterminated").map((name) => {
    if (name !== "stdout" && name !== "stderr") throw new ShapeError("unterminated has a stream");
    return name;
  });
}

/** Reads what a program waits for. */
export function readWaiting(waiting: JsonShape): Waiting {
  return {
    run: waiting.string("run"),
    calls: waiting.list("calls", readCall),
    ...(waiting.has("input") ? { input: readInput(waiting.object("input")) } : {}),
    ...(waiting.has("until") ? { until: waiting.number("until") } : {}),
    ...(waiting.has("expiresAt") ? { expiresAt: waiting.number("expiresAt") } : {}),
  };
}

/** Reads a call of a program. */
export function readCall(call: JsonShape): PendingCall {
  return {
    key: call.string("key"),
    name: call.string("name"),
    arguments: call.value("arguments") ?? null,
    ...(call.has("approval") ? { approval: readApproval(call.string("approval")) } : {}),
  };
}

function readApproval(approval: string): "always" {
  if (approval !== "always") throw new ShapeError("approval has an unknown value");
  return approval;
}

/** Reads a question of a program. */
export function readInput(input: JsonShape): PendingInput {
  return { key: input.string("key"), prompt: input.string("prompt") };
}

function readLogs(logs: JsonShape): Logs {
  return { stdout: logs.strings("stdout"), stderr: logs.strings("stderr") };
}

function readResult(entry: JsonShape): Result {
  const json = entry.value("json");
  return resultOf({
    ...(entry.has("text") ? { text: entry.string("text") } : {}),
    ...(json === undefined ? {} : { json }),
    ...(entry.has("repr") ? { repr: entry.string("repr") } : {}),
  });
}

/** `formats` is not enumerable, so that an entry compares and prints by its contents. */
function resultOf(entry: { text?: string; json?: JsonValue; repr?: string }): Result {
  const formats = (): string[] => Object.keys(entry).filter((name) => name !== "repr");
  return Object.defineProperty({ ...entry, formats }, "formats", { enumerable: false });
}

/** Reads an entry of `displays`. */
export function readDisplay(display: JsonShape): Display {
  const main = display.has("main");
  if (main && display.value("main") !== true) throw new ShapeError("main is not true");
  return {
    data: display.object("data").fields(),
    ...(display.has("metadata") ? { metadata: display.object("metadata").fields() } : {}),
    ...(main ? { main } : {}),
  };
}

function readError(error: JsonShape): ExecutionError {
  return {
    name: error.string("name"),
    message: error.string("message"),
    traceback: error.strings("traceback"),
    ...(error.has("lineNumber") ? { lineNumber: error.number("lineNumber") } : {}),
  };
}

function readUsage(usage: JsonShape): Usage {
  return {
    fuelConsumed: usage.number("fuelConsumed"),
    fuelLimit: usage.number("fuelLimit"),
    memoryBytes: usage.number("memoryBytes"),
  };
}

function readContext(context: JsonShape): ExecutionContext {
  return {
    id: context.string("id"),
    cwd: context.string("cwd"),
    executions: context.number("executions"),
    ...(context.has("snapshotMs") ? { snapshotMs: context.number("snapshotMs") } : {}),
    ...(context.has("expiresAt") ? { expiresAt: context.number("expiresAt") } : {}),
    ...(context.has("rolledBack") ? { rolledBack: context.boolean("rolledBack") } : {}),
  };
}
