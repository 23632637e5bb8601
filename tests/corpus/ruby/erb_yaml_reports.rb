require "erb"
require "yaml"
Item = Struct.new(:name, :price, :qty)
items = [Item.new("Pen", 1.5, 10), Item.new("<Book>", 12, 2)]
template = ERB.new(<<~TEMPLATE, trim_mode: "-")
  Invoice for <%= customer %>
  <%- items.each_with_index do |item, index| -%>
  <%= index + 1 %>. <%= ERB::Util.html_escape(item.name).ljust(12) %> <%= format("%8.2f", item.price * item.qty) %>
  <%- end -%>
  <%# a comment -%>
  Total: <%= format("%.2f", items.sum { |i| i.price * i.qty }) %>
TEMPLATE
customer = "ACME & Co"
puts template.result(binding), template.result_with_hash(customer: "X", items: [])
include ERB::Util
puts html_escape("<a href='x'>\"&\"</a>"), url_encode("a b&c/é")
document = { "title" => "Config", "list" => [1, 2.5, "three", nil, true], "nested" => { "key" => "multi\nline", "empty" => {}, "sym" => :value }, "date" => "2024-01-01", "num" => "42" }
puts document.to_yaml
loaded = YAML.load(document.to_yaml, permitted_classes: [Symbol])
puts loaded == document
config = YAML.safe_load(<<~YAML, aliases: true, symbolize_names: true)
  defaults: &defaults
    adapter: pg
    pool: 5
  development:
    <<: *defaults
    database: dev
  list: [a, b, {c: 1}]
  folded: >
    some folded
    text
  literal: |
    keep
      this
  float: 1.5e3
  null_value: ~
  yes_value: yes
  time: 12:30
YAML
puts config[:development].sort.flatten.inspect, config[:list].size, config[:folded].inspect, config[:literal].inspect, config[:float], config[:null_value].inspect, config[:yes_value], config[:time].inspect
begin
  YAML.load("a: [1, 2")
rescue Psych::SyntaxError => e
  puts e.class, e.line
end
begin
  YAML.safe_load("--- !ruby/object:Object {}")
rescue Psych::DisallowedClass => e
  puts e.class
end
puts [1, { "a" => nil }].to_yaml, YAML.dump("simple"), "multi\nline\n".to_yaml, YAML.load_stream("--- 1\n--- 2\n").inspect, YAML.load("- 1\n- :sym\n- 'q'\n- 0x1f\n- 1_000\n").inspect
File.write("c.yml", document.to_yaml)
puts YAML.load_file("c.yml")["title"]
