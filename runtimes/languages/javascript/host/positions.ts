/**
 * Positions in stack traces of JavaScript guests.
 *
 * @module
 */
const POSITION = /(?<=^|[ (])(main(?:-\d+)?\.js):(\d+)/g;

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
