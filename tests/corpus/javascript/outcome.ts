/**
 * The recorded outcome of a program: lines of text, one file per program.
 *
 * @module
 */

/** The output and the end of a program. Stack frames are left out of all texts. */
export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  /** The error nobody caught, as the console shows it; absent when there was none. */
  readonly error?: string;
  /** The exit status; 1 for an uncaught error. */
  readonly status: number;
}

const SEPARATOR = "|";
const STDOUT = "out";
const STDERR = "err";
const ERROR = "uncaught";
const STATUS = "status";

function record(kind: string, text: string): string[] {
  if (text === "") return [];
  return text.split("\n").map((line) => `${kind}${SEPARATOR}${line}`);
}

/** The text of a recording: each line has the kind it belongs to in front. */
export function encodeOutcome({ stdout, stderr, error = "", status }: Outcome): string {
  return [
    ...record(STDOUT, stdout),
    ...record(STDERR, stderr),
    ...record(ERROR, error),
    `${STATUS}${SEPARATOR}${status}`,
  ].join("\n") + "\n";
}

/** Reads a recording. */
export function decodeOutcome(text: string): Outcome {
  const lines = text.slice(0, -1).split("\n").map((line) => {
    const at = line.indexOf(SEPARATOR);
    if (at < 0) throw new TypeError(`Not a line of a recording: ${line}`);
    return { kind: line.slice(0, at), text: line.slice(at + 1) };
  });
  const textOf = (kind: string) =>
    lines.filter((line) => line.kind === kind).map((line) => line.text).join("\n");
  const error = textOf(ERROR);
  return {
    stdout: textOf(STDOUT),
    stderr: textOf(STDERR),
    ...(error === "" ? {} : { error }),
    status: Number(textOf(STATUS)),
  };
}

/** Frames of a stack, with what a console writes behind the last of them. */
const FRAMES = /^([ \t]*)at (?:.*\n[ \t]*(?:at |\.\.\. \d+ lines matching ))*.*?([ ,{}\]]*)$/gm;

/** Makes one line of the frames of each stack: engines word them differently. */
export function withoutFrames(text: string): string {
  return text.replace(FRAMES, "$1at …$2");
}
