import { assertEquals } from "@std/assert";
import { WaitBudget } from "../../shared/wait_budget.ts";

Deno.test("wait budget: the remaining time shrinks, and is never negative", () => {
  let now = 1_000;
  const wait = new WaitBudget(50, () => now);
  const left = [0, 20, 29, 1, 100].map((ms) => {
    now += ms;
    return wait.left();
  });
  assertEquals(left, [50, 30, 1, 0, 0]);
});

Deno.test("wait budget: a clock that goes back does not increase the budget", () => {
  let now = 1_000;
  const wait = new WaitBudget(50, () => now);
  now = 0;
  assertEquals(wait.left(), 50);
});
