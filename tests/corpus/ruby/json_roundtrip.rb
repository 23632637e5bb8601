require "json"
data = { "name" => "Widget", "price" => 9.99, "tags" => ["a", "b"], "dims" => { "w" => 1, "h" => 2.5 }, "stock" => nil, "ok" => true, "u" => "é\n\"\u2028" }
puts JSON.generate(data), JSON.pretty_generate(data), data.to_json == JSON.generate(data), [1, "x", nil, 1.0].to_json, "str".to_json, nil.to_json, { sym: :val, 1 => 2 }.to_json
parsed = JSON.parse(JSON.pretty_generate(data))
puts parsed == data, parsed["dims"]["h"], JSON.parse('{"a": [1, 2.5, "x", null, true, {"b": -1e3}]}', symbolize_names: true)[:a].last[:b], JSON.parse("[1]").first, JSON.parse('"x"'), JSON.parse("2")
begin
  JSON.parse("{bad json}")
rescue JSON::ParserError => e
  puts e.class
end
class Money
  def initialize(cents, currency) = (@cents, @currency = cents, currency)
  def to_json(*args) = { cents: @cents, currency: @currency }.to_json(*args)
  def self.from_json(text) = JSON.parse(text).then { |h| new(h["cents"], h["currency"]) }
  def to_s = format("%.2f %s", @cents / 100.0, @currency)
end
puts JSON.generate([Money.new(1050, "EUR")]), Money.from_json('{"cents":5,"currency":"USD"}'), JSON.pretty_generate({ items: [Money.new(1, "X")] })
begin
  JSON.generate(Float::NAN)
rescue JSON::GeneratorError => e
  puts e.class
end
puts JSON.generate("</script>"), JSON.generate("\u0001\t/"), JSON.dump({ a: 1 }), JSON.parse("[]").inspect, JSON.parse('{"a":1}', object_class: Hash).class, JSON.parse("[1e5, 10000000000000000000000, 0.1]").inspect, JSON.load("null").inspect, JSON.parse('{"k":1, "k":2}').size, JSON.pretty_generate([1, [2, { "a" => 3 }]])
File.write("data.json", JSON.pretty_generate(data))
puts JSON.parse(File.read("data.json")) == data, JSON.load_file("data.json")["name"], File.size("data.json")
File.delete("data.json")
puts JSON.parse('{"created":"2024-01-01"}', symbolize_names: true).map { |k, v| "#{k}=#{v}" }.join, [[1, 2], [3]].to_json, Struct.new(:a).new(1).to_json.class, { 1.5 => nil, nil => 1 }.to_json, "\u{1F600}".to_json, JSON.generate("é", ascii_only: true), JSON.generate([1, 2], indent: " ", array_nl: "\n")
