/**
 * The command line of an interpreter, and the program that it starts.
 *
 * @module
 */
import type { Language } from "../../client/protocol/types.ts";

/** An error of the program as its engine reports it. */
export interface ProgramError {
  readonly name: string;
  readonly message: string;
  readonly traceback: readonly string[];
}

/** A program that a command starts. */
export interface CommandProgram {
  readonly language: Language;
  /** The name of the command. */
  readonly name: string;
  readonly code: string;
  readonly typescript: boolean;
  /** The text that tells which packages the program imports. */
  readonly chooser: string;
  readonly input: Uint8Array<ArrayBuffer>;
  /** The exit code after an error. */
  readonly failed: number;
  /** An error as the interpreter writes it. */
  errorText(error: ProgramError): string;
}

/** The answer of a command that starts no program. */
export interface Saying {
  readonly exitCode: number;
  readonly stdout?: string;
  readonly stderr?: string;
}

/** The parts of a command line, with access to its files. */
export interface CommandLine {
  readonly name: string;
  readonly args: readonly string[];
  /** Absolute path. */
  readonly directory: string;
  readonly input: Uint8Array<ArrayBuffer>;
  /** Standard input as text. */
  inputText(): string;
  /** The absolute path of a file as the command names it. */
  path(name: string): string;
  /** The text of the file at an absolute path; undefined when there is none. */
  text(path: string): string | undefined;
}

/** An exit code for wrong arguments. */
export const MISUSED = 2;

/** The refusal of an option. */
export function unknownOption(name: string, option: string): Saying {
  return { exitCode: MISUSED, stderr: `${name}: the option ${option} is not here\n` };
}

/** A text as a literal in single quotes, for Perl and Ruby. */
export function quotedLiteral(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** Lines with their ends. */
export function linesText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
