/**
 * Makes of a submitted file what the driver evaluates.
 *
 * @module
 */
import { scanProgram } from "./scan.ts";

/** A program for the driver. */
export interface PreparedProgram {
  /** To be evaluated as a string. */
  readonly code: string;
  /** Number of lines of the program, without what was added to it. */
  readonly lines: number;
  /** What the handle DATA reads, and the package it belongs to; empty when there is none. */
  readonly data: string;
  readonly dataPackage: string;
  /** The value of the last statement is the program's value. */
  readonly hasValue: boolean;
  /** Objects of the program may have something to do at the very end. */
  readonly destroys: boolean;
}

/** Name of the submitted program in messages. */
export const SCRIPT_NAME = "main.pl";

/** Statements that are there for their effect: what they come to is no value. */
const WITHOUT_VALUE = new Set([
  "",
  "print",
  "printf",
  "say",
  "while",
  "until",
  "for",
  "foreach",
]);

/**
 * Variables of the file stay alive until its END blocks are done, as they do in a program that
 * Perl runs from a file: a named subroutine refers to them. It adds no operation to the program.
 */
function keeper(names: readonly string[]): string {
  if (names.length === 0) return "";
  const references = names.map((name) => `\\${name}`).join(",");
  return `\n;sub Belljar::lexicals{no strict;no warnings;(${references})}`;
}

/** Prepares a file; whatever it is, Perl will say what is wrong with it. */
export function prepareProgram(source: string): PreparedProgram {
  const { end, data, last, names } = scanProgram(source);
  const body = source.slice(0, end);
  return {
    code: `#line 1 "${SCRIPT_NAME}"\n${body}${keeper(names)}`,
    lines: body.replace(/\n$/, "").split("\n").length,
    data: data === undefined ? "" : source.slice(data.start),
    dataPackage: data?.package ?? "",
    destroys: body.includes("DESTROY"),
    hasValue: !WITHOUT_VALUE.has(last),
  };
}
