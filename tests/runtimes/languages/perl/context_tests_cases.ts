/**
 * Programs that test, one after the other in a context: each set of tests has a verdict of its own.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { brief, next, perl } from "./perl.ts";

/** Programs, their output, and their outcomes. */
const RUNS: readonly (readonly [code: string, out: string, end: string])[] = [
  [
    "use Test::More; ok 1, 'a'; is 1, 2, 'b'; done_testing; 0",
    "ok 1 - a\nnot ok 2 - b\n1..2\n",
    "1",
  ],
  ["use Test::More; ok 1, 'a'; done_testing; 0", "ok 1 - a\n1..1\n", "text 0"],
  ["ok 0; done_testing; 0", "not ok 1\n1..1\n", "1"],
  ["ok 1, 'no plan yet'; 0", "ok 1 - no plan yet\n", "text 0"],
  ["ok 1, 'goes on'; 0", "ok 2 - goes on\n", "text 0"],
  ["done_testing; 0", "1..2\n", "text 0"],
  ["use Test::More tests => 2; ok 1; 0", "1..2\nok 1\n", "255"],
  ["plan tests => 1; ok 1; 0", "1..1\nok 1\n", "text 0"],
  ["plan skip_all => 'why'; 0", "1..0 # SKIP why\n", "none"],
  ["ok 1; done_testing; 0", "ok 1\n1..1\n", "text 0"],
];

Deno.test("perl context runs: each set of tests has its own numbers and verdict", async () => {
  const engine = await perl();
  engine.reset();
  for (const [code, out, expected] of RUNS) {
    const ran = next(engine, code);
    const status = /^\d+$/.test(expected) ? `SystemExit: exit status ${expected}` : expected;
    assertEquals([code, ran.out, brief(ran)], [code, out, status]);
  }
});
