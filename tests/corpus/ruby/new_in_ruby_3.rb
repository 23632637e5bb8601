# What came after Ruby 3.1: its expected output was written by hand.
Coord = Data.define(:lat, :lng) do
  def self.origin = new(0, 0)
  def +(other) = with(lat: lat + other.lat, lng: lng + other.lng)
end
a = Coord.new(lat: 1, lng: 2)
puts a, a + Coord.new(3, 4), a == Coord.new(1, 2), a.to_h, a.frozen?, Coord.origin.inspect
begin
  a.instance_variable_set(:@lat, 5)
rescue FrozenError => e
  puts e.class
end
begin
  Coord.new(1)
rescue ArgumentError => e
  puts e.message
end
case a
in { lat:, lng: } then puts lat + lng
end
puts [1, 2, 3].map { it * 2 }.inspect, { "a" => 1, b: 2 }.inspect, Set[1, 2].inspect, Set.new([3]).to_s
def pass_block(&) = [1, 2].map(&)
def pass_rest(*, **) = target(*, **)
def target(*list, **named) = "#{list} #{named}"
puts pass_block { _1 + 1 }.inspect, pass_rest(1, 2, k: 3)
puts [3, 1].sum.then { "sum #{it}" }, (1..3).reverse_each.to_a.inspect, [1, 2, 3, 4].each_slice(2).to_a.inspect, 7.ceildiv(2), "abc".byteindex("c")
begin
  nil.foo
rescue NoMethodError => e
  puts e.message
end
puts ((1..10) % 3).inspect, ((1..10) % 3).to_a.inspect, "éa".bytesplice(0, 2, "e"), Time.new("2024-01-02 03:04:05Z").utc, Struct.new(:a).new(a: 1).a, Comparable.instance_methods.include?(:clamp), [1, 2].intersect?([2]), Hash.new(capacity: 10).size, Array.new(2).compact.inspect
