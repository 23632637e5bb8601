import { assertEquals, assertLessOrEqual, assertStringIncludes } from "@std/assert";
import { cutText, trimTraceback } from "../../../runtimes/engine/traceback.ts";

const size = (lines: readonly string[]) => new TextEncoder().encode(lines.join("\n")).length;

Deno.test("traceback: within its limit it stays as it is", () => {
  const lines = ["Error: x", "    at f (main.js:1:1)"];
  assertEquals(trimTraceback(lines, 1000), lines);
});

Deno.test("traceback: over its limit it is cut in the middle, and says so", () => {
  const lines = Array.from({ length: 1000 }, (_, i) => `    at f${i} (main.js:1:1)`);
  const trimmed = trimTraceback(lines, 2000);
  assertLessOrEqual(size(trimmed), 2000);
  assertEquals([trimmed[0], trimmed.at(-1)], [lines[0], lines.at(-1)]);
  const omitted = trimmed.find((line) => line.includes("omitted")) ?? "";
  assertStringIncludes(omitted, `${1000 - trimmed.length + 1} lines`);
});

Deno.test("traceback: a long line is cut in its middle at whole characters, and says so", () => {
  for (const character of ["x", "é", "☃", "😀"]) {
    const long = `Error: ${character.repeat(5_000)}`;
    for (const lines of [[long], [long, "    at f (main.js:1:1)"], [`${long}\r`, long, long]]) {
      const trimmed = trimTraceback(lines, 4_000);
      assertEquals(trimmed.length, lines.length);
      assertLessOrEqual(size(trimmed), 4_000);
      const [first = ""] = trimmed;
      const [, head, omitted, tail] =
        /^(.*) \.\.\. (\d+) bytes omitted \.\.\. (.*)$/s.exec(first) ?? [];
      assertEquals(size([`${head}${tail}`]) + Number(omitted), size([lines[0] ?? ""]));
      assertStringIncludes(first, `${character} ...`);
      assertStringIncludes(first, `... ${character}`);
      if (lines.length === 2) assertEquals(trimmed[1], lines[1]);
    }
  }
  assertEquals(cutText("abc", 2), "ab");
});
