require "yaml"
text = <<~Y
  name: Test
  list:
    - 1
    - two
    - 3.5
  nested:
    a: true
    b: null
  multi: |
    line one
    line two
Y
data = YAML.load(text)
puts data["name"], data["list"].inspect, data["nested"]["a"], data["nested"]["b"].inspect, data["multi"]
puts({ "x" => [1, nil, "y"], "z" => { "k" => "v: w" } }.to_yaml)
puts YAML.load("- a\n- b").inspect, YAML.dump([1, "two"]), YAML.load("1.5").inspect, YAML.safe_load("{a: 1}").keys.inspect
begin
  YAML.load("a: [1")
rescue Psych::SyntaxError => e
  puts e.class
end
