// test: long
import { attack } from "./attack.ts";
import { PERL_CASES } from "./perl_cases.ts";

Deno.test("hostile Perl: each case ends as expected, and the next run is correct", async (t) => {
  await attack(t, "perl", PERL_CASES);
});
