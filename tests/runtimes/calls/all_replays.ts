/**
 * The long test of one language: all of its programs are interrupted.
 *
 * @module
 */
import { assertEquals, assertGreater } from "@std/assert";
import type { BundledLanguage as Language } from "../../../shared/languages.ts";
import { printedSeed } from "../../support/random.ts";
import { callingPrograms } from "./programs.ts";
import { checkReplays, Isolates } from "./replays.ts";

const PROGRAMS = 50;

/** Registers the test. */
export function testAllReplays(language: Language): void {
  Deno.test(`${language} calls: fifty programs are the same after any interruption`, async () => {
    const programs = callingPrograms(language);
    assertEquals(programs.length, PROGRAMS);
    const seed = printedSeed(`interruptions of ${language}`);
    await using isolates = new Isolates(language);
    let interruptions = 0;
    let calls = 0;
    for (const [index, program] of programs.entries()) {
      const counts = await checkReplays(program, isolates, {
        seed: seed + index,
        interruptions: index % 2 === 0 ? ["release", "kill"] : ["kill", "release"],
      });
      interruptions += counts.interruptions;
      calls += counts.calls;
    }
    assertGreater(interruptions, PROGRAMS);
    assertGreater(calls, 10 * PROGRAMS);
  });
}
