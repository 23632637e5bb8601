/** The position of a program that a limit stopped. */
import { assert, assertEquals, assertLess } from "@std/assert";
import { run } from "./ruby.ts";

const FUEL = 2_000_000_000;

async function stoppedAt(code: string): Promise<readonly string[]> {
  const { ending } = await run(code, { limits: { fuel: FUEL } });
  assert(ending.kind === "limit", `${code}: ${JSON.stringify(ending).slice(0, 300)}`);
  return ending.traceback;
}

const CASES: readonly (readonly [code: string, traceback: readonly string[]])[] = [
  ["1\nwhile true; end", ["main.rb:2:in '<main>'"]],
  ["def f(n)\n  loop { n += 1 }\nend\n\n[1].each { f(_1) }", [
    "main.rb:2:in 'Kernel#loop'",
    "main.rb:2:in 'Object#f'",
    "main.rb:5:in 'block in <main>'",
    "main.rb:5:in 'Array#each'",
    "main.rb:5:in '<main>'",
  ]],
  ["x = 1\n10**10**8", ["main.rb:2:in 'Integer#**'", "main.rb:2:in '<main>'"]],
  ["def wait = sleep(1e9)\nwait", [
    "main.rb:1:in 'Kernel#sleep'",
    "main.rb:1:in 'Object#wait'",
    "main.rb:2:in '<main>'",
  ]],
  ["class A\n  def inspect = loop {}\nend\nA.new", [
    "main.rb:2:in 'Kernel#loop'",
    "main.rb:2:in 'A#inspect'",
  ]],
];

Deno.test("ruby limits: the traceback shows the moment of the stop", async () => {
  for (const [code, expected] of CASES) {
    const found = await stoppedAt(code);
    // The innermost block may or may not have been entered.
    const frames = found.filter((line, index) => index > 0 || expected.includes(line));
    assertEquals(frames, expected, `${code}\n${found.join("\n")}`);
  }
});

Deno.test("ruby limits: the traceback of excessive output shows where it was written", async () => {
  const found = await stoppedAt("def say = puts('x' * 5_000_000)\n\nsay");
  assertEquals(found.slice(-3), [
    "main.rb:1:in 'Kernel#puts'",
    "main.rb:1:in 'Object#say'",
    "main.rb:3:in '<main>'",
  ]);
});

Deno.test("ruby limits: deep stacks are cut in the middle", async () => {
  const found = await stoppedAt("def f(n) = n.zero? ? (loop {}) : f(n - 1)\nf(5_000)");
  assertEquals(found.at(-1), "main.rb:2:in '<main>'");
  assert(found.some((line) => line.includes(" levels ")));
  assertLess(found.length, 500);
});

Deno.test("ruby limits: changes by a program do not affect the traceback", async () => {
  const hostile = [
    "class Array; def first(*) = loop {}; def size = 'x'; end",
    "class Thread; def backtrace(*) = loop {}; def self.current = 5; end",
    "module Belljar; def self.stopped_at = '[\"forged\"]'; end rescue 0",
    "set_trace_func(proc { loop {} })",
    "TracePoint.new(:call, :c_call, :line) { puts 'x' * 100; loop {} }.enable",
    "$stdout = Class.new { def write(*) = loop {} }.new",
  ];
  for (const code of hostile) {
    const ran = await run(`${code}\nloop {}`, { limits: { fuel: FUEL } });
    assertEquals(ran.ending.kind, "limit", code);
    assertLess(ran.stdout.length, 200, code);
    assertEquals(ran.fuelConsumed, FUEL, code);
  }
});

Deno.test("ruby limits: a stop in the middle of a collection has no traceback, and no crash", async () => {
  const { ending } = await run("GC.stress = true\nloop { 'x'.dup }", { limits: { fuel: FUEL } });
  assertEquals(ending.kind, "limit");
  assertEquals((await run("6 * 7")).ending, { kind: "text", text: "42" });
});
