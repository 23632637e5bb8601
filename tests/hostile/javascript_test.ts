// test: long
import { attack } from "./attack.ts";
import { JAVASCRIPT_CASES } from "./javascript_cases.ts";

Deno.test("hostile JavaScript: each case ends as expected, and the next run is correct", async (t) => {
  await attack(t, "javascript", JAVASCRIPT_CASES);
});
