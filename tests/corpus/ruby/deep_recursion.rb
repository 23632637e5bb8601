# Recursion through blocks, deeper than a small stack allows.
def depth(n) = n.zero? ? 0 : [n].map { |x| 1 + depth(x - 1) }.first
puts depth(300)
def nest(n) = n.zero? ? [] : [nest(n - 1)]
puts nest(200).flatten.size, nest(60).inspect.size
def sum_to(n) = n.zero? ? 0 : n + sum_to(n - 1)
puts sum_to(5000)
sums = Hash.new { |h, n| h[n] = n.zero? ? 0 : n + h[n - 1] }
puts sums[800]
def forever(n) = forever(n + 1) + 1
begin
  forever(0)
rescue SystemStackError => e
  puts e.class, e.message
end
garbage = (1..50_000).map { |i| "string #{i}" }
GC.start
puts garbage.size, garbage.last, depth(200)
