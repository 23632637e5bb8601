import { assertEquals } from "@std/assert";
import { compareAscii } from "../../../../../runtimes/languages/javascript/guest/intl/ascii_collation.ts";
import { isRootOrdered } from "../../../../../runtimes/languages/javascript/guest/intl/texts.ts";
import { seededBelow } from "../../../../support/random.ts";

const SEED = 20_240_711;
const ROUNDS = 20_000;

/** Short texts of few letters, which often share a prefix, and texts of any characters. */
function createTexts(seed: number): () => string {
  const below = seededBelow(seed);
  const unit = () => below(3) === 0 ? below(128) : (below(2) ? 0x61 : 0x41) + below(3);
  return () => String.fromCharCode(...Array.from({ length: below(8) }, unit));
}

Deno.test(`ascii collation: the order is ICU's for ${ROUNDS} random pairs (seed ${SEED})`, () => {
  for (
    const locale of [
      "en",
      "en-US",
      "de",
      "fr",
      "it-IT",
      "pt-BR",
      "nl",
      "ru",
      "uk",
      "ja",
      "ko",
      "zh-CN",
    ]
  ) {
    assertEquals(isRootOrdered(locale), true, locale);
    const { compare } = new Intl.Collator(locale);
    const text = createTexts(SEED);
    for (let i = 0; i < ROUNDS / 4; i++) {
      const [a, b] = [text(), text()];
      assertEquals([locale, a, b, compareAscii(a, b)], [locale, a, b, compare(a, b)]);
    }
  }
});

Deno.test("ascii collation: every pair of single characters is in ICU's order", () => {
  const { compare } = new Intl.Collator("en");
  for (let i = 0; i < 128; i++) {
    for (let j = 0; j < 128; j++) {
      const [a, b] = [String.fromCharCode(i), String.fromCharCode(j)];
      assertEquals([i, j, compareAscii(a, b)], [i, j, compare(a, b)]);
    }
  }
});

Deno.test(`ascii collation: never wrong when other characters occur (seed ${SEED})`, () => {
  const { compare } = new Intl.Collator("en");
  const below = seededBelow(SEED);
  const units = [
    "a",
    "b",
    "A",
    "l",
    "-",
    "\u0301",
    "\u0308",
    "é",
    "ß",
    "\u00b7",
    "日",
    "\ud83d\ude00",
  ];
  const text = () => Array.from({ length: below(6) }, () => units[below(units.length)]).join("");
  let answered = 0;
  for (let i = 0; i < ROUNDS; i++) {
    const [a, b] = [text(), text()];
    const order = compareAscii(a, b);
    if (order === undefined) continue;
    answered++;
    assertEquals([a, b, order], [a, b, compare(a, b)]);
  }
  assertEquals(answered > ROUNDS / 10, true);
});

Deno.test("ascii collation: languages with their own order go to the host", () => {
  for (const tag of ["da", "cs", "tr", "et", "lt", "en-US-u-va-posix", "de-u-co-phonebk", "x"]) {
    assertEquals(isRootOrdered(tag), false, tag);
  }
});
