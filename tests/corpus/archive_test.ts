import { assertEquals, assertThrows } from "@std/assert";
import { printedSeed, seeded } from "../support/random.ts";
import { formatArchive, parseArchive } from "./archive.ts";

Deno.test("parseArchive() gives the files that formatArchive() got, sorted by name", () => {
  const random = seeded(printedSeed("archives"));
  const lines = ["", "-- ", "-- a b --", "--  --", " -- a --", "-- a --x", "text", "é\r", "\u2028"];
  for (let turn = 0; turn < 200; turn++) {
    const files = new Map(Array.from({ length: Math.floor(random() * 5) }, (_, index) => {
      const count = Math.floor(random() * 6);
      const text = Array.from(
        { length: count },
        () => `${lines[Math.floor(random() * lines.length)]}\n`,
      );
      return [`f${index}.pl`, text.join("")];
    }));
    assertEquals([...parseArchive(formatArchive(files))], [...files]);
  }
});

Deno.test("formatArchive() refuses a file that parseArchive() would not give back", () => {
  for (
    const [name, text] of [["a b", ""], ["", ""], ["a", "no line feed"], [
      "a",
      "x\n-- b --\n",
    ]] as const
  ) {
    assertThrows(() => formatArchive(new Map([[name, text]])));
  }
});

Deno.test("parseArchive() refuses a text without a name at its beginning", () => {
  assertThrows(() => parseArchive("text\n-- a --\n"));
  assertEquals(parseArchive("").size, 0);
});
