graph = { "A" => { "B" => 4, "C" => 2 }, "B" => { "D" => 5 }, "C" => { "B" => 1, "D" => 8, "E" => 10 }, "D" => { "E" => 2 }, "E" => {} }
def shortest(graph, from)
  distance = Hash.new(Float::INFINITY).merge(from => 0)
  previous = {}
  queue = graph.keys.to_a
  until queue.empty?
    node = queue.min_by { |n| distance[n] }
    queue.delete(node)
    graph[node].each do |other, weight|
      alternative = distance[node] + weight
      next unless alternative < distance[other]
      distance[other] = alternative
      previous[other] = node
    end
  end
  [distance, previous]
end
distance, previous = shortest(graph, "A")
graph.each_key do |node|
  path = [node]
  path.unshift(previous[path.first]) while previous[path.first]
  puts "#{node}: #{distance[node]} via #{path.join(">")}"
end
def bfs(graph, start)
  seen, queue = [start], [start]
  while (n = queue.shift)
    graph[n].each_key { |o| seen.include?(o) || (seen << o; queue << o) }
  end
  seen
end
puts bfs(graph, "A").join
require "tsort"
class Deps < Hash
  include TSort
  alias tsort_each_node each_key
  def tsort_each_child(n, &b) = fetch(n).each(&b)
end
puts Deps.new.merge!({ 1 => [2, 3], 2 => [3], 3 => [], 4 => [1] }).tsort.inspect
