primes = (2..).lazy.select { |n| (2..Math.sqrt(n)).none? { |d| (n % d).zero? } }
puts primes.first(10).inspect
puts (1..Float::INFINITY).lazy.map { |x| x * 2 }.select { |x| x % 3 == 0 }.reject(&:odd?).first(3).inspect
fib = Enumerator.new do |y|
  a, b = 0, 1
  loop { y << a; a, b = b, a + b }
end
puts fib.take(10).inspect, fib.lazy.select(&:even?).first(5).inspect
e = [1, 2, 3].each
puts e.next, e.peek, e.next, e.next
begin
  e.next
rescue StopIteration
  puts "done"
end
puts [4, 5].each_with_index.to_a.inspect, %w[a b].each.with_index(1).map { |x, i| x * i }.inspect
gen = Enumerator.produce(1) { |x| x * 3 }
puts gen.take(5).inspect
puts (1..3).each_entry.map { |x| x }.inspect, (1..10).each_slice(3).map(&:sum).inspect
puts [1, 2, 3].lazy.zip([4, 5, 6]).map { |a, b| a * b }.to_a.inspect
puts (1..20).step(5).to_a.inspect, 1.step(10, 4).to_a.inspect, 10.downto(7).to_a.inspect
ee = Enumerator::Lazy.new([1, 2, 3]) { |y, v| y << v << v * 10 }
puts ee.to_a.inspect, ee.eager.size.inspect
