import { assertEquals, assertLessOrEqual, assertStringIncludes } from "@std/assert";
import { cutText, trimTraceback } from "../../runtimes/isolate/traceback.ts";

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

Deno.test("traceback: a single long line is cut at a whole character", () => {
  const [line = ""] = trimTraceback(["é".repeat(100)], 32);
  assertEquals(line, "é".repeat(15));
  assertEquals(cutText("abc", 2), "ab");
});
