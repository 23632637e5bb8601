// test: long
import { attack } from "./attack.ts";
import { PYTHON_CASES } from "./python_cases.ts";

Deno.test("hostile Python: each case ends as expected, and the next run is correct", async (t) => {
  await attack(t, "python", PYTHON_CASES);
});
