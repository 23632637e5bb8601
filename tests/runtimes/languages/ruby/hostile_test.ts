// test: long
/** Hostile programs: each ends as expected, and the next run is correct. */
import { assert, assertEquals } from "@std/assert";
import { MEMORY_BYTES } from "../../../../shared/limits.ts";
import { rubyEngine, runOn, shortEnding } from "./ruby.ts";

/** Enough for each program to reach its goal. */
const FUEL = 3_000_000_000;
/** An endless program only has to begin. */
const LITTLE_FUEL = 200_000_000;

const ENDLESS: readonly string[] = [
  "loop {}",
  "while true; end",
  "begin; loop {}; ensure; loop {}; end",
  "begin; loop {}; rescue Exception; retry; end",
  "at_exit { loop {} }",
  "END { loop {} }",
  "ObjectSpace.define_finalizer('x'.dup, proc { loop {} }); GC.start; loop {}",
  "Signal.trap('INT') { loop {} }; loop {}",
  "def method_missing(*) = loop {}; foo",
  "class Foo; def inspect = loop {}; end; Foo.new",
  "class Foo; def to_s = loop {}; end; puts Foo.new",
  "class E < StandardError; def message = loop {}; end; raise E",
  "class Foo; def hash = loop {}; end; { Foo.new => 1 }",
  "class Foo; def coerce(o) = loop {}; end; 1 + Foo.new",
  "[1].cycle {}",
  "(1..).each {}",
  "(1..).sum { 0 }",
  "catch(:x) { loop { catch(:x) { throw :x } } }",
  "Fiber.new { loop {} }.resume",
  "Enumerator.new { |y| loop {} }.next",
  "f = Fiber.new { loop { Fiber.yield } }; loop { f.resume }",
  "Timeout.timeout(1) { loop {} }",
  "('a' * 40 + 'b') =~ /^(a|a)*\\1$/",
  "10**10**8",
  "Integer('9' * 10**6).to_s",
  "x = 3**10**6; loop { x *= x }",
  "[0].pack('C') * 10 while true",
  "GC.stress = true; loop { 'x'.dup }",
  "set_trace_func(proc { loop {} }); 1",
  "TracePoint.new(:line) { loop {} }.enable; x = 1\ny = 2",
  "eval('loop {}')",
  "instance_eval { loop {} }",
  "define_method(:q) { loop {} }; q",
  "Object.new.instance_exec { loop {} }",
  "s = +''; loop { s.replace('x' * 1000) }",
  "a = (1..10**5).to_a; loop { a.sort_by { |x| -x } }",
  "loop { Dir.children('/') }",
  "loop { File.exist?('x') }",
];

