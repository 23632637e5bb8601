// test: long
/**
 * A program in each language that is interrupted: its isolates are taken back and killed. The long tests
 * beside this one do the same with all programs.
 */
import { assert, assertEquals, assertGreater } from "@std/assert";
import {
  BUNDLED_LANGUAGES as LANGUAGES,
  type BundledLanguage as Language,
} from "../../../shared/languages.ts";
import { printedSeed } from "../../support/random.ts";
import { callingPrograms, programsByHand } from "./programs.ts";
import { checkReplays, Isolates } from "./replays.ts";

/** A program by hand that waits in several ways. */
const CHOSEN: { readonly [L in Language]: string } = {
  javascript: "races",
  python: "workers",
  perl: "alarms",
  ruby: "timeouts",
};

for (const language of LANGUAGES) {
  Deno.test(`${language} calls: a program is the same after interruptions`, async () => {
    const seed = printedSeed(`interruptions of ${language}`);
    await using isolates = new Isolates(language);
    const name = `${language}/${CHOSEN[language]}.`;
    const program = programsByHand(language).find((one) => one.name.startsWith(name));
    assert(program !== undefined, name);
    const { calls } = await checkReplays(program, isolates, {
      seed,
      interruptions: ["release", "kill"],
    });
    assertGreater(calls, 10, name);
  });
}

Deno.test("programs that call: their names differ", () => {
  const all = LANGUAGES.flatMap((language) => callingPrograms(language));
  assertEquals(new Set(all.map(({ name }) => name)).size, all.length);
});
