/**
 * Syntax errors that are reported without QuickJS, which would not see the fault: in TypeScript,
 * and in scripts with `import` or `export`.
 *
 * @module
 */
import type { GuestError } from "../../../../engine/engine.ts";
import type { SyntaxFault } from "./script_parser.ts";

/** Names of the submitted script in tracebacks. */
export type ScriptName = "main.js" | "main.ts";

const DECORATORS = "Decorators are not supported";
const ACCESSOR = "Fields with the keyword accessor are not supported";
/** The keyword before a field, where it ends. */
const BEFORE_FIELD = /(?:^|[^\p{ID_Continue}$.])accessor[ \t]+$/u;
/** The beginning of a field's name. */
const FIELD_NAME = /[\p{ID_Start}$_#"'[0-9]/uy;
const JSX = "JSX is not supported";
/** Maximum characters after the start of a tag where a parser may stop. */
const MAX_TAG_CHARS = 200;
const JSX_TAG = /<\/?(?:>|[A-Za-z][\w.:-]*(?:\s[^<>]*|\s*\/)?>)/y;
/** The beginning of a tag after which it cannot be a type. */
const INSIDE_TAG = /^(?:<\/?|<[A-Za-z][\w.:-]*\s*\/?)?$/;
/** The text before an element: nothing, or a token that an expression can follow. */
const JSX_CONTEXT = /(?:^|[=(,?:&|[{};>]|\breturn)$/;
const NAME = "SyntaxError";
/** Messages quote the source, where names can be as long as the source itself. */
const MAX_MESSAGE_CHARS = 1000;

function guestError(
  message: string,
  place: { script: ScriptName; fault: SyntaxFault } | undefined,
): GuestError {
  const text = message.length > MAX_MESSAGE_CHARS
    ? `${message.slice(0, MAX_MESSAGE_CHARS - 1)}…`
    : message;
  const heading = `${NAME}: ${text}`.split("\n");
  if (place === undefined) return { name: NAME, message: text, traceback: heading };
  const { script, fault: { line, column } } = place;
  return {
    name: NAME,
    message: text,
    traceback: [...heading, `    at ${script}:${line}:${column + 1}`],
    lineNumber: line,
  };
}

/** The error that a guest sees. */
export function syntaxError(script: ScriptName, fault: SyntaxFault): GuestError {
  return guestError(fault.message, { script, fault });
}

/** An error that has no place in the source. */
export function sourceError(message: string): GuestError {
  return guestError(message, undefined);
}

/** Index of a position in the text. */
function offsetOf(code: string, { offset, line, column }: SyntaxFault): number {
  if (offset !== undefined) return offset;
  let start = 0;
  for (let at = 1; at < line; at++) {
    const end = code.indexOf("\n", start);
    if (end < 0) break;
    start = end + 1;
  }
  return Math.min(start + column, code.length);
}

/**
 * Whether a parser stopped inside a JSX tag: a closing tag, or a tag where an expression can begin.
 */
function isJsx(code: string, offset: number): boolean {
  const start = code.lastIndexOf("<", offset);
  if (start < 0 || offset - start > MAX_TAG_CHARS) return false;
  if (!INSIDE_TAG.test(code.slice(start, offset))) return false;
  JSX_TAG.lastIndex = start;
  if (!JSX_TAG.test(code)) return false;
  return code[start + 1] === "/" || JSX_CONTEXT.test(code.slice(0, start).trimEnd().slice(-6));
}

/** Whether a parser stopped at the name of a field after `accessor`. */
function isAccessor(code: string, offset: number): boolean {
  FIELD_NAME.lastIndex = offset;
  const before = code.slice(Math.max(0, offset - MAX_TAG_CHARS), offset);
  return FIELD_NAME.test(code) && BEFORE_FIELD.test(before);
}

/**
 * Syntax that neither parser accepts and that gets its own message, recognized by where a parser
 * stopped.
 */
export function unsupportedSyntax(code: string, fault: SyntaxFault): SyntaxFault | undefined {
  const offset = offsetOf(code, fault);
  if (code[offset] === "@") return { ...fault, message: DECORATORS };
  if (isAccessor(code, offset)) return { ...fault, message: ACCESSOR };
  return isJsx(code, offset) ? { ...fault, message: JSX } : undefined;
}
