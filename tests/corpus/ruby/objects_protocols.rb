# Comparable, Enumerable, coercion, conversion, hooks, refinements, method objects.
class Version
  include Comparable
  attr_reader :parts
  protected :parts

  def initialize(text) = @parts = text.split(".").map(&:to_i)
  def <=>(other) = other.is_a?(Version) ? parts <=> other.parts : nil
  def to_s = @parts.join(".")
  def inspect = "#<v#{self}>"
  def hash = @parts.hash
  def eql?(other) = other.is_a?(Version) && parts == other.parts
  def succ = Version.new([*@parts[0..-2], @parts[-1] + 1].join("."))
  def coerce(number) = [Version.new(number.to_s), self]
  def to_str = to_s
  def to_proc = ->(text) { Version.new(text) >= self }
end

versions = %w[1.10.0 1.2.3 1.2.10].map { |t| Version.new(t) }
p versions.sort, versions.max, versions.minmax, Version.new("1.2") == Version.new("1.2"), versions.uniq(&:to_s).size
p (Version.new("1.0")..Version.new("1.3")).to_a, Version.new("1.5").clamp(*versions.minmax), { Version.new("1") => :a }[Version.new("1")]
p "v" + Version.new("2.0"), %w[0.9 1.5].select(&Version.new("1.0")), Version.new("1") <=> 3
begin
  Version.new("1") < 3
rescue ArgumentError => e
  puts e.message
end
begin
  Version.new("1").parts
rescue NoMethodError => e
  puts e.class, e.receiver.inspect
end

module Auditable
  def self.included(base)
    base.extend(ClassMethods)
    (@users ||= []) << base
  end
  def self.users = @users

  module ClassMethods
    def audited(*names)
      names.each do |name|
        original = instance_method(name)
        define_method(name) do |*args, **options, &block|
          (@audit ||= []) << [name, args]
          original.bind_call(self, *args, **options, &block)
        end
      end
    end
    def inherited(child) = (super; puts "#{child} < #{self}")
    def method_added(name) = name == :secret && puts("secret added")
  end
  def audit = @audit
end

class Till
  include Auditable
  def initialize = @sum = 0
  def add(n) = @sum += n
  def each_coin(limit: 3) = block_given? ? limit.times { |i| yield i } : to_enum(:each_coin, limit:)
  audited :add
  private def secret = 42
end

class Kiosk < Till; end
till = Kiosk.new
till.add(5)
till.add(6)
p till.audit, Auditable.users, till.each_coin(limit: 2).to_a, till.respond_to?(:secret), till.send(:secret), Kiosk.instance_methods(false), Kiosk.superclass.ancestors.first(2)
p till.method(:add).arity, till.method(:each_coin).parameters, till.public_methods(false).sort.first, Till.instance_method(:add).owner, till.frozen?, till.dup.equal?(till)
compose = method(:Integer) >> ->(n) { n * 2 } >> :to_s.to_proc
p compose.call("21"), %w[1 2].map(&method(:Integer)), ->(a, b = 2, *c, d:, **e) {}.parameters, proc { |a, b| [a, b] }.call([1, 2]), lambda(&:upcase).call("x"), ->(x) { x + 1 }.curry[1]

module Loud
  refine Integer do
    def shout = "#{self}!"
  end
end
using Loud
p 5.shout, [1, 2].map(&:shout)
o = Object.new
class << o
  attr_accessor :size
  def each = 3.times { |i| yield i }
  include Enumerable
  def to_ary = [1, 2]
end
o.size = 4
a, b = o
p a, b, o.sort_by { |i| -i }, o.size, o.each_slice(2).to_a
p Class.new(StandardError) { def message = "custom" }.new.message, Module.new.name.inspect, till.instance_variables, till.instance_variable_get(:@sum)
obj = Struct.new(:a, :b).new(1, [2])
copy = obj.dup
copy.b << 3
p obj.b, obj.frozen?, obj.freeze.frozen?, (begin; obj.a = 5; rescue FrozenError => e; e.class; end), obj == copy, copy.each.to_a, obj.deconstruct
ObjectSpace.each_object(Class).count { |c| c < Till }.then { p _1 }
p defined?(super), defined?(@x), [__method__, self.to_s, self.class]
warn "careful"