/** An exception or a limit, whichever comes first, but never a crash. */
const BOUNDED: readonly string[] = [
  "'a' * 2**31",
  "'a' * 2**30",
  "[0] * 10**9",
  "Array.new(2**28) { 1 }",
  "2**(2**34)",
  "1 << 2**33",
  "a = 'x'; loop { a += a }",
  "a = []; loop { a << a.dup << 1 }",
  "h = {}; loop { h[h.size] = 'x' * 100 }",
  "loop { (@x ||= []) << Object.new }",
  "loop { (@f ||= []) << Fiber.new { Fiber.yield }.tap(&:resume) }",
  "e = loop { (@e ||= []) << [1].each.tap(&:next) }",
  'loop { |i| Object.const_set("C#{rand(10**12)}", Class.new) }',
  'loop { "s#{rand(10**12)}".to_sym.to_proc }',
  "def f = f\nf",
  "def f(&b) = f(&b)\nf { }",
  "f = ->(x) { f.(x) }; f.(1)",
  "def f = begin; f; ensure; f; end\nf",
  "def f = begin; f; rescue SystemStackError; f; end\nf",
  "class A; def ==(o) = self == o; end; A.new == 1",
  'class A; def to_s = "#{self}"; end; A.new.to_s',
  "class A; def method_missing(n, *) = send(n); end; A.new.foo",
  "eval('[' * 20_000)",
  "eval('(' * 20_000)",
  "eval('{' * 20_000)",
  "eval('-' * 50_000 + '1')",
  "eval('a = ' * 10_000 + '1')",
  "eval('if 1;' * 10_000)",
  "eval('1+' * 30_000 + '1')",
  "eval('def a;' * 5_000)",
  "eval('\"#{' * 5_000)",
  "Regexp.new('(' * 20_000 + ')' * 20_000)",
  "Regexp.new('(a?){30}' * 500 + 'a' * 500).match('a' * 500)",
  "require 'json'; a = []; 5_000.times { a = [a] }; JSON.generate(a, max_nesting: 0)",
  "require 'json'; JSON.parse('[' * 100_000, max_nesting: 0)",
  "require 'yaml'; YAML.load('[' * 10_000)",
  "Marshal.load(\"\\x04\\x08\" + '[\\x06' * 10_000)",
  'Marshal.load("\\x04\\x08o:\\x0bBasicObject\\x00").foo',
  "format('%2147483647d', 1)",
  "format('%0*d', 2**31 - 1, 1)",
  "'x'.ljust(2**31)",
  "'x'.center(2**29).size",
  "[1].pack('C@' + '9' * 9)",
  "'abc'.unpack('@4294967295C')",
  "a = []; a[2**26] = 1; a.inspect",
  "Process.setrlimit(:CPU, 1)",
  "raise Class.new(Exception) { def backtrace = loop { break 5 } }",
  "BasicObject.new.instance_eval { foo }",
  "class BasicObject; def method_missing(n, *a) = ::Kernel.raise(n.to_s); end; 5.foo",
  "ObjectSpace.each_object { |o| o.freeze rescue 0 }; 'x' << 'y'; raise 'after'",
  "ObjectSpace.each_object(Class) { |c| c.class_eval { undef_method(:==) rescue 0 } }; raise 'x'",
  "binding.irb",
  "set_trace_func(proc { raise 't' }); 1",
  "TracePoint.new(:call, :c_call) { raise 'x' }.enable; 1",
  "trap('EXIT') { loop {} }; raise 'x'",
  "$SAFE = 1; raise 'x'",
  "STDOUT.reopen(File.open('/dev/null', 'w'))",
  "IO.for_fd(77)",
  "IO.new(3).read",
  "File.open('/dev/zero').read",
  "File.open('x', 'w').write('x' * (5 << 20))",
  "loop { |i| File.write(\"f#{rand(10**9)}\", 'x') }",
  "loop { (@f ||= []) << File.open('x', 'w') }",
  "Dir.chdir('/nope')",
  "Process.exit!(1)",
  "Kernel.exit(255)",
  "raise SystemExit.new(3)",
  "throw :nope",
  "raise Class.new(Exception)",
  "raise nil",
  "raise 5",
  "fail Exception.new(nil)",
  "require '/dev/stdin'",
  "load '/proc/self/mem'",
  "RubyVM::InstructionSequence.compile('1' * 60_000).eval; raise 'x'",
  "sleep(-1)",
  "sleep 1e9",
  "sleep",
];

const CANARY = "puts 'canary'; [1, 2, 3].map { |n| n * 2 }";

async function each(
  codes: readonly string[],
  fuel: number,
  judge: (ending: string) => boolean,
): Promise<void> {
  const engine = await rubyEngine();
  for (const code of codes) {
    const ran = runOn(engine, code, { limits: { fuel } });
    const ending = shortEnding(ran.ending);
    assert(judge(ending), `${code}\n${ending.slice(0, 500)}\n${ran.stderr.slice(0, 300)}`);
    assert(ran.memoryBytes <= MEMORY_BYTES.ruby, code);
    const canary = runOn(engine, CANARY);
    assertEquals([canary.stdout, shortEnding(canary.ending)], ["canary\n", "json [2,4,6]"], code);
  }
}

Deno.test("ruby hostile: an endless program uses up its fuel", async () => {
  await each(ENDLESS, LITTLE_FUEL, (ending) => ending === "limit fuel");
});

Deno.test("ruby hostile: a program that asks for too much is refused or stopped", async () => {
  await each(BOUNDED, FUEL, (ending) => /^(error|limit) /.test(ending));
});

Deno.test("ruby hostile: output before the end is kept", async () => {
  const ran = runOn(await rubyEngine(), "puts 'kept'; loop {}", { limits: { fuel: FUEL } });
  assertEquals([ran.stdout, shortEnding(ran.ending)], ["kept\n", "limit fuel"]);
});
