/** Programs that want more time, memory, stack or output than they may have. */
import type { HostileCase } from "../cases.ts";

const FUEL = /^Fuel limit reached/;

function named(outcome: HostileCase["outcome"], codes: readonly string[]): readonly HostileCase[] {
  return codes.map((code) => ({ name: code, code, outcome }));
}

export const ENDLESS: readonly HostileCase[] = [
  ...[
    "loop {}",
    "while true; end",
    "begin; loop {}; ensure; loop {}; end",
    "begin; loop {}; rescue Exception; retry; end",
    "at_exit { loop {} }",
    "END { loop {} }",
    "ObjectSpace.define_finalizer('x'.dup, proc { loop {} }); GC.start; loop {}",
    "trap('INT') { loop {} }; loop {}",
    "def method_missing(*) = loop {}; foo",
    "class E < StandardError; def message = loop {}; end; raise E",
    "Fiber.new { loop {} }.resume",
    "f = Fiber.new { loop { Fiber.yield } }; loop { f.resume }",
    "(1..).lazy.map { _1 }.select { false }.first",
    "catch(:x) { loop { catch(:x) { throw :x } } }",
    "Timeout.timeout(1) { loop {} }",
    "GC.stress = true; loop { 'x'.dup }",
    "eval('loop {}')",
    "instance_eval { loop {} }",
    "set_trace_func(proc { loop {} }); 1",
    "TracePoint.new(:line) { loop {} }.enable; x = 1\ny = 2",
    "('a' * 40 + 'b') =~ /^(a|a)*\\1$/",
  ].map((code) => ({ name: code, code, outcome: "limit", message: FUEL }) as const),
  {
    name: "output before an endless loop is kept",
    code: "puts 'one'\nputs 'two'\nloop {}",
    outcome: "limit",
    message: FUEL,
    stdout: ["one", "two"],
  },
  { name: "a pattern that backtracks", code: "/(a+)+$/ =~ 'a' * 40 + 'b'", outcome: "any" },
  { name: "sleep 1e9", code: "sleep 1e9", outcome: "limit", message: /^Wall clock/i },
  { name: "sleep", code: "sleep", outcome: "either" },
];

export const NUMBERS: readonly HostileCase[] = named("either", [
  "2**(2**34)",
  "10**10**8",
  "1 << 2**33",
  "Integer('9' * 10**6)**20",
  "x = 3**10**6; loop { x *= x }",
  "(10**200_000).digits.sum; loop { 3**100_000 % 7 }",
  "x = Rational('9' * 10**6 + '/' + '7' * 10**6); loop { x *= x }",
]);

export const MEMORY: readonly HostileCase[] = [
  ...named("either", [
    "'a' * 2**31",
    "'a' * 2**30",
    "[0] * 10**9",
    "Array.new(2**28) { 1 }",
    "a = 'x'; loop { a += a }",
    "a = []; loop { a << a.dup << 1 }",
    "h = {}; loop { h[h.size] = 'x' * 100 }",
    "loop { (@x ||= []) << Object.new }",
    "loop { (@f ||= []) << Fiber.new { Fiber.yield }.tap(&:resume) }",
    "loop { (@e ||= []) << [1].each.tap(&:next) }",
    'loop { Object.const_set("C#{rand(10**12)}", Class.new) }',
    'loop { "s#{rand(10**12)}".to_sym.to_proc }',
    "format('%2147483647d', 1)",
    "'x'.ljust(2**31)",
    "[1].pack('C@' + '9' * 9)",
    "require 'zlib'; z = Zlib.deflate('0' * 10**6) * 9; loop { Zlib.inflate(Zlib.deflate('0' * 10**8)) }",
    "File.open('x', 'w').write('x' * (5 << 20))",
    "loop { File.write(\"f#{rand(10**9)}\", 'x') }",
    "loop { (@f ||= []) << File.open('x', 'w') }",
  ]),
  {
    name: "an exception for want of memory is the program's own",
    code: "begin; 'a' * 2**30; rescue NoMemoryError; 'rescued'; end",
    outcome: "value",
    results: [{ text: '"rescued"' }],
  },
];

export const RECURSION: readonly HostileCase[] = [
  ...named("either", [
    "def f = f\nf",
    "def f = [1].map { f }\nf",
    "def f(&b) = f(&b)\nf { }",
    "f = ->(x) { f.(x) }; f.(1)",
    "def f = catch(:a) { f }\nf",
    "def f = begin; f; ensure; f; end\nf",
    "def f = begin; f; rescue SystemStackError; f; end\nf",
    'class A; def to_s = "#{self}"; end; A.new.to_s',
    "class A; def method_missing(n, *) = send(n); end; A.new.foo",
    "Hash.new { |h, k| h[k + 1] }[0]",
    "a = []; 100_000.times { a = [a] }; a.inspect",
    "require 'json'; JSON.parse('[' * 100_000, max_nesting: 0)",
    "Marshal.load(\"\\x04\\x08\" + '[\\x06' * 10_000)",
  ]),
  {
    name: "a stack that is too deep can be rescued",
    code: "def f(n) = f(n + 1) + 1\nbegin; f(0); rescue SystemStackError => e; e.message; end",
    outcome: "value",
    results: [{ text: '"stack level too deep"' }],
  },
];

export const SOURCES: readonly HostileCase[] = [
  ...named(
    "either",
    ["[", "(", "{", "->{", "if 1;", "def a;", '"#{', "a = ", "1+", "-", "%w[", "<<A\n", "case "]
      .flatMap((text) => {
        const deep = text.repeat(Math.floor(60_000 / text.length));
        return [deep, `eval(${JSON.stringify(text).replaceAll("#", "\\#")} * 20_000)`];
      }),
  ).map((item) => ({ ...item, name: `${item.name.slice(0, 30)} (${item.name.length} bytes)` })),
  { name: "a NUL in the source", code: "puts 1\0; 2", outcome: "any" },
  { name: "an encoding nobody knows", code: "# encoding: nope\n1", outcome: "error" },
  { name: "__END__ alone", code: "__END__\nloop {}", outcome: "value", results: [] },
  { name: "a heredoc without end", code: "x = <<~A\nhello", outcome: "error", error: /^Syntax/ },
];

export const OUTPUT: readonly HostileCase[] = [
  {
    name: "a flood of warnings",
    code: "loop { warn 'x' * 100 }",
    outcome: "limit",
    message: /^Output/,
  },
  { name: "a flood of lines", code: "loop { puts }", outcome: "limit", message: /^Output/ },
  { name: "one line", code: "print 'x' * (8 << 20)", outcome: "limit", message: /^Output/ },
  { name: "a value", code: "'x' * (1 << 20)", outcome: "limit", message: /^Result/ },
  {
    name: "a message",
    code: "raise 'x' * (1 << 20)",
    outcome: "error",
    error: /^RuntimeError$/,
  },
];
