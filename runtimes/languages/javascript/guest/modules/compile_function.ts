/**
 * Compiles the text of a file to a function. Stack traces show it with the file's path.
 *
 * @module
 */
import type { HostFunction } from "../host.ts";
import { jsonText } from "../json_text.ts";
import { bare, defineHidden, JSONParse, ownDescriptor } from "../primordials.ts";

const FRAME = "\n    at ";

/** The input of a compilation. */
export interface FunctionText {
  /** Name of the file in stack traces. */
  readonly name: string;
  readonly parameters: readonly string[];
  readonly body: string;
  readonly isAsync: boolean;
}

/** Compiles a function; throws what compilation throws. */
export type CompileFunction = (text: FunctionText) => unknown;

/** Why a text is not JavaScript, and where. */
interface Fault {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** Why the host's parser refuses a text, in V8's words. */
function faultOf(host: HostFunction, code: string): Fault | undefined {
  const reply = host("module", jsonText(bare({ code, typescript: false })) ?? "");
  const said: unknown = reply === undefined ? undefined : JSONParse(reply);
  const fault: unknown = ownDescriptor(Object(said), "fault")?.value;
  if (typeof fault !== "object" || fault === null) return undefined;
  const read = (name: string): unknown => ownDescriptor(fault, name)?.value;
  const [message, line, column] = [read("message"), read("line"), read("column")];
  return typeof message === "string"
    ? { message, line: Number(line), column: Number(column) + 1 }
    : undefined;
}

/** The engine's syntax error in V8's words, at the position that V8 would report. */
function wordSyntaxError(error: SyntaxError, fault: Fault, name: string): SyntaxError {
  const { message, line, column } = fault;
  const worded = new SyntaxError(message);
  const stack = `${error.stack}`;
  // the first frame is the engine's position in the file
  const callers = stack.indexOf(FRAME, stack.indexOf(FRAME) + FRAME.length);
  const frames = `${FRAME}${name}:${line}:${column}${callers < 0 ? "" : stack.slice(callers)}`;
  defineHidden(worded, "stack", `SyntaxError: ${message}${frames}`);
  return worded;
}

/** Makes the function that asks the host. Each line of the body keeps its number. */
export function createCompileFunction(host: HostFunction): CompileFunction {
  return ({ name, parameters, body, isAsync }) => {
    const head = `(${isAsync ? "async " : ""}function(${parameters.join(",")}){`;
    const made = host("compile", name, `${head}${body}\n})`);
    if (typeof made === "function") return made;
    if (!(made instanceof SyntaxError)) throw made;
    const fault = faultOf(host, body);
    throw fault === undefined ? made : wordSyntaxError(made, fault, name);
  };
}
