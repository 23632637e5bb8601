// test: long
import { attack } from "./attack.ts";
import { RUBY_CASES } from "./ruby_cases.ts";

Deno.test("hostile Ruby: each case ends as expected, and the next run is correct", async (t) => {
  await attack(t, "ruby", RUBY_CASES);
});
