/**
 * Ruby programs of one kind each, for comparing the engine with the published module: above all
 * sorting and exceptions, which jump and call back more than other code.
 *
 * @module
 */

/** Numbers in no order, most of them too large for an immediate value on 32 bits. */
const NUMBERS = "r = 1; a = Array.new(30_000) { r = r * 16807 % 2147483647 }\n";

/** Name → source. The last expression is a check value, a text. */
export const RUBY_KINDS: Readonly<Record<string, string>> = {
  "sort small numbers":
    "a = Array.new(30_000) { |i| i * 7_919 % 30_011 }; 10.times { a.sort }; a.sort[777].to_s",
  "sort large numbers": `${NUMBERS}10.times { a.sort }; a.sort[777].to_s`,
  "sort floats": `${NUMBERS}f = a.map { |x| x / 7.0 }; 5.times { f.sort }; f.sort[777].to_s`,
  "sort strings": `${NUMBERS}s = a.map(&:to_s); 3.times { s.sort }; s.sort[777]`,
  "sort arrays": `${NUMBERS}s = a.first(6_000).map { |x| [x % 7, x] }; s.sort[777].inspect`,
  "sort with a block": `${NUMBERS}a.first(15_000).sort { |x, y| y <=> x }[777].to_s`,
  "sort by": `${NUMBERS}3.times { a.sort_by { |x| -x } }; a.sort_by { |x| -x }[777].to_s`,
  "least and most": `${NUMBERS}3.times { a.min_by { |x| -x }; a.max_by { |x| x % 997 } }
    [a.min_by { |x| x % 997 }, a.max, a.minmax.sum, a.min(5).sum].inspect`,
  "raise and rescue": `n = 0
    10_000.times { |i| begin; raise ArgumentError, "no" if i.odd?; n += 1; rescue => e; n += 2; end }
    n.to_s`,
  "rescue without an exception": `n = 0
    100_000.times { |i| begin; n += i; rescue; n = 0; end }; n.to_s`,
  "rescue of errors in C": `n = 0
    5_000.times { |i| begin; Integer("x"); rescue ArgumentError; n += 1; end }
    5_000.times { |i| n += Integer("x") rescue 1 }; n.to_s`,
  "ensure": `n = 0
    f = ->(i) { begin; return i; ensure; n += 1; end }
    20_000.times { |i| f.(i) }
    5_000.times { |i| begin; begin; raise "x"; ensure; n += 1; end; rescue; n += 1; end }; n.to_s`,
  "deep rescue": `def f(n) = n == 0 ? raise("deep") : f(n - 1)
    n = 0; 2_000.times { begin; f(50); rescue; n += 1; end }; n.to_s`,
  "rescue through blocks": `def g(n, &b) = n == 0 ? b.call : [1].each { g(n - 1, &b) }
    n = 0; 500.times { begin; g(10) { raise "x" }; rescue; n += 1; end }; n.to_s`,
  "catch and throw": `n = 0
    8_000.times { |i| n += catch(:done) { throw :done, i if i.odd?; 1 } }; n.to_s`,
  "break and next": `n = 0
    20_000.times { |i| n += [1, 2, 3].each { |x| break x if x == 2 } }
    20_000.times { |i| n += (1..9).find { |x| x == 3 } }; n.to_s`,
  "text": `t = +''; 30_000.times { |i| t << "word#{i % 97} " }
    t.split.map(&:capitalize).tally.sum { |k, v| k.size * v }.to_s + t.gsub(/o(.)/) { $1.upcase }.size.to_s`,
  "json": `require "json"
    v = Array.new(600) { |i| { "id" => i, "name" => "n#{i}", "tags" => %w[a b c], "x" => i / 3.0 } }
    t = JSON.generate(v); 3.times { JSON.parse(t) }; JSON.pretty_generate(JSON.parse(t)).size.to_s`,
  "method calls": `class Counter; def initialize = @n = 0; def add(x) = @n += x; attr_reader :n; end
    c = Counter.new; 200_000.times { |i| c.add(i) }; c.n.to_s`,
  "send and missing methods":
    `class Any; def method_missing(n, *a) = a.size; def respond_to_missing?(*) = true; end
    o = Any.new; n = 0; 15_000.times { n += o.foo(1, 2) + o.send(:bar, 1) }; n.to_s`,
};
