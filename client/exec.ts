/**
 * Commands of the shell, as a terminal runs them.
 *
 * @module
 */
import { validationFailed } from "./errors.ts";
import type { ExecutionResult } from "./execution_result.ts";
import type { Interpreter } from "./interpreter.ts";
import { commandProgram, streamText } from "./protocol/shell_command.ts";
import type { RunCodeOptions } from "./run_options.ts";

/** Options of a command: those of a run, and where it runs. */
export interface ExecOptions extends
  Pick<
    RunCodeOptions,
    | "clock"
    | "envVars"
    | "idempotencyKey"
    | "limits"
    | "onStderr"
    | "onStdout"
    | "retry"
    | "seed"
    | "signal"
    | "stdin"
    | "timeout"
  > {
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
  readonly error?: ExecutionResult["error"];
}

/** The exit code of a command that SIGKILL ended. */
const KILLED = 137;

/** Runs a command in the shell of a sandbox. */
export async function runCommand(
  interpreter: Pick<Interpreter, "runCode">,
  command: string,
  { cwd, ...options }: ExecOptions = {},
): Promise<CommandResult> {
  if (typeof command !== "string") throw validationFailed("command must be a string");
  if (cwd !== undefined && typeof cwd !== "string") throw validationFailed("cwd must be a string");
  const run = await interpreter.runCode(commandProgram(command, cwd), {
    ...options,
    binding: "SHELL",
  });
  const text = (stream: "stdout" | "stderr") =>
    streamText(run.logs[stream], run.unterminated?.includes(stream) === true);
  const { error, exitCode = KILLED } = run;
  return {
    stdout: text("stdout"),
    stderr: text("stderr"),
    exitCode,
    ...(error === undefined ? {} : { error }),
  };
}
