module Memo
  def memo(name)
    original = instance_method(name)
    cache = {}
    define_method(name) { |*a| cache.fetch(a) { cache[a] = original.bind(self).call(*a) } }
  end
end
class Slow
  extend Memo
  attr_reader :calls
  def initialize = @calls = 0
  memo def square(n)
    @calls += 1
    n * n
  end
end
s = Slow.new
puts s.square(3), s.square(3), s.square(4), s.calls
class Money
  attr_reader :cents
  protected :cents
  def initialize(c) = @cents = c
  def >(o) = cents > o.cents
  def to_s = format("$%d.%02d", *cents.divmod(100))
  private def secret = 1
  private_class_method def self.hidden = 2
end
puts Money.new(1234), Money.new(5) > Money.new(3)
[-> { Money.new(1).cents }, -> { Money.new(1).secret }, -> { Money.hidden }].each do |f|
  f.call
rescue NoMethodError => e
  puts e.message[/private|protected/]
end
a = "x".freeze
b = a.dup << "y"
c = a.clone
puts b, c.frozen?, b.frozen?, [a, [b]].flatten.map(&:frozen?).inspect, Marshal.load(Marshal.dump({ k: [1, "s", 2.5, nil, :z, 1..2] })).values.first.inspect
puts a.hash == "x".hash, 1.hash == 1.0.hash, [1, 2].hash == [1, 2].hash, "a".eql?("a"), ObjectSpace.count_objects.key?(:TOTAL)
