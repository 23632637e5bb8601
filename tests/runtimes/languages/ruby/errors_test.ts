/** How exceptions are reported. */
import { assert, assertEquals, assertLess, assertStringIncludes } from "@std/assert";
import { errorOf, run, shortEnding } from "./ruby.ts";
import { runWithIsolateStack } from "../../../support/own_stack.ts";

Deno.test("ruby errors: class, message, backtrace and line are the program's", async () => {
  const code = 'def f(x) = raise(ArgumentError, "bad #{x}")\n\ndef g = [1].map { f(2) }\ng';
  assertEquals(errorOf((await run(code)).ending), {
    name: "ArgumentError",
    message: "bad 2",
    traceback: [
      "main.rb:1:in 'Object#f'",
      "main.rb:3:in 'block in Object#g'",
      "main.rb:3:in 'Array#map'",
      "main.rb:3:in 'Object#g'",
      "main.rb:4:in '<main>'",
    ],
    lineNumber: 1,
  });
});

const CASES: readonly (readonly [code: string, name: string, message: string, line: number])[] = [
  ["raise 'boom'", "RuntimeError", "boom", 1],
  ["class MyErr < StandardError; def message = 'mm'; end\nraise MyErr", "MyErr", "mm", 2],
  ["module A; class E < StandardError; end; end\n\nraise A::E", "A::E", "A::E", 3],
  ["\n1 / 0", "ZeroDivisionError", "divided by 0", 2],
  ["nope", "NameError", "undefined local variable or method 'nope' for main", 1],
  ["nil.nope", "NoMethodError", "undefined method 'nope' for nil", 1],
  ["throw :x", "UncaughtThrowError", "uncaught throw :x", 1],
  ["raise Interrupt", "Interrupt", "Interrupt", 1],
  ["raise NoMemoryError", "NoMemoryError", "failed to allocate memory", 1],
  ["begin; raise 'a'; rescue; raise 'b'; end", "RuntimeError", "b", 1],
  ['raise "ü\\xff"', "RuntimeError", "ü\uFFFD", 1],
  ["require 'nope'", "LoadError", "cannot load such file -- nope", 1],
  ["at_exit { raise 'late' }\n1", "RuntimeError", "late", 1],
  ["eval('raise %q(in eval)')", "RuntimeError", "in eval", 1],
  ["eval(%Q(\\n\\nraise 'in eval'), binding, __FILE__, 40)", "RuntimeError", "in eval", 1],
  ["instance_eval('raise %q(elsewhere)', 'main.rb', 99)", "RuntimeError", "elsewhere", 1],
  ["def f\n  eval('x = = 3')\nend\nf", "SyntaxError", "expected an expression", 2],
  ["\nraise SyntaxError, 'main.rb:77: said by the program'", "SyntaxError", "said by", 2],
  ["puts [1, 2, 3\n", "SyntaxError", "close the array", 1],
  ["x = 1\nh = { a: 1\n\n\n", "SyntaxError", "close the hash literal", 2],
  ["def f\n  1\n", "SyntaxError", "close the `def`", 2],
  ["f = ->(x { x }\nputs 1\nclass\n", "SyntaxError", "open the lambda block", 1],
  ["File.write('h.rb', 'def h = raise(%q(h))')\nrequire_relative 'h'\n\nh", "RuntimeError", "h", 4],
  ["class Array; def last(*) = raise('last'); end\nraise 'x'", "RuntimeError", "x", 2],
  ["raise 'a'.dup.force_encoding('UTF-7')", "RuntimeError", "a", 1],
  ["class E < StandardError; def message = raise; end\nraise E", "E", "could not be described", 2],
  ["class E < StandardError; def message = 5; end; raise E", "E", "could not be described", 1],
];

Deno.test("ruby errors: names, messages and lines", async () => {
  for (const [code, name, message, line] of CASES) {
    const error = errorOf((await run(code)).ending);
    const found = [error.name, error.message.includes(message), error.lineNumber ?? 0];
    assertEquals(found, [name, name === "NoMemoryError" ? found[1] : true, line], code);
    assert(!error.traceback.join("\n").includes("belljar"), error.traceback.join("\n"));
  }
});

Deno.test("ruby errors: a syntax error is shown with its line and without colours", async () => {
  const error = errorOf((await run("x = 1\ny = 2\nz = = 3\n")).ending);
  assertEquals([error.name, error.lineNumber], ["SyntaxError", 3]);
  assertStringIncludes(error.message, "> 3 | z = = 3");
  assert(!error.message.includes("\x1b"));
  assertEquals(error.traceback, ["main.rb:3:in '<main>'"]);
  assertEquals(errorOf((await run("def f(\n")).ending).name, "SyntaxError");
  const invalid = errorOf((await run("1\nyield")).ending);
  assertEquals([invalid.lineNumber, invalid.traceback], [2, ["main.rb:2:in '<main>'"]]);
  assertEquals(errorOf((await run("[".repeat(60_000))).ending).name.slice(0, 1), "S");
});

