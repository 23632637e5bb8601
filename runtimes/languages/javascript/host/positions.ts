/**
 * Positions in stack traces of JavaScript guests.
 *
 * @module
 */
import type { GuestError } from "../../../engine/engine.ts";
import { FramePlaces } from "./source/frame_places.ts";
import { LineIndex } from "./source/line_index.ts";
import { parseScript } from "./source/script_parser.ts";
import { walkTree } from "./source/syntax_tree.ts";

const POSITION = /(?<=^|[ (])(main(?:-\d+)?\.js):(\d+)/g;

const POSITION_IN_LINE = new RegExp(POSITION.source);

/** The script that a run evaluates, and the positions of its lines in the submitted code. */
export interface EvaluatedScript {
  /** Name of the script in stack traces. */
  readonly name: string;
  /** Line of the evaluated script → line of the submitted one. */
  lineOf(line: number): number;
}

/** Converts the lines of a traceback to positions in the submitted code. */
export function mapPositions(
  lines: readonly string[],
  script: EvaluatedScript,
): readonly string[] {
  return lines.map((line) =>
    line.replaceAll(
      POSITION,
      (all, name: string, at: string) =>
        name === script.name ? `${name}:${script.lineOf(Number(at))}` : all,
    )
  );
}

/** A prepared script, and its name in stack traces. */
export interface PlacedScript {
  readonly name: string;
  readonly source: { readonly code: string; lineOf(line: number): number };
}

/** The line of the only regular expression in a script, which the engine does not report. */
function lineOfPattern(code: string): number | undefined {
  const parsed = parseScript(code, { tokens: false });
  if (parsed.kind !== "parsed") return undefined;
  const patterns = [...walkTree(parsed.program)].filter((node) =>
    node.type === "Literal" && "regex" in node
  );
  const [pattern] = patterns;
  return pattern === undefined || patterns.length > 1
    ? undefined
    : new LineIndex(code).lineOf(pattern.start) + 1;
}

/** The error with the frame that the engine leaves out for a regular expression. */
function withPattern(error: GuestError, { name, source }: PlacedScript): GuestError {
  const line = lineOfPattern(source.code);
  if (line === undefined) return error;
  const traceback = [...error.traceback, `    at ${name}:${line}:1`];
  return { ...error, traceback, lineNumber: line };
}

/**
 * Converts an error to positions in the submitted code. Calls are placed where they begin: the
 * engine reports the last position that it recorded, which can be lines further down.
 */
export function placeError(described: GuestError, script: PlacedScript): GuestError {
  const { name, source } = script;
  const isPlaceless = described.name === "SyntaxError" && described.traceback.length === 1;
  const error = isPlaceless ? withPattern(described, script) : described;
  const { lineNumber, traceback } = error;
  if (lineNumber === undefined) return error;
  const places = FramePlaces.of(source.code);
  const atCalls = (lines: readonly string[]) => places.corrected(lines, name, error.name);
  const lineOf = (line: number) => source.lineOf(line);
  const first = traceback.findIndex((line) => line.includes(`${name}:${lineNumber}:`));
  const [frame = ""] = atCalls(traceback.slice(0, first + 1)).slice(-1);
  const line = Number(POSITION_IN_LINE.exec(frame)?.[2] ?? lineNumber);
  return {
    ...error,
    traceback: mapPositions(atCalls(traceback), { name, lineOf }),
    lineNumber: lineOf(line),
  };
}
