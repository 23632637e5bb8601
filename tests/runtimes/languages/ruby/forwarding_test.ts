/** Calls that pass `...` on after a splat and further arguments. */
import { assertEquals } from "@std/assert";
import { run, shortEnding } from "./ruby.ts";

const START = "def o(*a, **k, &b) = [a, k, b&.call]\nL = [1, 2]\n";

/** Definitions and calls of `t`, and the value. */
const CALLS: readonly (readonly [code: string, json: string])[] = [
  ["def t(...) = o(*L, 3, ...)\nt(7)", "[[1,2,3,7],{},null]"],
  ["def t(...) = o(*L, 3, ...)\nt(7, h: 1) { 8 }", '[[1,2,3,7],{"h":1},8]'],
  [
    "def t(...) = o(0, *L, [4, 5], foo(1, 2), ...)\ndef foo(a, b) = a + b\nt",
    "[[0,1,2,[4,5],3],{},null]",
  ],
  ["def t(...) = o(*L, 3, *L, 4, ...)\nt(1)", "[[1,2,3,1,2,4,1],{},null]"],
  [
    "def t(...) = o(*L, L.map { |x| x * 2 }, ->(x, y) { x }.arity,\n  # comment, here\n  5, ...)\nt",
    "[[1,2,[2,4],2,5],{},null]",
  ],
  [
    "def t(...) = o(*L, \"#{L.join(',')}, x\", <<~T, ...)\n  text, more\nT\nt",
    '[[1,2,"1,2, x","text, more\\n"],{},null]',
  ],
  [
    "def t(...) = o(*L, case 1 when 1, 2 then 3 end, (4 if true), ...)\nt(5)",
    "[[1,2,3,4,5],{},null]",
  ],
  ["def t(x, ...) = o(*x, x.size, *[], 9, ...)\nt([1], 2)", "[[1,1,9,2],{},null]"],
  ["def t(...)\n  return o(*L, 3, ...) if true\nend\nt(4)", "[[1,2,3,4],{},null]"],
  ["def t(...) = o(*L, ...)\nt(1)", "[[1,2,1],{},null]"],
  ["def t(...) = o(0, ...)\nt(1)", "[[0,1],{},null]"],
  ["t = 'f(*a, b, ...)' # f(*a, b, ...)\n[t, (1...), [*L, 3, 4...]].size", "3"],
];

Deno.test("ruby forwarding: arguments after a splat are passed in order", async () => {
  for (const [code, json] of CALLS) {
    const ending = shortEnding((await run(START + code)).ending);
    assertEquals(ending.replace(/^\w+ /, ""), json, code);
  }
});

Deno.test("ruby forwarding: lines stay where they are", async () => {
  const { ending } = await run("def o(*) = raise('x')\n\ndef t(...) = o(*[1],\n  2, ...)\nt");
  assertEquals(ending.kind === "error" && ending.error.lineNumber, 1);
  assertEquals(
    ending.kind === "error" && ending.error.traceback.slice(1),
    ["main.rb:3:in 'Object#t'", "main.rb:5:in '<main>'"],
  );
});
