/**
 * Programs that run once in each process, so that the interpreter functions which most programs
 * need are compiled before the first program needs them.
 *
 * @module
 */

/** The programs, to run in order, starting from the baseline. */
export const WARM_UP: readonly string[] = [
  "1",
  `Point = Struct.new(:x, :y) do
  def +(other) = Point.new(x + other.x, y + other.y)
end
words = "The quick brown fox; the lazy dog".downcase.scan(/\\w+/)
count = words.each_with_object(Hash.new(0)) { |word, all| all[word] += 1 }
count.sort_by { |word, n| [-n, word] }.each { |word, n| puts format("%-6s %d", word, n) }
puts words.map(&:capitalize).join(" "), words.group_by(&:size).inspect
File.write("x", words.join("\\n")); File.foreach("x").first(2); File.delete("x")
begin
  Integer("z")
rescue ArgumentError => e
  warn e.message
ensure
  p [1, 2.5, :a, nil, 1..3, Point.new(1, 2) + Point.new(3, 4)]
end
case [1, [2, 3]] in [a, [b, c]] then a + b + c end
require "json"
JSON.parse(JSON.generate({ "a" => [1, 2, { b: nil }] }))
{ a: [1, 2.5, "x"], "b" => { c: 2**70 } }`,
  'def f = raise("x")\nf',
  "GC.start; exit 1",
];
