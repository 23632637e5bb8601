import { attack } from "./attack.ts";
import { RUBY_CASES } from "./ruby_cases.ts";

Deno.test("hostile Ruby: each case ends as decided, and the next run is right", async (t) => {
  await attack(t, "ruby", RUBY_CASES);
});
