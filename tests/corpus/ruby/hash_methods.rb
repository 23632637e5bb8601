h = { apple: 3, banana: 1, cherry: 2 }
puts h.sort_by { |_, v| v }.map(&:first).inspect, h.min_by { |_, v| v }.inspect, h.sum { |_, v| v }
puts h.select { |_, v| v > 1 }.keys.inspect, h.reject { |_, v| v > 1 }.keys.inspect, h.invert[2]
puts h.transform_values { |v| v * 10 }.values.inspect, h.to_a.flatten.inspect, h.key(3)
puts h.each_with_object({}) { |(k, v), acc| acc[v] = k }.keys.inspect, h.find { |_, v| v == 2 }.inspect
h[:date] = 7
h.delete(:apple)
h.merge!({ banana: 5 }) { |_, old, new| old + new }
puts h.length, h[:banana], h.fetch(:nope, "none"), h.fetch(:x) { |k| k.to_s * 2 }
begin
  h.fetch(:missing)
rescue KeyError => e
  puts e.message
end
d = Hash.new { |hash, k| hash[k] = [] }
%w[ant bee cat ape bat].each { |w| d[w[0]] << w }
d.each { |k, v| puts "#{k}: #{v.join(",")}" }
puts d.dig("a", 1), d.any? { |_, v| v.size > 2 }, d.count, d.keys.inspect, d.values.flatten.size
puts h.group_by { |_, v| v.odd? }.transform_values(&:size)[true], h.partition { |_, v| v > 3 }.map(&:size).inspect
nested = { a: { b: { c: 1 } } }
puts nested.dig(:a, :b, :c), nested.to_a.flatten(1).size, h.sort.first.inspect, h.sum { _2 }
puts h.filter_map { |k, v| k if v > 2 }.inspect, h.each_slice(2).count, h.zip([1]).first.size, h.compare_by_identity.size
puts({ b: 1, a: 2 }.min.inspect, { "x" => 1 }.key?("x"), {}.empty?, h.default.inspect, Hash[[[1, 2]]].size)
