Point = Struct.new(:x, :y) do
  def +(other) = Point.new(x + other.x, y + other.y)
  def length = Math.sqrt(x**2 + y**2)
  def to_s = "(#{x}, #{y})"
end
a = Point.new(3, 4)
b = Point.new(1, -2)
puts a + b, a.length, a == Point.new(3, 4), a.to_a.inspect
x, y = *a
puts x * y
Named = Struct.new(:name, :age, keyword_init: true)
n = Named.new(name: "Zoe", age: 3)
puts n.name, n.to_h.keys.inspect, n.members.inspect
n.age += 1
puts n.age, n[:name], n["age"]
puts [Point.new(2, 1), Point.new(1, 5)].sort_by(&:x).map(&:to_s).join(" ")
