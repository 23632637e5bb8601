import { attack } from "./attack.ts";
import { PERL_CASES } from "./perl_cases.ts";

Deno.test("hostile Perl: each case ends as decided, and the next run is right", async (t) => {
  await attack(t, "perl", PERL_CASES);
});
