/**
 * What a part needs in order to log. The program that writes the lines lives in `gateway/`.
 *
 * Code, values of variables, tokens and output of guests are never given to a log.
 *
 * @module
 */

/** How much a line matters: `error` asks for somebody to look. */
export type LogLevel = "info" | "warn" | "error";

/** Plain values only, so that a line never holds more than was meant. */
export type LogFields = {
  readonly [name: string]: string | number | boolean | undefined;
};

/** Writes one event. `event` is a fixed text in the source, never text of a caller. */
export type Log = (level: LogLevel, event: string, fields?: LogFields) => void;

const MAX_STACK_CHARS = 4096;

/**
 * What may be logged about something thrown: its class, message and stack, cut to a length.
 * Only for failures of our own program; errors of guests are answers and are not logged.
 *
 * The message of a SyntaxError quotes what could not be parsed, which may be anybody's; so of
 * those there are the frames only.
 */
export function describeCause(thrown: unknown): LogFields {
  if (!(thrown instanceof Error)) return { cause: `a thrown ${typeof thrown}` };
  const { name: cause, stack = thrown.message } = thrown;
  const told = thrown instanceof SyntaxError ? framesOf(stack) : stack;
  return { cause, stack: told.slice(0, MAX_STACK_CHARS) };
}

function framesOf(stack: string): string {
  return stack.split("\n").filter((line) => /^ {4}at .*[)\d]$/.test(line)).join("\n");
}
