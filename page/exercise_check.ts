/**
 * One test of an exercise: its program, and whether its run passes.
 *
 * @module
 */
import type { ExecutionResult, Language } from "@belljar/client";
import { errorTitle } from "./error_title.ts";
import type { ExerciseTest } from "./exercise.ts";

/** A test as it is run. */
export interface TestRun {
  readonly code: string;
  readonly stdin: string;
  /** The text that the run writes after the test's code; undefined: the test has no code. */
  readonly mark: string | undefined;
}

/** Whether a run passes; if not, the reason. */
export interface Verdict {
  readonly passed: boolean;
  readonly reason: string;
  /** Output of the run, without the mark. */
  readonly output: string;
}

/**
 * Statements that write a mark at the end of the test's code. A program that ends early, or hides
 * the code behind `__END__`, does not reach them. In a shell the last command of the test decides.
 */
const MARKS: { readonly [L in Language]: (mark: string) => string } = {
  javascript: (mark) => `;console.log("${mark}");`,
  python: (mark) => `__import__("sys").stdout.write("${mark}\\n")`,
  perl: (mark) => `;print STDOUT "${mark}\\n";`,
  ruby: (mark) => `STDOUT.puts "${mark}"`,
  shell: (mark) => `test $? -eq 0 && echo ${mark}`,
};

/** The run of a test. `mark`: letters and digits that no program knows. */
export function testRun(
  program: string,
  language: Language,
  { code, stdin }: ExerciseTest,
  mark: string,
): TestRun {
  if (code.trim() === "") return { code: program, stdin, mark: undefined };
  return { code: `${program}\n${code}\n${MARKS[language](mark)}\n`, stdin, mark };
}

/** Whether a run passes its test. */
export function verdictOf(
  { error, exitCode = 0, logs }: Pick<ExecutionResult, "error" | "exitCode" | "logs">,
  { output: expected }: ExerciseTest,
  mark: string | undefined,
): Verdict {
  const written = logs.stdout.join("\n");
  const at = mark === undefined ? -1 : written.lastIndexOf(mark);
  const output = at < 0 ? written : written.slice(0, at) + written.slice(at + (mark ?? "").length);
  const failed = (reason: string): Verdict => ({ passed: false, reason, output });
  if (error !== undefined) return failed(errorTitle(error));
  if (mark !== undefined && at < 0) {
    return failed("The code of the test does not succeed, or the program ends before it.");
  }
  if (mark === undefined && exitCode !== 0) return failed(`The exit code is ${exitCode}.`);
  if (expected !== undefined && trimmed(output) !== trimmed(expected)) {
    return failed("The output differs.");
  }
  return { passed: true, reason: "", output };
}

/** Blanks at the end of a line, and empty lines at the end, make no difference. */
function trimmed(text: string): string {
  return text.split("\n").map((line) => line.trimEnd()).join("\n").trimEnd();
}
