import { assertEquals, assertThrows } from "@std/assert";
import { pupilSandboxes } from "../../page/pupil_names.ts";

Deno.test("class: names of people become names of sandboxes", () => {
  assertEquals(pupilSandboxes("task", "Zoë Miller\n\n ben, O'Neil;x.y\r\n"), [
    "task.Zoe-Miller",
    "task.ben",
    "task.O-Neil",
    "task.x.y",
  ]);
  assertEquals(pupilSandboxes("task", "3"), ["task.01", "task.02", "task.03"]);
  assertEquals(pupilSandboxes("task", "3\n4"), ["task.3", "task.4"]);
});

Deno.test("class: a list that cannot be used says why", () => {
  const refusals: readonly (readonly [list: string, problem: string])[] = [
    [" \n ", "Write the names"],
    ["0", "Write the names"],
    ["101", "at most 100 pupils"],
    ["a\nb\na", "“a” is there twice"],
    ["!?", "no letter or digit"],
    ["x".repeat(60), "too long"],
  ];
  for (const [list, problem] of refusals) {
    assertThrows(() => pupilSandboxes("task", list), Error, problem);
  }
});
