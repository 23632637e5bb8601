/**
 * A command as a program of the shell: it runs in a fresh shell in its directory, so that it leaves
 * nothing behind in the context but the files that it wrote.
 *
 * @module
 */
import { WORKSPACE } from "./paths.ts";

/** The name of the context in which adapters run commands. */
export const COMMANDS_CONTEXT = "commands";

/** A text as one word of the shell. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The program that runs a command in a directory. Its exit code is that of the command. */
export function commandProgram(command: string, directory: string = WORKSPACE): string {
  return `(cd ${shellWord(directory)} && bash -c ${shellWord(command)})`;
}

/** The text of a stream, from its lines. */
export function streamText(lines: readonly string[], isUnterminated: boolean): string {
  if (lines.length === 0) return "";
  return lines.join("\n") + (isUnterminated ? "" : "\n");
}
