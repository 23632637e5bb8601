class Animal
  attr_accessor :name
  protected attr_reader :secret
  @@count = 0
  @registry = []
  class << self
    attr_reader :registry

    def create(*args, **opts, &block) = new(*args, **opts).tap { |a| block&.call(a); registry&.push(a) }

    private def hidden = :hidden
  end
  SOUNDS = { dog: "Woof" }.freeze

  def initialize(name, secret: 0)
    @name = name
    @secret = secret
    @@count += 1
  end

  def self.count = @@count
  def <=>(other) = name <=> other.name
  include Comparable
  def same_secret?(other) = secret == other.secret
  def to_s = "#{self.class.name}(#{name})"
  def inspect = "#<#{self.class} #{name}>"
  def speak = raise(NotImplementedError, "#{self.class} must implement speak")
  def coerce(other) = [other, name.length]
  def ==(other) = other.is_a?(Animal) && name == other.name
  alias eql? ==
  def hash = name.hash
  def to_str = name
  def [](i) = name[i]
  def []=(i, v)
    name[i] = v
  end
  def call(x) = "called #{x}"
  def +@ = "plus"
  def -@ = "minus"
  def ! = "not"
  def =~(o) = "match #{o}"
  def each = yield(name)
  def method_with(a, b = 2, *rest, c, key:, opt: 1, **others, &blk) = [a, b, rest, c, key, opt, others.size]
end

class Dog < Animal
  def initialize(name, breed = "mutt", **opts) = (super(name, **opts); @breed = breed)
  def speak = SOUNDS[:dog]
  def clone_with(name:) = dup.tap { |d| d.name = name }
  def initialize_copy(other) = (super; @copied = true)
  def copied? = !!@copied
end

a = Animal.create("Rex".dup, secret: 5) { |x| x.name += "y" }
d = Dog.new("Fido".dup, secret: 5)
puts a, d.inspect, Animal.count, a.same_secret?(d), d.speak, Animal.registry.size, Dog.registry.inspect, Dog.superclass, Dog.instance_methods(false).sort.inspect, a > d, [d, a].min.name, "x" + d, 10 + d, d[0], d.call(1), d.(2), +d, -d, (!d), d =~ 3, { d => 1 }[Dog.new("Fido")], [d, Dog.new("Fido")].uniq.size
begin
  a.speak
rescue NotImplementedError => e
  puts e.message, e.is_a?(StandardError)
end
[-> { a.secret }, -> { Animal.hidden }, -> { a.nope }, -> { Animal.new }, -> { Animal.new(1, x: 2) }, -> { a.method_with(1) }, -> { Dog.new.x }, -> { BasicObject.new.inspect }, -> { Object.new <=> nil; nil + 1 }, -> { 1 + "a" }, -> { "a" + 1 }, -> { [1] + nil }, -> { Integer(nil) }, -> { Float([]) }, -> { raise "x", cause: nil }].each do |action|
  action.call
rescue NoMethodError, NameError, ArgumentError, TypeError, RuntimeError => e
  puts "#{e.class}: #{e.message.lines.first[0, 40].tr("`", "'")}"[0, 30]
end
puts a.method_with(1, 2, key: 3).inspect, a.method_with(1, 2, 3, 4, key: 5, z: 1).inspect, a.method(:method_with).arity, a.method(:method_with).parameters.inspect
d2 = d.clone_with(name: "Max")
puts d2.name, d.name, d2.copied?, d.copied?, d.frozen?, d.dup.equal?(d), d.instance_variables.inspect, d.instance_variable_get(:@breed), d.is_a?(Animal), Dog === d, d.kind_of?(Comparable), d.instance_of?(Animal), d.respond_to?(:secret), Dog.ancestors.include?(Kernel), d.public_methods(false).include?(:speak), Dog.instance_method(:speak).bind(d).call, d.singleton_methods.inspect
def d.trick = "rolls over"
puts d.trick, d.singleton_methods.inspect, d.singleton_class.instance_methods(false).inspect
o = Object.new
o.instance_variable_set(:@x, 1)
puts o.instance_variable_defined?(:@x), o.frozen?, nil.to_a.inspect, nil.to_s.empty?, nil & true, nil.inspect, o.itself.equal?(o), o.then { 5 }, (o <=> o), o.eql?(o.dup)
class Meta
  def self.method_added(name) = (@added ||= []) << name
  def self.added = @added
  def one; end
  def two; end
  private def three; end
  remove_method :two
  const_set(:X, 5)
  class_variable_set(:@@y, 6)
  define_singleton_method(:dyn) { |a = 1| a }
  alias_method :uno, :one
end
puts Meta.added.inspect, Meta::X, Meta.class_variable_get(:@@y), Meta.dyn(9), Meta.private_instance_methods(false).inspect, Meta.public_method_defined?(:uno), Meta.constants.inspect, Meta.new.method(:uno).name.inspect, Meta.const_defined?(:X), Meta.instance_methods(false).sort.inspect
puts ObjectSpace.each_object(Class).count { |k| k < Animal }, Animal.subclasses.inspect, 5.frozen?, :a.frozen?, nil.frozen?, "a".dup.frozen?, [].frozen?, (1..2).frozen?, Comparable.instance_of?(Module), Class.class, Module.new.name.inspect
module Deep
  module Inner
    LEVEL = 2
    def self.where = Module.nesting.inspect
    class K; def self.c = LEVEL; end
  end
end
puts Deep::Inner.where, Deep::Inner::K.c, Deep.constants.inspect, Deep::Inner.name, Object.const_get("Deep::Inner::LEVEL"), Deep::Inner::K.new.class.to_s
x = 10
add = lambda { |n, m = 1| n + m + x }
x = 20
puts add.(1), add[1, 2], add.curry.arity, add.lambda?, proc { |a, b| [a, b].inspect }.call([1, 2]), proc { |a| a.inspect }.call(1, 2), proc { return 1 }.lambda?, (add >> ->(r) { r * 2 }).call(1), (add << ->(r) { r * 2 }).call(1), method(:puts).to_proc.lambda?, :upcase.to_proc.call("a"), add.parameters.inspect, %w[1 2].map(&method(:Integer)).sum, binding.local_variables.include?(:x), binding.local_variable_get(:x), ->(a, *b, k: 1, **o) {}.arity
def yielder(*args) = block_given? ? yield(*args) : :no_block
puts yielder, yielder(1) { |a, b| [a, b].inspect }, yielder([1, 2]) { |a, b| [a, b].inspect }, yielder(1, 2) { |a| a.inspect }, yielder(1, 2) { |*a| a.inspect }, yielder({ k: 1 }) { |k: 0, **| k } rescue puts $!.class
def kw(a, b = a * 2, *c, d: b + 1, **e) = [a, b, c, d, e.keys].inspect
opts = { d: 9, z: 1 }
puts kw(1), kw(1, 2, 3, d: 4), kw(1, **opts), kw(*[1, 2, 3], **opts)
def fwd(...) = kw(...)
puts fwd(5, d: 1), (a, (b, *c), d = 1, [2, 3, 4], 5).inspect
first, (second, third), *rest, last = 1, [2, 3], 4, 5, 6
puts [first, second, third, rest, last].inspect
m, n = n = 5, 6
puts m.inspect, n.inspect, (q ||= 3), (q &&= q + 1), q
puts [[1, [2, 3]]].map { |p1, (p2, p3)| p1 + p2 + p3 }.inspect, { a: 1 }.map { |k, v| "#{k}#{v}" }.inspect, [1, 2, 3].each_with_index.to_h { |v, i| [i, v] }.size, [[1, 2], [3, 4]].sum { |l, r| l * r }
