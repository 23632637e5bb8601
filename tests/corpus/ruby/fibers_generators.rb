f = Fiber.new do |x|
  puts "got #{x}"
  y = Fiber.yield(x * 2)
  puts "then #{y}"
  z = Fiber.yield(y + 1)
  "end #{z}"
end
puts f.resume(5), f.resume(10), f.resume(:z), f.alive?
begin
  f.resume
rescue FiberError => e
  puts e.class
end
gen = Fiber.new { 3.times { |i| Fiber.yield i }; nil }
while (v = gen.resume)
  puts v
end
squares = Enumerator.new { |y| 1.step { |i| y.yield i * i } }
puts squares.next, squares.next, squares.next, squares.with_index.take(2).inspect
a = [1, 2, 3].each
b = %w[x y z].each
puts 3.times.map { [a.next, b.next] }.inspect, squares.lazy.map { |x| x + 1 }.first(2).inspect
tree = [1, [2, [3, 4]], 5]
walk = ->(t, &blk) { t.each { |n| n.is_a?(Array) ? walk.(n, &blk) : blk.(n) } }
e = Enumerator.new { |y| walk.(tree) { |n| y << n } }
puts e.to_a.inspect, e.next, e.next, e.size.inspect, e.rewind.next
ex = Enumerator.new { |y| y << 1; raise "gen error" }
puts ex.next
begin
  ex.next
rescue => err
  puts err.message
end
