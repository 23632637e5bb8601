import { assert, assertEquals, assertMatch } from "@std/assert";
import { createLog } from "../../gateway/log.ts";
import { describeCause } from "../../shared/log.ts";

const clock = () => 0;

function lineOf(fields: Record<string, string | number | boolean | undefined>): string {
  const lines: string[] = [];
  createLog((line) => lines.push(line), clock)("warn", "test", fields);
  assertEquals(lines.length, 1);
  return lines[0] ?? "";
}

Deno.test("log: one event is one line of JSON", () => {
  const line = lineOf({ language: "perl", count: 2, ok: true, absent: undefined });
  assertEquals(JSON.parse(line), {
    language: "perl",
    count: 2,
    ok: true,
    time: "1970-01-01T00:00:00.000Z",
    level: "warn",
    event: "test",
  });
});

Deno.test("log: no field can begin another line, hide text or contain an escape code", () => {
  const hostile = 'a\r\n{"level":"error"}\u2028\u2029\u0085\x1b[31m\u202e\x7f\0"\\é😀\ud800';
  const line = lineOf({ id: hostile });
  assertMatch(line, /^[\x20-\x7e]+\n$/);
  assertEquals(JSON.parse(line).id, hostile);
});

Deno.test("log: a field cannot pose as time, level or event", () => {
  const entry = JSON.parse(lineOf({ level: "error", event: "forged", time: "never" }));
  assertEquals([entry.level, entry.event], ["warn", "test"]);
});

Deno.test("log: describeCause() has class and stack, of bounded length", () => {
  const { cause, stack } = describeCause(new RangeError("x".repeat(100_000)));
  assertEquals(cause, "RangeError");
  assert(typeof stack === "string" && stack.length <= 4096);
});

Deno.test("log: for a thrown value that is not an error, only its kind is written", () => {
  assertEquals(describeCause("some secret"), { cause: "a thrown string" });
});
