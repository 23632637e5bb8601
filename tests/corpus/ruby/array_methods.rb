a = [5, 3, 8, 1, 9, 2]
puts a.sort.inspect, a.max, a.minmax.inspect, a.sum, a.partition(&:even?).inspect
puts a.each_slice(2).to_a.inspect, a.each_cons(2).map { |x, y| y - x }.inspect
puts a.group_by { |n| n % 3 }.sort.inspect, a.chunk_while { |x, y| y > x }.to_a.inspect
puts a.zip(a.rotate).first.inspect, a.combination(2).count, [1, 2, 3].permutation.first(3).inspect
puts [1, [2, [3, [4]]]].flatten(1).inspect, [3, 1, 2].sort_by { |x| -x }.inspect, [1, 1, 2, 3, 3].uniq.inspect
puts (a & [1, 2, 3]).inspect, (a | [10]).inspect, (a - [5]).inspect, a.take_while { |x| x > 2 }.inspect
puts a.each_with_index.map { |x, i| x * i }.inspect, a.inject(:*), a.reduce { |m, x| m > x ? m : x }
puts a.values_at(0, 2, -1).inspect, a.dig(0), [[1, [2]]].dig(0, 1, 0), a.first(2).inspect, a.last(2).inspect
b = a.dup
b.push(7).unshift(0).insert(2, :x)
b.delete(:x)
b.delete_at(0)
b.delete_if { |x| x > 8 }
puts b.inspect, b.index(7), b.find { |x| x > 5 }, b.none?, b.any? { |x| x > 7 }, b.all?(Integer)
puts [nil, 1, false].compact.inspect, [[1, 2], [3, 4]].transpose.inspect, [1, 2, 3, 4].each_entry.to_a.inspect
puts [1, 2, 3].cycle.first(7).inspect, (1..6).each_slice(4).map(&:sum).inspect, [0.1] * 3 == [0.1, 0.1, 0.1]
puts %w[a b c].each_with_object([]) { |x, acc| acc << x.upcase }.inspect, [3, 5].product([1, 2]).inspect
puts [1, 2, 3, 4, 5].bsearch { |x| x >= 3 }, %w[x y z].sample.size, [1, 2, 3].shuffle.sort.inspect
puts [1, 2, 4, 5].slice_when { |i, j| i + 1 != j }.to_a.inspect, [4, 5].fill(0).inspect, Array.new(3) { |i| i * i }.inspect
