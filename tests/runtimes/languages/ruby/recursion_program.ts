/**
 * Runs deep recursions and prints unexpected endings, as JSON. A separate program, because V8's
 * stack must be as large as an isolate's: `deno run --v8-flags=--stack-size=4000`.
 */
import { run, shortEnding } from "./ruby.ts";

/** Recursions that must raise a SystemStackError that the program rescues. */
const RAISING: readonly string[] = [
  "def f(n) = f(n + 1) + 1\nf(0)",
  "def f = [1].map { f }\nf",
  "def f = [1].each { f }\nf",
  "def f = [2, 1].sort { f }\nf",
  "def f = 1.then { f }\nf",
  "f = ->(x) { f.(x) }\nf.(1)",
  "def f(&b) = [1].map { f(&b) }\nf { }",
  "def f = send(:f)\nf",
  "def f = begin; [1].map { f }; ensure; 1; end\nf",
  "define_method(:f) { f }\nf",
  "Hash.new { |h, k| h[k + 1] }[0]",
  "class A; def method_missing(n, *) = send(n); end; A.new.foo",
  'class A; def to_s = "#{self}"; end; A.new.to_s',
  "class A; def coerce(o) = 1 + A.new; end; 1 + A.new",
];

/** Recursions that must succeed, with the value true. */
const WORKING: readonly string[] = [
  "def f(n) = n.zero? ? 0 : 1 + f(n - 1)\nf(9_000) == 9_000",
  "def f(n) = n.zero? ? 0 : [n].map { |x| 1 + f(x - 1) }.first\nf(400) == 400",
  "def f(n) = n.zero? ? (GC.start; 0) : [n].map { |x| 1 + f(x - 1) }.first\nf(400) == 400",
  "def f(n) = n.zero? ? raise('x') : [n].map { f(n - 1) }\n(f(400) rescue $!.message) == 'x'",
  "def f(n) = n.zero? ? throw(:a, 5) : [n].map { f(n - 1) }\ncatch(:a) { f(400) } == 5",
  "def f(n) = n.zero? ? 0 : [n].each { |x| return 1 + f(x - 1) }\nf(300) == 300",
  "def f(n) = n.zero? ? 0 : [2, 1].sort { |a, b| f(n - 1); 1 }.size\nf(1) == 2",
  "h = Hash.new { |all, n| all[n] = n < 2 ? n : all[n - 1] + all[n - 2] }; h[900] > 0",
  "a = []; 120.times { a = [a] }; a.inspect.size == 242",
  "def f(n) = n.zero? ? 0 : catch(:a) { 1 + f(n - 1) }\nf(100) == 100",
  "def f(n) = n.zero? ? 0 : [1, 2].inject { 1 + f(n - 1) }\nf(80) == 80",
  "def f(n, e) = n.zero? ? e.next : [n].map { f(n - 1, e) }.first\nf(200, [5].each) == 5",
  "20_000.times { begin; raise 'x'; rescue; end }; true",
  "20_000.times { catch(:a) { throw :a } }; true",
  "a = []; 10_000.times { a = [a] }; a.flatten.size == 0",
];

/** Recursions that must end with SystemStackError, rescued or not, or with a limit. */
const OVERFLOWING: readonly string[] = [
  "def f = [2, 1].inject { f }\nf",
  "def f = { a: 1 }.each { f }\nf",
  "def f = catch(:a) { f }\nf",
  "eval('[' * 20_000)",
  "eval('1+' * 30_000 + '1')",
  "eval('(' * 20_000 + ')' * 20_000)",
  "Regexp.new('(' * 20_000 + ')' * 20_000).match('a'); raise SystemStackError",
  "a = []; 100_000.times { a = [a] }; a.hash; raise SystemStackError",
  "a = []; 100_000.times { a = [a] }; b = []; 100_000.times { b = [b] }; a == b; raise SystemStackError",
  "a = []; 100_000.times { a = [a] }; Marshal.dump(a)",
];

async function problems(): Promise<string[]> {
  const found: string[] = [];
  const expect = async (code: string, endings: readonly string[]) => {
    const ending = shortEnding((await run(code)).ending);
    if (!endings.includes(ending)) found.push(`${code}: ${ending.slice(0, 200)}`);
    const next = shortEnding((await run("6 * 7")).ending);
    if (next !== "text 42") found.push(`after ${code}: ${next}`);
  };
  for (const code of RAISING) {
    await expect(`begin\n${code}\nrescue SystemStackError => e\ne.message\nend`, [
      'text "stack level too deep"',
    ]);
  }
  for (const code of WORKING) await expect(code, ["text true"]);
  const ends = ["error SystemStackError", "error SyntaxError", "error RegexpError", "limit fuel"];
  for (const code of OVERFLOWING) {
    await expect(code, [...ends, "error ArgumentError"]);
  }
  return found;
}

if (import.meta.main) {
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(await problems())));
}
