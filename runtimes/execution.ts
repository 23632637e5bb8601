/**
 * A run as an isolate sees it: makes its request, and converts its end to the contract's
 * ExecutionResult: log lines, result entry, error, usage. Everything at the end comes from a guest
 * and stays plain data.
 *
 * @module
 */
import type {
  ExecutionError,
  ExecutionResult,
  Language,
  Logs,
  Replay,
  ResultEntry,
  Usage,
} from "../client/protocol/types.ts";
import { CALL_LIMITS } from "../shared/call_limits.ts";
import { type LanguageLimits, MAX_DISPLAYS } from "../shared/limits.ts";
import { RunDiverged, RunReleased } from "../shared/run_calls.ts";
import { outputLines } from "../shared/run_listener.ts";
import { jsonEntry } from "../shared/exact_json.ts";
import type { LimitName, RunRequest } from "./engine/engine.ts";
import type { EndingHead } from "./isolate/protocol.ts";
import type { RunOutput } from "./pool/isolate.ts";
import type { PoolRun } from "./pool/pool_options.ts";
import type { RunAnswer } from "./pool/run_answer.ts";
import type { RunTiming } from "../shared/run_timing.ts";
import type { ByLanguage } from "../shared/languages.ts";
import { replayOf } from "../shared/replay.ts";

/** A program and its inputs. */
export type Program = Pick<RunRequest, "code" | "env" | "typescript" | "notebook" | "preloaded"> & {
  /** Standard input as text; empty when absent. */
  readonly stdin?: string | undefined;
  /** Whether the own form of the value is wanted. */
  readonly repr?: boolean | undefined;
  /** The fields that the caller fixes. */
  readonly replay: Replay;
};

/** A program with the limits that apply to it. */
export function runRequest(
  { stdin = "", replay, repr = false, ...program }: Program,
  limits: LanguageLimits,
): RunRequest {
  const { fuel, outputBytes, outputLines, resultBytes, tracebackBytes, displayBytes } = limits;
  const { wallMs } = limits;
  return {
    ...program,
    ...(stdin === "" ? {} : { stdin: new TextEncoder().encode(stdin) }),
    ...replayOf(replay),
    ...(repr ? { repr } : {}),
    limits: {
      fuel,
      outputBytes,
      outputLines,
      resultBytes,
      tracebackBytes,
      displayBytes,
      wallMs,
    },
  };
}

/** Common fields of all results of a language. */
export interface ExecutionFrame {
  readonly code: string;
  readonly language: Language;
  readonly engine: string;
}

const LIMIT_ERROR = "ExecutionLimitError";

function logsOf(output: RunOutput): Logs {
  return { stdout: outputLines(output.stdout), stderr: outputLines(output.stderr) };
}

/** The field is absent when there are none. */
function displaysOf({ displays }: RunOutput): Pick<ExecutionResult, "displays"> {
  return displays.length === 0 ? {} : { displays };
}

/** The sentence that names a limit and its value. */
function limitMessage(limit: LimitName, limits: LanguageLimits): string {
  switch (limit) {
    case "fuel":
      return `Fuel limit reached: ${limits.fuel} units`;
    case "wall clock":
      return `Wall clock limit reached: ${limits.wallMs} ms`;
    case "output":
      return `Output limit reached: ${limits.outputBytes} bytes or ${limits.outputLines} lines`;
    case "result":
      return `Result limit reached: ${limits.resultBytes} bytes`;
    case "display":
      return `Display limit reached: ${limits.displayBytes} bytes or ${MAX_DISPLAYS} entries`;
    case "memory":
      return `Memory limit reached: ${limits.memoryBytes} bytes`;
    case "snapshot":
      return `Snapshot limit reached: ${limits.snapshotBytes} bytes`;
    case "calls":
      return `Call limit reached: ${CALL_LIMITS.calls} calls, ` +
        `${CALL_LIMITS.allArgumentBytes} bytes of arguments or ${CALL_LIMITS.waits} waits`;
  }
}

function limitError(
  limit: LimitName,
  limits: LanguageLimits,
  traceback: readonly string[] = [],
): ExecutionError {
  return { name: LIMIT_ERROR, message: limitMessage(limit, limits), traceback };
}

const CRASH: ExecutionError = {
  name: "InterpreterCrash",
  message: "The interpreter crashed",
  traceback: [],
};

function errorOf(
  ending: EndingHead,
  limits: LanguageLimits,
  language: Language,
): ExecutionError | undefined {
  switch (ending.kind) {
    case "error": {
      const { name, message, traceback, lineNumber } = ending;
      const line = lineNumber === undefined ? {} : { lineNumber };
      return withFileLimit({ name, message, traceback, ...line }, language, limits.fileBytes);
    }
    case "limit": {
      const lineNumber = lineOfLimit(language, ending.traceback);
      const error = limitError(ending.limit, limits, ending.traceback);
      return lineNumber === undefined ? error : { ...error, lineNumber };
    }
    case "crash":
      return CRASH;
    default:
      return undefined;
  }
}

function entriesOf(answer: RunAnswer): readonly ResultEntry[] {
  const { ending } = answer.head;
  if (ending.kind !== "text" && ending.kind !== "json") return [];
  const repr = ending.repr === undefined ? {} : { repr: ending.repr };
  if (ending.kind === "text") return [{ text: answer.value, ...repr }];
  try {
    return [{ ...jsonEntry(answer.value), ...repr }];
  } catch {
    return []; // the isolate announced a value that is not valid
  }
}

