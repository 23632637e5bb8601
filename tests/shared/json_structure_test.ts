import { assertEquals } from "@std/assert";
import { hasMoreStructure } from "../../shared/json_structure.ts";
import { seededBelow } from "../support/random.ts";

const encode = (text: string) => new TextEncoder().encode(text);

/** The least limit that a text passes. */
function structureOf(text: string): number {
  for (let limit = 0;; limit++) if (!hasMoreStructure(encode(text), limit)) return limit;
}

Deno.test("JSON structure: openings and separators count, except in strings", () => {
  const texts: readonly (readonly [text: string, count: number])[] = [
    ["1", 0],
    ["[]", 1],
    ["[[],{}]", 4],
    ['{"a":1,"b":[2,3]}', 6],
    ['["[,:{","\\"[,","\\\\",","]', 5 - 1],
    ['"\\\\\\"[[["', 0],
    ['{"":"","\\\\":[]}', 5],
    ['"no end [[[', 0],
    ["", 0],
  ];
  for (const [text, count] of texts) assertEquals(structureOf(text), count, text);
});

Deno.test("JSON structure: the count equals that of the parsed value", () => {
  const structure = (value: unknown): number => {
    if (typeof value !== "object" || value === null) return 0;
    const entries = Object.values(value);
    const own = 1 + Math.max(0, entries.length - 1) + (Array.isArray(value) ? 0 : entries.length);
    return entries.reduce((sum: number, entry) => sum + structure(entry), own);
  };
  const random = seededBelow(20_261_122);
  const alphabet = ['"', "\\", "[", "{", ",", ":", "a", "é", "\n"];
  const text = () => Array.from({ length: random(6) }, () => alphabet[random(9)]).join("");
  const make = (depth: number): unknown => {
    if (depth === 0 || random(3) === 0) return random(2) === 0 ? text() : random(100);
    const values = Array.from({ length: random(4) }, () => make(depth - 1));
    return random(2) === 0 ? values : Object.fromEntries(values.map((value) => [text(), value]));
  };
  for (let turn = 0; turn < 500; turn++) {
    const value = make(5);
    assertEquals(structureOf(JSON.stringify(value)), structure(value), JSON.stringify(value));
  }
});
