/**
 * The form of the operator's commands about a folder of packages: `add`, `list` and `remove`, their
 * output, their refusals and their exit codes.
 *
 * @module
 */
import { parseArgs, type ParseArgsConfig } from "node:util";
import { Progress, type ProgressOutput } from "./progress.ts";
import { CommandRefused } from "./refusal.ts";

/** Where a command writes. */
export interface CommandOutput {
  /** Its result, such as a list. */
  print(line: string): void;
  /** Everything else. */
  readonly progress: ProgressOutput;
}

/** Names in one command line. */
const MAX_NAMES = 200;

/** The command line is not valid. The usage is printed after the message. */
export class UsageError extends CommandRefused {
  override readonly name = "UsageError";
}

/** Runs a command and returns its exit code: 0 for success, 1 for a refusal, 2 for a usage error. */
export async function runCommand(
  { progress: output }: CommandOutput,
  usage: string,
  work: (progress: Progress) => Promise<void>,
): Promise<number> {
  const progress = new Progress(output);
  try {
    await work(progress);
    return 0;
  } catch (thrown) {
    if (!(thrown instanceof CommandRefused)) throw thrown;
    progress.line(thrown.message);
    if (!(thrown instanceof UsageError)) return 1;
    output.write(usage);
    return 2;
  } finally {
    progress.end();
  }
}

/** Parses the arguments of `add`, `list` and `remove`. Throws a {@link UsageError}. */
export function parseArguments<O extends NonNullable<ParseArgsConfig["options"]>>(
  command: string | undefined,
  args: readonly string[],
  options: O,
) {
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true });
    const { length } = parsed.positionals;
    if (length > MAX_NAMES) throw new UsageError(`More than ${MAX_NAMES} names at once`);
    if (command === "remove" && length === 0) throw new UsageError("Name the packages to remove");
    if (command === "list" && args.length > 0) throw new UsageError("list takes no arguments");
    return parsed;
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    throw new UsageError(thrown.message);
  }
}

/** The error for a command that does not exist, or is missing. */
export function unknownCommand(command: string | undefined): UsageError {
  return new UsageError(
    command === undefined ? "Say what to do" : `There is no command ${JSON.stringify(command)}`,
  );
}

/** The folder of a command, and the variable that names it. */
export interface CommandFolder {
  readonly path: string;
  readonly variable: string;
  /** Whether the variable is set. */
  readonly isSet: boolean;
}

/** Tells the operator the step after a command. `next`: the step where the variable is set. */
export function tellNext(
  { path, variable, isSet }: CommandFolder,
  command: string,
  next: string,
  progress: Progress,
): void {
  if (command !== "list") progress.line(`The packages in ${path} match the lock`);
  if (!isSet) {
    progress.line(
      `${variable} is not set: set it to ${path} for deno task build and for the service`,
    );
  } else if (command !== "list") {
    progress.line(next);
  }
}
