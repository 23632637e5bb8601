class HtmlBuilder
  def initialize = (@out = []; @depth = 0)

  def method_missing(tag, content = nil, **attributes, &block)
    return super if tag.to_s.end_with?("=", "_ary")
    text = attributes.map { |key, value| " #{key}=\"#{value}\"" }.join
    if block
      line("<#{tag}#{text}>")
      @depth += 1
      instance_eval(&block)
      @depth -= 1
      line("</#{tag}>")
    else
      line("<#{tag}#{text}>#{content}</#{tag}>")
    end
    self
  end

  def respond_to_missing?(name, include_private = false) = !name.to_s.end_with?("=", "_ary") || super
  def to_s = @out.join("\n")

  private

  def line(text) = @out << "#{"  " * @depth}#{text}"
end

html = HtmlBuilder.new.div(class: "box") do
  h1 "Title"
  ul(id: :list) { 3.times { |i| li "Item #{i}", "data-n": i } }
end
puts html, html.respond_to?(:anything), html.respond_to?(:x=)
begin
  html.foo = 1
rescue NoMethodError => e
  puts e.name.inspect
end

class Settings
  def self.setting(name, default: nil, &check)
    define_method(name) { instance_variable_get("@#{name}") || default }
    define_method("#{name}=") do |value|
      raise ArgumentError, "bad #{name}: #{value}" if check && !check.call(value)
      instance_variable_set("@#{name}", value)
    end
  end

  setting :port, default: 80 do |value|
    (1..65_535).cover?(value)
  end
  setting :host, default: "localhost"
end

settings = Settings.new
puts settings.port, settings.host
settings.port = 8080
puts settings.port, settings.instance_variables.inspect
begin
  settings.port = 0
rescue ArgumentError => e
  puts e.message
end

class Ghost < BasicObject
  def initialize(target) = @target = target
  def method_missing(name, *args, &block) = @target.__send__(name, *args, &block)
  def respond_to_missing?(*) = true
end
ghost = Ghost.new([3, 1, 2])
puts ghost.sort.inspect, ghost.size, ghost.map { |n| n * 2 }.sum

klass = Class.new do
  %w[alpha beta].each_with_index { |name, index| define_method("#{name}?") { |offset = 0| index + offset } }
  def self.inherited(sub) = (puts("inherited"); super)
end
puts klass.new.beta?(10), klass.instance_methods(false).sort.inspect, Class.new(klass).new.alpha?, klass.name.inspect
puts 5.public_send(:+, 3), "abc".then { |s| s.send(:[], 1) }, [1, 2].instance_exec(3) { |n| sum + n }, Object.const_get(:Math)::PI.round(2)
puts klass.method_defined?(:alpha?), Comparable.instance_method(:clamp).arity, method(:puts).owner, :upcase.to_proc.call("x"), [[1, 2]].to_h { |a, b| [b, a] }.keys.first
