primes = Enumerator.new do |out|
  found = []
  (2..).each do |n|
    next if found.any? { |q| q * q <= n && (n % q).zero? }
    found << n
    out << n
  end
end
puts primes.take(10).inspect, primes.lazy.select(&:odd?).map { |q| q**2 }.reject { |q| q % 5 == 4 }.first(3).inspect
fibonacci = Enumerator.produce([0, 1]) { |a, b| [b, a + b] }.lazy.map(&:first)
puts fibonacci.select(&:even?).first(6).inspect, fibonacci.take_while { |n| n < 60 }.to_a.inspect
puts (1..Float::INFINITY).lazy.map { |n| n * 2 }.select { |n| n % 3 == 0 }.first(4).inspect
puts (1..20).each_slice(6).map(&:sum).inspect, (1..6).each_cons(3).to_a.length
e = [10, 20, 30].each_with_index
loop { puts e.next.inspect }
puts e.size
gen = Enumerator.new { |y| 3.times { |i| y.yield i, i * i }; :done }
puts gen.next.inspect, gen.peek.inspect, gen.next.inspect, gen.next.inspect
begin
  gen.next
rescue StopIteration => stop
  puts "stopped with #{stop.result}"
end
puts (1..3).each_entry.to_a.inspect, (1..3).zip(4..6, 7..9).inspect
puts [4, 5].each.with_index(1).map { |n, i| n * i }.inspect
chained = [1, 2].each + [3]
puts chained.to_a.inspect, chained.class
puts (1..4).each_with_object([]).with_index { |(n, acc), i| acc << n * i }.inspect
lines = "a=1\nb=2\n\nc=3".each_line.lazy.map(&:chomp).reject(&:empty?).map { |line| line.split("=") }
puts lines.to_h.map { |key, value| "#{key}->#{value}" }.join(",")
puts (1..3).lazy.flat_map { |n| [n] * n }.uniq.to_a.inspect
puts (1..3).lazy.eager.class, (1..4).lazy.filter_map { |n| n * 2 if n.even? }.force.inspect, (1..3).lazy.with_index.map { |a, i| a * i }.to_a.inspect
puts (1..3).sum, (1..3).reduce(:*), (1..3).inject { |a, b| a - b }, ("a".."e").step(2).to_a.join, 1.step(10, 4).to_a.inspect, 10.downto(7).to_a.inspect, 1.0.step(2.0, 0.5).to_a.inspect