function usageOf(answer: RunAnswer, limits: LanguageLimits): Usage {
  return {
    fuelConsumed: Math.min(answer.head.fuelConsumed, limits.fuel),
    fuelLimit: limits.fuel,
    memoryBytes: answer.head.memoryBytes,
  };
}

/** The exit code, which only the shell has, and what its lines do not tell. */
function exitOf(
  language: Language,
  { head: { ending } }: RunAnswer,
): Pick<ExecutionResult, "exitCode" | "unterminated"> {
  if (language !== "shell" || ending.kind !== "none") return {};
  const { exitCode = 0, unterminated } = ending;
  return { exitCode, ...(unterminated === undefined ? {} : { unterminated }) };
}

/**
 * Milliseconds that a killed run cost. The time of the kill itself is not charged to the tenant.
 */
export function chargedMs({ runMs }: PoolRun, { wallMs }: LanguageLimits): number {
  return Math.min(runMs, wallMs);
}

/** The result of a run that answered. */
export function executionResult(
  frame: ExecutionFrame,
  answer: RunAnswer,
  output: RunOutput,
  limits: LanguageLimits,
): ExecutionResult {
  const error = errorOf(answer.head.ending, limits, frame.language);
  return {
    ...frame,
    durationMs: answer.head.durationMs,
    logs: logsOf(output),
    results: error === undefined ? entriesOf(answer) : [],
    ...displaysOf(output),
    ...(error === undefined ? {} : { error }),
    ...exitOf(frame.language, answer),
    usage: usageOf(answer, limits),
  };
}

/** The result of a run that the watchdog killed: its output so far, and no usage. */
export function killedResult(
  frame: ExecutionFrame,
  output: RunOutput,
  durationMs: number,
  limits: LanguageLimits,
): ExecutionResult {
  return {
    ...frame,
    durationMs,
    logs: logsOf(output),
    results: [],
    ...displaysOf(output),
    error: limitError("wall clock", limits),
  };
}

/** A run that came to its end, or was ended for good. */
type EndedRun = Exclude<PoolRun, { readonly end: "released" | "diverged" }>;

/** Throws the error of an attempt of a run with calls that did not come to its end. */
export function checkAttempt(ran: PoolRun): asserts ran is EndedRun {
  if (ran.end === "released") throw new RunReleased();
  if (ran.end === "diverged") throw new RunDiverged();
}

/** The phases of a run. */
export function timingOf(ran: PoolRun): RunTiming {
  const answer = ran.end === "answered" ? ran.run.answer : undefined;
  return {
    queueMs: ran.queueMs,
    resetMs: answer?.head.resetMs ?? 0,
    runMs: answer?.head.durationMs ?? ran.runMs,
  };
}

/** Where a language's tracebacks name a line of the submitted code. */
interface Frames {
  readonly pattern: RegExp;
  readonly innermost: "first" | "last";
}

/** Undefined where tracebacks of limits name no line that can be trusted. */
const FRAMES: ByLanguage<Frames | undefined> = {
  javascript: undefined, // of the innermost function only its beginning is known
  python: { pattern: /^ {2}File "main\.py", line (\d{1,9})\b/, innermost: "last" },
  perl: { pattern: /\bat main\.pl line (\d{1,9})$/, innermost: "first" },
  ruby: { pattern: /^main\.rb:(\d{1,9}):/, innermost: "first" },
  shell: undefined, // a run that was ended has no traceback
};

/** The innermost line in the submitted code, from 1; undefined when it is not known. */
function lineOfLimit(
  language: Language,
  traceback: readonly string[],
): number | undefined {
  const frames = FRAMES[language];
  if (frames === undefined) return undefined;
  const isFrame = (line: string) => frames.pattern.test(line);
  const found = frames.innermost === "first"
    ? traceback.find(isFrame)
    : traceback.findLast(isFrame);
  const [, line] = frames.pattern.exec(found ?? "") ?? [];
  return line === undefined ? undefined : Number(line);
}

/** Whether an error is that of the system: a text that a program makes up gets no note. */
const IS_TOO_LARGE: { readonly [L in Language]: (error: ExecutionError) => boolean } = {
  javascript: ({ message }) => message.startsWith("EFBIG: file too large"),
  python: ({ name, message }) =>
    name === "OSError" && /^\[Errno \d+\] File too large/.test(message),
  perl: ({ message }) => /\bFile too large(?: at |$)/.test(message),
  ruby: ({ name }) => name === "Errno::EFBIG",
  shell: () => false, // a command says it on standard error
};

/** The error, with the limit in its message and in the line of the traceback that shows it. */
function withFileLimit(
  error: ExecutionError,
  language: Language,
  fileBytes: number,
): ExecutionError {
  if (!IS_TOO_LARGE[language](error)) return error;
  const { message } = error;
  const note = ` (a file has at most ${fileBytes} bytes)`;
  const at = error.traceback.findIndex((line) => line.includes(message));
  return {
    ...error,
    message: message + note,
    traceback: error.traceback.map((line, index) =>
      index === at ? line.split(message).join(message + note) : line
    ),
  };
}
