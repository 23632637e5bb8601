import { assert, assertEquals, assertThrows } from "@std/assert";
import { FileFault } from "../../sandbox/file_fault.ts";
import { resolvePath, sortByCodePoints } from "../../sandbox/workspace_path.ts";
import { WORKSPACE_LIMITS } from "../../shared/limits.ts";
import { printedSeed, seeded } from "../support/random.ts";

/** At the bounds of the ranges that code units and code points order differently. */
const CHARACTERS = [
  "-",
  "/",
  "a",
  "\u00e9",
  "\ud7ff",
  "\ue000",
  "\uffff",
  "\u{10000}",
  "\u{1f600}",
];

function randomText(random: () => number, characters: readonly string[]): string {
  const one = () => characters[Math.floor(random() * characters.length)] ?? "";
  return Array.from({ length: Math.floor(random() * 6) }, one).join("");
}

function compareBytes(a: string, b: string): number {
  const [x, y] = [a, b].map((text) => new TextEncoder().encode(text));
  assert(x !== undefined && y !== undefined);
  const at = x.findIndex((byte, index) => byte !== y[index]);
  return at < 0 ? x.length - y.length : (x[at] ?? 0) - (y[at] ?? -1);
}

Deno.test("paths: order by code points is the order of the bytes of UTF-8", () => {
  const seed = printedSeed("order of paths");
  const random = seeded(seed);
  for (let round = 0; round < 300; round++) {
    // all of them, or some: texts without surrogates, or with nothing above them, take another path
    const characters = CHARACTERS.filter(() => random() < 0.6);
    const texts = Array.from({ length: 40 }, () => randomText(random, characters));
    const expected = texts.toSorted(compareBytes);
    assertEquals(sortByCodePoints([...texts]), expected, `SEED=${seed}`);
  }
});

Deno.test("paths: lengths are bytes of UTF-8 of each name and of the whole", () => {
  const isTooLong = (text: string) => {
    const fault = assertThrows(() => resolvePath(text, WORKSPACE_LIMITS), FileFault);
    assertEquals(fault.errno, "ENAMETOOLONG", text.slice(0, 20));
  };
  for (
    const [character, bytes] of [["a", 1], ["\u00e9", 2], ["\u20ac", 3], ["\u{1f600}", 4]] as const
  ) {
    const name = character.repeat(Math.floor(255 / bytes)).concat("a".repeat(255 % bytes));
    assertEquals(resolvePath(name, WORKSPACE_LIMITS).path, `/workspace/${name}`);
    isTooLong(`${name}a`);
  }
  const deep = `/workspace${"/d".repeat(507)}`;
  assertEquals(resolvePath(deep, WORKSPACE_LIMITS).path.length, 1_024);
  isTooLong(`${deep}/d`);
  isTooLong("a/".repeat(100_000));
  assertEquals(resolvePath("a/../".repeat(10_000), WORKSPACE_LIMITS).path, "/workspace");
});
