import { assertEquals } from "@std/assert";
import {
  checkName,
  compareCodePoints,
  splitPath,
  utf8Length,
} from "../../../runtimes/files/names.ts";
import { seededBelow } from "../../support/random.ts";
import { errnoOf } from "./support.ts";

const SEED = 20_260_101;

function randomText(choose: (below: number) => number): string {
  const alphabet = [
    "a",
    "b",
    "/",
    "é",
    "\u07ff",
    "\u0800",
    "\ud7ff",
    "\ue000",
    "\uffff",
    "😀",
    "𝒳",
  ];
  return Array.from({ length: choose(6) }, () => alphabet[choose(alphabet.length)]).join("");
}

Deno.test("utf8Length: agrees with the encoder", () => {
  const choose = seededBelow(SEED);
  for (let i = 0; i < 2000; i++) {
    const text = randomText(choose);
    assertEquals(utf8Length(text), new TextEncoder().encode(text).length, JSON.stringify(text));
  }
});

Deno.test("compareCodePoints: orders as the bytes of UTF-8 do", () => {
  const choose = seededBelow(SEED);
  const encoder = new TextEncoder();
  for (let i = 0; i < 5000; i++) {
    const [a, b] = [randomText(choose), randomText(choose)];
    const [x, y] = [encoder.encode(a), encoder.encode(b)];
    const at = x.findIndex((byte, index) => byte !== y[index]);
    const expected = at < 0 ? x.length - y.length : (x[at] ?? 0) - (y[at] ?? -1);
    assertEquals(Math.sign(compareCodePoints(a, b)), Math.sign(expected), JSON.stringify([a, b]));
  }
});

Deno.test("splitPath: splits paths", () => {
  const cases: [string, boolean, string[], boolean][] = [
    ["a", false, ["a"], false],
    ["/", true, [], true],
    ["//a//b/", true, ["a", "b"], true],
    ["./a/../b", false, [".", "a", "..", "b"], false],
    [" \\x", false, [" \\x"], false],
  ];
  for (const [path, absolute, parts, trailingSlash] of cases) {
    assertEquals(splitPath(path, 1024), { absolute, parts, trailingSlash }, path);
  }
});

Deno.test("splitPath: rejects anything that is not a path", () => {
  const cases: [string, string][] = [
    ["", "ENOENT"],
    ["a\0b", "EINVAL"],
    ["a\ud800", "EILSEQ"],
    ["\udc00a", "EILSEQ"],
    ["x".repeat(1024), "ok"],
    ["x".repeat(1025), "ENAMETOOLONG"],
    ["é".repeat(512), "ok"],
    ["é".repeat(512) + "x", "ENAMETOOLONG"],
    ["😀".repeat(257), "ENAMETOOLONG"],
  ];
  for (const [path, expected] of cases) {
    assertEquals(errnoOf(() => splitPath(path, 1024)), expected, JSON.stringify(path));
  }
});

Deno.test("checkName: accepts only valid names of entries", () => {
  const cases: [string, string][] = [
    ["a", "ok"],
    ["...", "ok"],
    [" ", "ok"],
    ["-rf *", "ok"],
    ["", "EINVAL"],
    [".", "EINVAL"],
    ["..", "EINVAL"],
    ["a/b", "EINVAL"],
    ["\0", "EINVAL"],
    ["\ud800", "EILSEQ"],
    ["x".repeat(255), "ok"],
    ["x".repeat(256), "ENAMETOOLONG"],
    ["é".repeat(128), "ENAMETOOLONG"],
  ];
  for (const [name, expected] of cases) {
    assertEquals(errnoOf(() => checkName(name, 255)), expected, JSON.stringify(name));
  }
});
