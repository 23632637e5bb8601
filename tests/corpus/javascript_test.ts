// test: long
/**
 * Ordinary programs, as language models write them, print here what they print in Node, except for
 * the engine's error messages. The recordings were made by `tests/corpus/javascript/record.ts`.
 */
import { assert, assertEquals } from "@std/assert";
import { createJavaScriptEngine } from "../../runtimes/languages/javascript/create.ts";
import { MEMORY_BYTES } from "../../shared/limits.ts";
import { builtIsolate, TEST_STACK_BYTES } from "../support/built.ts";
import { runInEngine } from "./javascript/engine_outcome.ts";
import { readExpected, readPrograms, recordedNames } from "./javascript/programs.ts";
import { wordedHere } from "./javascript/wording.ts";

Deno.test("javascript corpus: every program has a recording, and every recording a program", () => {
  const names = readPrograms().map(({ name }) => name);
  assert(names.length > 0);
  assertEquals(recordedNames(), names);
});

Deno.test("javascript corpus: programs print what they print in Node, with the engine's error messages", async (t) => {
  const { artifact } = await builtIsolate("javascript");
  const engine = await createJavaScriptEngine({
    ...artifact,
    memoryBytes: MEMORY_BYTES.javascript,
    stackBytes: TEST_STACK_BYTES,
  });
  for (const program of readPrograms()) {
    await t.step(program.name, () => {
      const expected = wordedHere(program.name, readExpected(program.name));
      assertEquals(runInEngine(engine, program), expected);
    });
  }
});
