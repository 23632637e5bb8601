import { attack } from "./attack.ts";
import { JAVASCRIPT_CASES } from "./javascript_cases.ts";

Deno.test("hostile JavaScript: each case ends as decided, and the next run is right", async (t) => {
  await attack(t, "javascript", JAVASCRIPT_CASES);
});
