import { assert, assertEquals } from "@std/assert";
import { quoted, utf8Length } from "../../client/protocol/text.ts";

Deno.test("text: lengths are bytes of UTF-8", () => {
  assertEquals(["", "a", "é", "€", "😀"].map(utf8Length), [0, 1, 2, 3, 4]);
});

Deno.test("text: a quotation of up to 64 characters is whole", () => {
  assertEquals(quoted("😀".repeat(64)), `'${"😀".repeat(64)}'`);
});

Deno.test("text: a longer quotation is cut between characters", () => {
  const expected = `'${"😀".repeat(64)}…'`;
  for (const length of [65, 66, 100, 100_000]) {
    assertEquals(quoted("😀".repeat(length)), expected);
    assert(quoted("a" + "😀".repeat(length)).isWellFormed());
  }
});
