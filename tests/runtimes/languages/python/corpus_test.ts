// test: long
import { assert, assertEquals } from "@std/assert";
import { asProcess, comparable, programNames, readExpected, readProgram } from "./corpus.ts";
import { run } from "./support.ts";

const MINIMUM_PROGRAMS = 120;
const EXPECTED = await readExpected();

Deno.test("corpus: there are enough programs, and each has been recorded", () => {
  const names = programNames();
  assertEquals(names, [...EXPECTED.keys()].sort());
  assert(names.length >= MINIMUM_PROGRAMS);
});

for (const [name, expected] of EXPECTED) {
  Deno.test(`corpus: ${name} behaves as under CPython`, async () => {
    const got = asProcess(await run(readProgram(name)));
    assertEquals(comparable(got), comparable(expected));
  });
}
