require "json"
data = { "name" => "Ünï", "list" => [1, 2.5, nil, true], "nested" => { "a" => "q\"uote\n" } }
text = JSON.generate(data)
puts text, JSON.pretty_generate(data), JSON.parse(text) == data
puts JSON.parse('{"a": [1, 2], "c": 1e3, "d": -0.5, "e": "\\u00e9"}').to_a.inspect
puts JSON.parse('{"a":1}', symbolize_names: true)[:a], [1, "a", :b, nil].to_json, "x".to_json, nil.to_json, 1.5.to_json
begin
  JSON.parse("{bad json}")
rescue JSON::ParserError => e
  puts e.class
end
class Point
  def initialize(x, y) = (@x, @y = x, y)
  def to_json(*args) = { x: @x, y: @y }.to_json(*args)
end
puts [Point.new(1, 2)].to_json, JSON.generate("a" => Point.new(3, 4)), JSON.dump([1, nil]), JSON.load("[1,2]").sum
puts JSON.parse("[]").inspect, JSON.parse("2").inspect, { 1 => 2, nil => 3, sym: :val }.to_json
begin
  JSON.generate(Float::NAN)
rescue JSON::GeneratorError => e
  puts e.class
end
