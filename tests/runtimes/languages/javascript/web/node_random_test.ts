// test: long
import { assertEquals } from "@std/assert";
import { nodeMajor, outcomesInGuest, outcomesInNode } from "./guest.ts";
import { SEEDED_CASES } from "./seeded_cases.ts";

const ignore = nodeMajor() !== 20;

for (const [index, source] of SEEDED_CASES.entries()) {
  Deno.test({
    name: `guest web: thousands of random inputs end as in Node 20 (seed ${11 + index})`,
    ignore,
    async fn() {
      const [[expected], [actual]] = [
        await outcomesInNode([source]) as [string],
        await outcomesInGuest([source]) as [string],
      ];
      if (actual === expected) return;
      const [wanted, found]: [unknown[], unknown[]] = [JSON.parse(expected), JSON.parse(actual)];
      for (const [i, item] of wanted.entries()) assertEquals(found[i], item);
      assertEquals(found.length, wanted.length);
    },
  });
}
