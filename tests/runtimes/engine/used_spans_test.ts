import { assertEquals } from "@std/assert";
import { usedSpans } from "../../../runtimes/engine/used_spans.ts";

const BLOCK = 4_096;

Deno.test("used spans: whole blocks that hold anything, neighbours together", () => {
  const memory = new Uint8Array(8 * BLOCK);
  assertEquals(usedSpans(memory), []);
  for (const at of [BLOCK, 3 * BLOCK - 1, 5 * BLOCK + 17, 8 * BLOCK - 1]) memory[at] = 1;
  assertEquals(usedSpans(memory), [
    [BLOCK, 3 * BLOCK],
    [5 * BLOCK, 6 * BLOCK],
    [7 * BLOCK, 8 * BLOCK],
  ]);
});
