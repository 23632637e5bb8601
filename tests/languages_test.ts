/**
 * The needs of a language beside its row in the table, where no compiler can look: files that are
 * found by their names, lists of tests that must not forget a language, and pages.
 * `docs/adding-a-language.md` has the whole list.
 */
import { assert, assertEquals } from "@std/assert";
import { isBundled, LANGUAGE_INFO, LANGUAGES, languagesWithContexts } from "../shared/languages.ts";
import { CONTEXT_LANGUAGES } from "./contract/sandbox_target.ts";
import { SNAPSHOT_LANGUAGES } from "./runtimes/engine/snapshot/engine_bench.ts";
import { GUEST_LANGUAGES } from "./support/kill_guests.ts";

const ROOT = new URL("../", import.meta.url);

/** By the id of a language. The keys of built engines depend on where its sources are. */
const FILES: readonly ((id: string) => string)[] = [
  (id) => `runtimes/languages/${id}/create.ts`,
  (id) => `runtimes/languages/${id}/engine.ts`,
  (id) => `runtimes/languages/${id}/build/metered_module.ts`,
  (id) => `runtimes/languages/${id}/build/builder.ts`,
  (id) => `tests/engines/${id}_test.ts`,
  (id) => `tests/hostile/${id}_test.ts`,
  (id) => `docs/languages/${id}.md`,
];

function read(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(new URL(path, ROOT));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

for (const language of LANGUAGES) {
  Deno.test(`languages: ${language} has its files where they are looked for`, () => {
    const absent = FILES.map((pathOf) => pathOf(language)).filter((path) => !read(path));
    assertEquals(absent, []);
  });

  Deno.test(`languages: the shared suite runs for ${language}`, () => {
    const suite = read(`tests/engines/${language}_test.ts`) ?? "";
    const runsSuite = suite.includes("testEngine({") && suite.includes(`language: "${language}"`);
    // the shell has no values, exceptions and tracebacks, so it has tests of its own
    assert(runsSuite || !isBundled(language));
  });

  Deno.test(`languages: the pages name ${language}, and its memory`, () => {
    const { name, memoryBytes } = LANGUAGE_INFO[language];
    const texts: readonly (readonly [path: string, text: string])[] = [
      ["README.md", `[${name}](docs/languages/${language}.md)`],
      ["client/README.md", name],
      ["gateway/openapi/document.ts", name],
      ["docs/contract.md", `${name} ${memoryBytes / 2 ** 20}`],
      ["docs/operating.md", `${name} ${memoryBytes / 2 ** 20}`],
    ];
    assertEquals(texts.filter(([path, text]) => !read(path)?.includes(text)), []);
  });
}

Deno.test("languages: an id is a word that paths, bindings and variables can hold", () => {
  assertEquals(LANGUAGES.filter((id) => !/^[a-z]+$/.test(id)), []);
  assertEquals(Object.keys(LANGUAGE_INFO), [...LANGUAGES]);
});

Deno.test("languages: aliases are in lower case", () => {
  const aliases = LANGUAGES.flatMap((id) => LANGUAGE_INFO[id].aliases);
  assertEquals(aliases.filter((alias) => alias !== alias.toLowerCase()), []);
});

Deno.test("languages: memory is whole pages, fuel is a number that JSON keeps exact", () => {
  for (const id of LANGUAGES) {
    const { fuel, memoryBytes } = LANGUAGE_INFO[id];
    assert(memoryBytes > 0 && memoryBytes % 65_536 === 0, id);
    assert(fuel > 0 && Number.isSafeInteger(fuel), id);
  }
});

Deno.test("languages: the suites of contexts run for every bundled language that has them", () => {
  assertEquals([...CONTEXT_LANGUAGES], [...languagesWithContexts([]).filter(isBundled)]);
  for (const tested of [GUEST_LANGUAGES, SNAPSHOT_LANGUAGES]) {
    assertEquals([...tested], [...languagesWithContexts(LANGUAGES).filter(isBundled)]);
  }
});
