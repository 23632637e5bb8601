/**
 * Why the engine rejects a regular expression, in V8's words, which quote the pattern.
 *
 * @module
 */
import { ownDescriptor, RegExpPrototypeExec, StringPrototypeStartsWith } from "../primordials.ts";
import { FLAGS_FAULT, PATTERN_FAULTS } from "../../host/pattern_faults.ts";

/** The engine's messages that have more than one cause. */
const AMBIGUOUS = "syntax error";
const END_FAULT = "unexpected end";
const ESCAPE_FAULT = "invalid escape sequence in regular expression";
/** An odd number of backslashes at the end. */
const OPEN_ESCAPE = /(?:^|[^\\])(?:\\\\)*\\$/;
const NOTHING_BEFORE = /(?:^|[(|])\{\d/;
const UNICODE_ESCAPE = /\\[uc]/;

/** The arguments of a constructor. */
export interface Compiled {
  readonly pattern: string;
  readonly flags: string;
}

let compiled: Compiled | undefined;

/** Compiles with `action`, and remembers the arguments in case it fails. */
export function compiling<Result>(what: Compiled | undefined, action: () => Result): Result {
  const outer = compiled;
  compiled = what;
  try {
    return action();
  } finally {
    compiled = outer;
  }
}

function says(pattern: RegExp, text: string): boolean {
  return RegExpPrototypeExec(pattern, text) !== null;
}

function reasonFor(message: string, pattern: string): string | undefined {
  if (StringPrototypeStartsWith(message, END_FAULT) && says(OPEN_ESCAPE, pattern)) {
    return "\\ at end of pattern";
  }
  if (message === AMBIGUOUS) {
    return says(NOTHING_BEFORE, pattern) ? "Nothing to repeat" : "Lone quantifier brackets";
  }
  if (message === ESCAPE_FAULT && says(UNICODE_ESCAPE, pattern)) return "Invalid Unicode escape";
  const known: unknown = ownDescriptor(PATTERN_FAULTS, message)?.value;
  return typeof known === "string" ? known : undefined;
}

/**
 * The wording for a rejected pattern, or for its flags. `literal` is the source text of the
 * literal, if known.
 */
export function wordRefusal(message: string, literal: () => string): string | undefined {
  const { pattern, flags } = compiled ?? { pattern: "", flags: "" };
  if (message === FLAGS_FAULT) {
    const quoted = compiled === undefined ? "" : ` '${flags}'`;
    return `Invalid flags supplied to RegExp constructor${quoted}`;
  }
  const reason = reasonFor(message, pattern);
  if (reason === undefined) return undefined;
  const refused = compiled === undefined ? literal() : pattern;
  return `Invalid regular expression: ${refused === "" ? "" : `/${refused}/${flags}: `}${reason}`;
}
