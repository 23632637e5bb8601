require "set"
a = Set.new([1, 2, 3])
b = Set[3, 4]
puts (a | b).to_a.inspect, (a & b).to_a.inspect, (a - b).to_a.inspect, (a ^ b).to_a.sort.inspect
a << 2 << 5
puts a.size, a.include?(5), a.subset?(Set[1, 2, 3, 5, 9]), a.superset?(Set[1]), a.disjoint?(b), a.add?(1).inspect
puts a.map { |x| x * 2 }.class, a.group_by(&:odd?).keys.sort_by(&:to_s).inspect, a.partition(&:even?).inspect, [1, 1].to_set.size
puts a.delete(1).to_a.inspect, a == Set[2, 3, 5], a.min, a.sum, Set.new("a".."c").to_a.join, a.each_slice(2).to_a.inspect
h = { Set[1] => :one }
puts h[Set[1]], a.frozen?, a.dup.clear.empty?, Set[[1, 2]].flatten.size, Set[3, 1, 2].sort.inspect
