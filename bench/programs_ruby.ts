/**
 * Ruby programs for measuring the engine against a native ruby: each runs for some tens of
 * milliseconds in a different part of the engine.
 *
 * @module
 */

/** Name → source. The last expression is a check value, a text. */
export const RUBY_PROGRAMS: Readonly<Record<string, string>> = {
  "integer loop": "s = 0; i = 0; while i < 600_000; s = (s + i * 7) & 0xffff; i += 1; end; s.to_s",
  "floating point":
    "x = 0.0; 1.upto(300_000) { |i| x += Math.sqrt(i) / (i + 1) }; format('%.6f', x)",
  "function calls": "def fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)\nfib(22).to_s",
  "objects": `Point = Struct.new(:x, :y) { def moved = Point.new(x + 1, y) }
    p = Point.new(0, 2); 60_000.times { p = p.moved }; p.x.to_s`,
  "strings": `t = +''; 100_000.times { |i| t << (97 + i % 26).chr }
    t.split('e').sum { |w| w.upcase.length }.to_s`,
  "hashes": `m = Hash.new(0); 100_000.times { |i| m["k#{i % 997}"] += i }
    m.sort.sum { |k, v| v * k.length }.to_s`,
  "sort": `r = 1; a = Array.new(40_000) { r = r * 16807 % 2147483647 }
    "#{a.sort[777]} #{a.sort_by { |x| -x }[777]} #{a.map(&:to_s).sort[777]}"`,
  "sieve": `n = 200_000; p = Array.new(n + 1, true); c = 0
    (2..n).each { |i| next unless p[i]; c += 1; (i * i).step(n, i) { |j| p[j] = false } }; c.to_s`,
  "regular expressions": `s = 'lorem ipsum 2024-05-17 dolor 1999-12-31 sit ' * 1_000
    (s.scan(/(\\d{4})-(\\d\\d)-(\\d\\d)/).length + s.gsub(/[aeiou]/, '').length).to_s`,
  "large integers": "b = 1; 1.upto(1_500) { |i| b *= i }; b.to_s.length.to_s",
  "blocks": `(1..60_000).lazy.map { |x| x * 2 }.select { |x| x % 3 == 0 }.sum.to_s +
    (1..60_000).each_slice(7).map(&:sum).max.to_s`,
};
