import { assert, assertEquals, assertThrows } from "@std/assert";
import { groupsOf, markIn } from "./support/test_groups.ts";

Deno.test("markIn() reads the first line of a test file", () => {
  assertEquals(markIn("// test: long\nimport x"), "long");
  assertEquals(markIn("// test: slow\n"), "slow");
  assertEquals(markIn("import x\n// test: long\n"), undefined);
  assertEquals(markIn("/** Reads. */\n"), undefined);
  assertThrows(() => markIn("// test: lang\n"), TypeError);
});

Deno.test("groupsOf() puts each test file into one part, by its mark", () => {
  const [suite, long] = [groupsOf("suite").flat(), groupsOf("long").flat()];
  assertEquals(new Set([...suite, ...long]).size, suite.length + long.length);
  assert(suite.includes("tests/test_groups_test.ts"));
  for (const path of long) assertEquals(markIn(Deno.readTextFileSync(path)), "long", path);
});
