/**
 * A few programs in each language that are interrupted: their isolates are killed or taken back. The long
 * tests beside this one do the same with all programs.
 */
import { assert, assertEquals, assertGreater } from "@std/assert";
import {
  BUNDLED_LANGUAGES as LANGUAGES,
  type BundledLanguage as Language,
} from "../../../shared/languages.ts";
import { printedSeed } from "../../support/random.ts";
import { callingPrograms, programsByHand } from "./programs.ts";
import { checkReplays, Isolates } from "./replays.ts";

/** Programs by hand that are short and wait in several ways. */
const CHOSEN: { readonly [L in Language]: readonly string[] } = {
  javascript: ["races", "retry"],
  python: ["workers", "timeouts"],
  perl: ["alarms", "sort_keys"],
  ruby: ["fibers", "timeouts"],
};

for (const language of LANGUAGES) {
  Deno.test(`${language} calls: a program is the same after an interruption`, async () => {
    const seed = printedSeed(`interruptions of ${language}`);
    await using isolates = new Isolates(language);
    for (const name of CHOSEN[language]) {
      const program = programsByHand(language).find((one) => one.name.includes(`/${name}.`));
      assert(program !== undefined, name);
      const { calls } = await checkReplays(program, isolates, {
        seed,
        interruptions: ["release", "kill"],
      });
      assertGreater(calls, 10, name);
    }
  });
}

Deno.test("programs that call: their names differ", () => {
  const all = LANGUAGES.flatMap((language) => callingPrograms(language));
  assertEquals(new Set(all.map(({ name }) => name)).size, all.length);
});
