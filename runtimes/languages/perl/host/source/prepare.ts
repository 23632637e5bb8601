/**
 * Turns a submitted file into the code that the driver evaluates.
 *
 * @module
 */
import { type LineNumbers, lineNumbers } from "./line_numbers.ts";
import { type ScannedProgram, scanProgram } from "./scan.ts";
import { firstLineSwitches } from "./switches.ts";

/** A program for the driver. */
export interface PreparedProgram {
  /** To be evaluated as a string. */
  readonly code: string;
  /** The program's own code, without additions. */
  readonly lines: LineNumbers;
  /** The text that the handle DATA reads, and its package; empty when there is none. */
  readonly data: string;
  readonly dataPackage: string;
  /** The value of the last statement is the program's value. */
  readonly hasValue: boolean;
  /** Whether the program's objects may need destruction at the very end. */
  readonly destroys: boolean;
}

/** Name of the submitted program in messages. */
const SCRIPT_NAME = "main.pl";
/** Code before a program, for correct messages. */
export const PREFIX: string = `#line 1 "${SCRIPT_NAME}"\n`;
/** The driver's code before that, one line for each task. */
const DRIVER_PREFIX = '#line 1 "belljar:driver"\n';

/** Statements that run for their effect: their result is not the program's value. */
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

/** A variable that may be visible at the end of the file. */
interface Candidate {
  readonly name: string;
  /** The package that `our` declared it in; empty for the others. */
  readonly package: string;
}

/**
 * A named subroutine that refers to the file's variables, so that they live until its END blocks
 * are done, as in a program that Perl runs from a file. It adds no operation to the program. It
 * returns the package at the end of the file, and for each variable its name, the package of `our`,
 * and a reference. In a context it also notifies the driver that the file's end was reached. With
 * nothing to keep, an empty line still follows, for errors that are reported at the file's end.
 */
function keeper(candidates: readonly Candidate[], keepsState: boolean): string {
  if (candidates.length === 0 && !keepsState) return "\n";
  const triples = candidates.map(({ name, package: owner }) => `,q(${name}),q(${owner}),\\${name}`);
  const plain = keepsState ? "BEGIN{Belljar::end_file()}" : "no strict;no warnings;";
  return `\n;sub Belljar::lexicals{${plain}(__PACKAGE__${triples.join("")})}`;
}

/** The file's declarations; in a context also those that only a later run needs. */
function candidatesToKeep(scanned: ScannedProgram, keepsState: boolean): readonly Candidate[] {
  const lexical = scanned.names.map((name) => ({ name, package: "" }));
  if (!keepsState) return lexical;
  const subs = scanned.subs.map((name) => ({ name: `&${name}`, package: "" }));
  return [...scanned.shared, ...lexical, ...subs];
}

/**
 * The driver's code within the program. It restores the pragmas of a context before anything is
 * compiled, and its first statement runs CHECK and INIT blocks if there are any.
 */
function driverCalls(body: string, keepsState: boolean): string {
  const pragmas = keepsState ? "BEGIN{Belljar::begin_file()}\n" : "";
  const phases = /\b(?:CHECK|INIT)\s*\{/.test(body) ? "Belljar::start();\n" : "";
  return pragmas + phases === "" ? "" : DRIVER_PREFIX + pragmas + phases;
}

/**
 * Prepares a file. Any text is accepted: Perl reports what is wrong with it. `keepsState`: a
 * later run may continue the state of this one.
 */
export function prepareProgram(source: string, keepsState = false): PreparedProgram {
  const scanned = scanProgram(source);
  const { end, data, last } = scanned;
  const body = source.slice(0, end);
  const switches = firstLineSwitches(source, keepsState);
  const candidates = switches.loops ? [] : candidatesToKeep(scanned, keepsState);
  const before = switches.before === "" ? "" : `${PREFIX}${switches.before}\n`;
  const after = switches.after + keeper(candidates, keepsState);
  const program = switches.refusal ?? body;
  return {
    code: `${driverCalls(body, keepsState)}${before}${PREFIX}${program}${after}`,
    lines: lineNumbers(body.replace(/\n$/, ""), scanned.comments, SCRIPT_NAME),
    data: data === undefined ? "" : source.slice(data.start),
    dataPackage: data?.package ?? "",
    destroys: body.includes("DESTROY"),
    hasValue: !switches.loops && !WITHOUT_VALUE.has(last),
  };
}

const OPENS = /\bopen\b/;
const NAMES_ITSELF = /\$0\b|\b__FILE__\b|main\.pl/;

/** Whether a program may open its own file: after an `open`, it names the file. */
export function readsItself(code: string): boolean {
  const open = code.search(OPENS);
  return open >= 0 && NAMES_ITSELF.test(code.slice(open));
}
