// test: long
/** At the service's own limits, ordinary work has the fuel and the time that it needs. */
import { assertEquals } from "@std/assert";
import {
  BUNDLED_LANGUAGES as LANGUAGES,
  type BundledLanguage as Language,
} from "../../shared/languages.ts";
import { execute, startService } from "../support/service.ts";
import { AT_SERVICE_LIMITS, HOSTILE_LIMITS } from "./attack.ts";

/** Adds up ten million numbers and keeps none of them. */
const TEN_MILLION: Readonly<Record<Language, string>> = {
  javascript: "let sum = 0; for (let n = 0; n < 10_000_000; n++) sum += n; String(sum)",
  python: "total = 0\nfor n in range(10_000_000):\n    total += n\nstr(total)",
  perl: "my $sum = 0; for my $n (0 .. 9_999_999) { $sum += $n } qq('$sum')",
  ruby: "sum = 0\n10_000_000.times { |n| sum += n }\nsum.to_s",
};

/** Long loops, by name: their language, their program and the digits of its value. */
const LONG_LOOPS: readonly (readonly [string, Language, string, string])[] = [
  ...LANGUAGES.map((language) =>
    ["adds up ten million numbers", language, TEN_MILLION[language], "49999995000000"] as const
  ),
  [
    "adds up a hundred million numbers",
    "javascript",
    "let sum = 0; for (let n = 0; n < 100_000_000; n++) sum += n; String(sum)",
    "4999999950000000",
  ],
  [
    "waits for six seconds in a loop",
    "python",
    "import time\nstart = time.time()\nwhile time.time() - start < 6:\n    pass\n'6'",
    "6",
  ],
];

for (const [name, language, code, value] of LONG_LOOPS) {
  Deno.test({
    name: `honest work: ${language} ${name} at the service's limits`,
    ignore: !AT_SERVICE_LIMITS,
    fn: async () => {
      await using service = await startService({ LANGUAGES: language, ...HOSTILE_LIMITS });
      const { result } = await execute(service.url, language, code);
      assertEquals(result.error, undefined);
      const digits = result.results.map(({ text }) => text?.replace(/\D/g, ""));
      assertEquals(digits, [value]);
    },
  });
}