Deno.test("ruby errors: backtraces that programs read end with their own frames", async () => {
  const code = [
    "def f = raise('x')",
    "begin; f; rescue => e; puts e.backtrace, e.full_message(highlight: false), e.backtrace_locations.size; end",
    "p caller, caller_locations.size",
    "def g = caller",
    "p g",
    "def h(n) = caller(n, 1)",
    "p h(0), h(1)",
    "p Thread.current.backtrace, Thread.main.backtrace_locations(1).map(&:to_s)",
  ].join("\n");
  assertEquals(
    (await run(code)).stdout,
    [
      "main.rb:1:in 'Object#f'",
      "main.rb:2:in '<main>'",
      "main.rb:1:in 'Object#f': x (RuntimeError)",
      "\tfrom main.rb:2:in '<main>'",
      "2",
      "[]",
      "0",
      "[\"main.rb:5:in '<main>'\"]",
      "[\"main.rb:6:in 'Object#h'\"]",
      "[\"main.rb:7:in '<main>'\"]",
      "[\"main.rb:8:in 'Thread#backtrace'\", \"main.rb:8:in '<main>'\"]",
      "[\"main.rb:8:in '<main>'\"]",
      "",
    ].join("\n"),
  );
});

Deno.test("ruby errors: recursion ends in a SystemStackError, in an isolate's stack", async () => {
  const program = new URL("recursion_program.ts", import.meta.url);
  assertEquals(await runWithIsolateStack(program, "ruby"), []);
});

Deno.test("ruby errors: stacks that cannot be unwound end with the same error", async () => {
  for (const code of ["def f = catch(:a) { f }\nf", "a = []; 2000.times { a = [a] }; a.inspect"]) {
    assertEquals(shortEnding((await run(code)).ending), "error SystemStackError", code);
    assertEquals(shortEnding((await run("6 * 7")).ending), "text 42");
  }
});

Deno.test("ruby errors: stacks that cannot be unwound are reported with their frames and line", async () => {
  const cases: readonly (readonly [code: string, innermost: RegExp, line: number])[] = [
    ["\ndef f = catch(:a) { f }\nf", /^main\.rb:2:in 'Kernel#catch'$/, 2],
    ["a = []\n2000.times { a = [a] }\na.inspect", /^main\.rb:3:in 'Array#inspect'$/, 3],
    [
      "def walk(n) = { 1 => n }.sum { walk(n + 1) }\n\nwalk(0)",
      /^main\.rb:1:in 'Enumerable#sum'$/,
      1,
    ],
  ];
  for (const [code, innermost, line] of cases) {
    const error = errorOf((await run(code)).ending);
    assertEquals([error.message, error.lineNumber], ["stack level too deep", line], code);
    assert(error.traceback.some((frame) => innermost.test(frame)), error.traceback[0]);
    assertEquals(error.traceback.at(-1), `main.rb:${code.split("\n").length}:in '<main>'`);
    assert(!error.traceback.join("\n").includes("belljar"), code);
    assertEquals(shortEnding((await run("6 * 7")).ending), "text 42");
  }
});

Deno.test("ruby errors: a misspelt name has suggestions, without colours", async () => {
  const code = `"abc".upcas\nrescue => error\nputs error.full_message(highlight: false)
    [error.message, error.detailed_message, error.detailed_message(highlight: true).include?("\\e")]`;
  const { ending, stdout } = await run(`begin\n${code}\nend`);
  const message = "undefined method 'upcas' for an instance of String";
  assert(ending.kind === "json");
  assertEquals(JSON.parse(ending.json), [
    message,
    `${message} (NoMethodError)\nDid you mean?  upcase\n               upcase!`,
    true,
  ]);
  assertStringIncludes(stdout, "\nDid you mean?  upcase\n");
  const key = "begin; { name: 1 }.fetch(:nam); rescue KeyError => e; e.detailed_message; end";
  assertEquals(
    shortEnding((await run(key)).ending),
    'text "key not found: :nam (KeyError)\\nDid you mean?  :name"',
  );
});

Deno.test("ruby errors: long backtraces are cut in the middle", async () => {
  const limits = { tracebackBytes: 2_000 };
  const error = errorOf((await run("def f(n) = f(n + 1) + 1\nf(0)", { limits })).ending);
  assertLess(error.traceback.join("\n").length, 2_000);
  assert(error.traceback.some((line) => line.includes("omitted")));
  assertEquals(error.traceback.at(-1), "main.rb:2:in '<main>'");
});

Deno.test("ruby errors: causes follow with their frames as in Ruby", async () => {
  const code = [
    'def a = raise(ArgumentError, "inner\\nsecond")',
    "def b",
    "  a",
    "rescue => e",
    "  raise KeyError, 'outer'",
    "end",
    "b",
  ].join("\n");
  const error = errorOf((await run(code)).ending);
  assertEquals([error.name, error.message, error.lineNumber], ["KeyError", "outer", 5]);
  assertEquals(error.traceback, [
    "main.rb:5:in 'Object#b'",
    "main.rb:7:in '<main>'",
    "main.rb:1:in 'Object#a': inner (ArgumentError)",
    "second",
    "\tfrom main.rb:3:in 'Object#b'",
    "\tfrom main.rb:7:in '<main>'",
  ]);
  const none = "begin; raise 'x'; rescue; raise 'y', cause: nil; end";
  assertEquals(errorOf((await run(none)).ending).traceback, ["main.rb:1:in '<main>'"]);
  const chain =
    "def f(n)\n  raise \"e#{n}\"\nrescue\n  n < 40 ? f(n + 1) : raise('end')\nend\nf(0)";
  const told = errorOf((await run(chain)).ending).traceback.join("\n");
  assertEquals([...told.matchAll(/\(RuntimeError\)/g)].length, 20);
  const hostile =
    "class E < StandardError; def message = raise; end\nbegin; raise E; rescue; raise 'x'; end";
  assertEquals(errorOf((await run(hostile)).ending).traceback, [
    "main.rb:2:in '<main>'",
    "main.rb:2:in '<main>': The error could not be described (E)",
  ]);
});
