require "set"
a = Set[1, 2, 3]
b = Set.new([3, 4])
puts (a | b).to_a.inspect, (a & b).to_a.inspect, (a - b).to_a.inspect, (a ^ b).to_a.sort.inspect, a.include?(2), a === 5, a.add?(3).inspect, a.add?(9).class, a.delete(9).size, a.subset?(Set[1, 2, 3, 4]), a.superset?(Set[1]), a <= a, a < a, a.disjoint?(b), a.intersect?(b), a == Set[3, 2, 1], a.map { |n| n % 2 }.to_set.size, a.group_by(&:odd?).keys.inspect, a.partition(&:even?).inspect, a.min, a.sum, a.to_a.inspect, a.each_slice(2).to_a.inspect, a.select(&:odd?).class, a.dup.delete_if(&:odd?).size, Set.new("a".."c").join("-"), [1, 1, 2].to_set.length, a.empty?, Set[[1, 2]].include?([1, 2]), Set[1, [2]].flatten.size, a.hash == Set[1, 2, 3].hash, { a => 1 }[Set[1, 2, 3]], Set[3, 1, 2].sort.inspect, a.first, a.merge([7, 8]).size, a.classify(&:even?).transform_values(&:size).values.sort.inspect, a.frozen?, a.find { |n| n > 2 }, Set[1, 2].proper_subset?(a), a.collect!(&:to_s).include?("1"), a.reset.size, Set[1, 2] <=> Set[1, 2, 3], Set[nil, false].size, a.clear.size
seen = Set.new
puts [1, 2, 1, 3, 2].reject { |n| !seen.add?(n) }.inspect
graph = { a: [:b, :c], b: [:d], c: [:d], d: [] }
visited = Set.new
queue = [:a]
until queue.empty?
  node = queue.shift
  next unless visited.add?(node)
  queue.concat(graph[node])
end
puts visited.to_a.inspect, visited.size
case 3
when Set[1, 2, 3] then puts "in set"
end
