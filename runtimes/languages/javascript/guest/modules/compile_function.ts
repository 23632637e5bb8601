/**
 * Compiles the text of a file to a function. Stack traces show it with the file's path.
 *
 * @module
 */
import type { HostFunction } from "../host.ts";

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

/** Makes the function that asks the host. Each line of the body keeps its number. */
export function createCompileFunction(host: HostFunction): CompileFunction {
  return ({ name, parameters, body, isAsync }) => {
    const head = `(${isAsync ? "async " : ""}function(${parameters.join(",")}){`;
    const made = host("compile", name, `${head}${body}\n})`);
    if (typeof made !== "function") throw made;
    return made;
  };
}
