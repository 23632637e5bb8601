/**
 * Exercises: a task, a program to begin with, and tests. A link holds all of it, so each part is
 * checked before it is used.
 *
 * @module
 */
import type { Language } from "@belljar/client";
import { knownLanguage } from "./language_names.ts";

/** A test of an exercise: one run of the program. */
export interface ExerciseTest {
  readonly name: string;
  /** The reader sees its name and whether it passes, and nothing else. */
  readonly hidden: boolean;
  /** Standard input of the run. */
  readonly stdin: string;
  /** The output that the run must have; undefined: any. */
  readonly output?: string | undefined;
  /** Code after the program, which must reach its end without an error; empty: none. */
  readonly code: string;
}

/** An exercise. */
export interface Exercise {
  readonly title: string;
  /** In Markdown. */
  readonly task: string;
  readonly language: Language;
  /** The program to begin with. */
  readonly code: string;
  readonly tests: readonly ExerciseTest[];
}

/** The most that an exercise may have: tests, and characters. */
export const EXERCISE_LIMITS = {
  tests: 50,
  nameChars: 120,
  taskChars: 20_000,
  codeChars: 100_000,
} as const;

/** The exercise as a text for a link. */
export function exerciseText({ title, task, language, code, tests }: Exercise): string {
  return JSON.stringify({
    title,
    task,
    language,
    code,
    tests: tests.map(({ name, hidden, stdin, output, code }) => ({
      name,
      ...(hidden ? { hidden } : {}),
      ...(stdin === "" ? {} : { stdin }),
      ...(output === undefined ? {} : { output }),
      ...(code === "" ? {} : { code }),
    })),
  });
}

/** The exercise that a value of a link is; undefined when it is none. */
export function exerciseOf(value: unknown): Exercise | undefined {
  if (!isRecord(value)) return undefined;
  const { title, task = "", language: id, code = "", tests: list = [] } = value;
  const language = knownLanguage(id);
  if (language === undefined || !isText(title, EXERCISE_LIMITS.nameChars)) return undefined;
  if (!isText(task, EXERCISE_LIMITS.taskChars)) return undefined;
  if (!isText(code, EXERCISE_LIMITS.codeChars)) return undefined;
  if (!Array.isArray(list) || list.length > EXERCISE_LIMITS.tests) return undefined;
  const tests = list.map(testOf).filter((test) => test !== undefined);
  return tests.length === list.length ? { title, task, language, code, tests } : undefined;
}

function testOf(value: unknown): ExerciseTest | undefined {
  if (!isRecord(value)) return undefined;
  const { name, hidden = false, stdin = "", output, code = "" } = value;
  const { nameChars, codeChars } = EXERCISE_LIMITS;
  if (!isText(name, nameChars) || typeof hidden !== "boolean") return undefined;
  if (!isText(stdin, codeChars) || !isText(code, codeChars)) return undefined;
  if (output !== undefined && !isText(output, codeChars)) return undefined;
  return { name, hidden, stdin, output, code };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isText(value: unknown, maxChars: number): value is string {
  return typeof value === "string" && value.length <= maxChars;
}
