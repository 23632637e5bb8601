/** Exercises without a browser: links, and the verdict about a run. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Language } from "@belljar/client";
import {
  type Exercise,
  EXERCISE_LIMITS,
  exerciseOf,
  type ExerciseTest,
} from "../../page/exercise.ts";
import { testRun, verdictOf } from "../../page/exercise_check.ts";
import { exerciseIn, exerciseLink, placeOf } from "../../page/link.ts";
import { packText } from "../../page/packed_text.ts";

const PAGE = "http://127.0.0.1:8000/";
const TEST: ExerciseTest = { name: "a", hidden: false, stdin: "", output: undefined, code: "" };
const EXERCISE: Exercise = {
  title: "Sums ü",
  task: "# Add\n\u0000\ud83d\ude00",
  language: "ruby",
  code: "puts 1\n",
  tests: [
    TEST,
    { name: "", hidden: true, stdin: "1\n2", output: "", code: "raise unless true" },
  ],
};

Deno.test("page exercise: a link brings an exercise back as it was, in the fragment only", async () => {
  for (const exercise of [EXERCISE, { ...EXERCISE, task: "", code: "", tests: [] }]) {
    const link = new URL(await exerciseLink(`${PAGE}#new-exercise`, exercise));
    assertEquals([link.origin + link.pathname, link.search], [PAGE, ""]);
    assertMatch(link.hash, /^#exercise=[\w-]+$/);
    const place = placeOf(link.hash);
    assertEquals(place.kind === "exercise" && await exerciseIn(place.packed), exercise);
  }
  assertEquals(placeOf("#new-exercise"), { kind: "new-exercise" });
});

Deno.test("page exercise: a damaged link, or a value that is no exercise, is undefined", async () => {
  for (const packed of ["", "%", "AAAA", await packText("{}"), await packText("x".repeat(3e5))]) {
    assertEquals(await exerciseIn(packed), undefined);
  }
  const { tests, nameChars, taskChars, codeChars } = EXERCISE_LIMITS;
  const wrong: readonly unknown[] = [
    null,
    [],
    { ...EXERCISE, title: undefined },
    { ...EXERCISE, title: "x".repeat(nameChars + 1) },
    { ...EXERCISE, task: 1 },
    { ...EXERCISE, task: "x".repeat(taskChars + 1) },
    { ...EXERCISE, language: "cobol" },
    { ...EXERCISE, language: "constructor" },
    { ...EXERCISE, code: "x".repeat(codeChars + 1) },
    { ...EXERCISE, code: null },
    { ...EXERCISE, tests: {} },
    { ...EXERCISE, tests: Array(tests + 1).fill(TEST) },
    { ...EXERCISE, tests: [TEST, null] },
    ...Object.entries({ name: 1, hidden: "yes", stdin: 1, output: null, code: [] })
      .map(([key, value]) => ({ ...EXERCISE, tests: [{ ...TEST, [key]: value }] })),
  ];
  for (const value of wrong) assertEquals(exerciseOf(value), undefined, JSON.stringify(value));
  assert(exerciseOf({ ...EXERCISE, tests: Array(tests).fill(TEST), other: 1 }) !== undefined);
});

Deno.test("page exercise: a test without code runs the program itself", () => {
  for (const language of ["javascript", "python", "perl", "ruby", "shell"] as const) {
    const run = testRun("program", language, { ...TEST, code: " \n", stdin: "in" }, "mark");
    assertEquals(run, { code: "program", stdin: "in", mark: undefined });
  }
});

Deno.test("page exercise: code of a test stands after the program, whose lines keep their numbers", () => {
  const languages: readonly Language[] = ["javascript", "python", "perl", "ruby", "shell"];
  for (const language of languages) {
    const { code, mark } = testRun("one\ntwo", language, { ...TEST, code: "three" }, "m4rk");
    assertEquals([code.split("\n").slice(0, 3), mark], [["one", "two", "three"], "m4rk"]);
    assert(code.includes("m4rk"));
  }
});

Deno.test("page exercise: the verdict of each kind of run", () => {
  const logs = (stdout: readonly string[]) => ({ logs: { stdout, stderr: ["ignored"] } });
  const error = { name: "TypeError", message: "no", traceback: [] };
  const expects = (output: string) => ({ ...TEST, output });
  const verdict = (...given: Parameters<typeof verdictOf>) => {
    const { passed, reason } = verdictOf(...given);
    return [passed, reason];
  };
  assertEquals(verdict(logs([]), TEST, undefined), [true, ""]);
  assertEquals(verdict({ ...logs([]), error }, TEST, undefined), [false, "TypeError: no"]);
  const limit = { name: "ExecutionLimitError", message: "Fuel limit reached: 1", traceback: [] };
  assertEquals(verdict({ ...logs([]), error: limit }, TEST, undefined), [false, limit.message]);
  assertEquals(verdict({ ...logs([]), exitCode: 3 }, TEST, undefined), [
    false,
    "The exit code is 3.",
  ]);
  // blanks at ends of lines and empty lines at the end make no difference, anything else does
  for (const text of ["a\nb", "a  \nb\t", "a\nb\n\n", "a\r\nb"]) {
    assertEquals(verdict(logs(["a", "b"]), expects(text), undefined), [true, ""], text);
  }
  for (const text of ["a b", " a\nb", "a\n\nb", "A\nb", "", "\na\nb"]) {
    assertEquals(verdict(logs(["a", "b"]), expects(text), undefined)[0], false, text);
  }
  assertEquals(verdict(logs([""]), expects(""), undefined), [true, ""]);
  // the mark of the test's code is no output, also after a line without an end
  assertEquals(verdict(logs(["a", "mark"]), expects("a"), "mark"), [true, ""]);
  assertEquals(verdict(logs(["amark"]), expects("a"), "mark"), [true, ""]);
  assertEquals(verdict(logs(["amark", "later"]), expects("a\nlater"), "mark"), [true, ""]);
  assertEquals(verdict(logs(["a"]), expects("a"), "mark")[0], false);
  assertEquals(verdictOf(logs(["a", "mark"]), expects("b"), "mark").output, "a\n");
});
