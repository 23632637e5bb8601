/**
 * The interface of the log. `gateway/` writes the lines.
 *
 * Code, values of variables, tokens and output of guests are never logged.
 *
 * @module
 */

/** Severity of a line: `error` needs attention. */
export type LogLevel = "info" | "warn" | "error";

/** Plain values only, so that a line never contains more than intended. */
export type LogFields = {
  readonly [name: string]:
    | string
    | number
    | boolean
    | undefined
    | readonly string[]
    | { readonly [name: string]: number };
};

/** Writes one event. `event` is a fixed text in the source, never text of a caller. */
export type Log = (level: LogLevel, event: string, fields?: LogFields) => void;

const MAX_STACK_CHARS = 4096;

/**
 * The loggable description of anything thrown: class, message and stack, truncated. Only for
 * failures of the service itself; errors of guests are answers and are not logged.
 *
 * The message of a SyntaxError quotes the unparsable text, which may come from anybody, so only its
 * stack frames are logged.
 */
export function describeCause(thrown: unknown): LogFields {
  if (!(thrown instanceof Error)) return { cause: `a thrown ${typeof thrown}` };
  const { name: cause, stack = thrown.message } = thrown;
  const frames = thrown instanceof SyntaxError ? framesOf(stack) : stack;
  return { cause, stack: frames.slice(0, MAX_STACK_CHARS) };
}

function framesOf(stack: string): string {
  return stack.split("\n").filter((line) => /^ {4}at .*[)\d]$/.test(line)).join("\n");
}
