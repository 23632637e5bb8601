# Value objects with Struct and keyword_init, comparison, pattern matching.
Point = Struct.new(:x, :y) do
  include Comparable

  def <=>(other) = [x, y] <=> [other.x, other.y]
  def +(other) = self.class.new(x + other.x, y + other.y)
  def distance_to(other) = Math.hypot(x - other.x, y - other.y)
  def to_s = "(#{x}, #{y})"
end

Person = Struct.new(:name, :email, :age, keyword_init: true) do
  def adult? = age >= 18
end

a = Point.new(1, 2)
b = Point.new(4, 6)
puts a + b, a.distance_to(b), [b, a].min, a == Point.new(1, 2), a.eql?(Point.new(1.0, 2.0))
puts a.to_a.inspect, a.members.inspect, Point.members.size
case b
in [x, y] if x > 3 then puts "array pattern #{x} #{y}"
end
case b
in {x:, y:} then puts "hash pattern #{x} #{y}"
end

people = [
  Person.new(name: "Ada", email: "ada@example.com", age: 36),
  Person.new(name: "Bo", email: nil, age: 9),
]
people.each { |person| puts "#{person.name}: #{person.adult? ? "adult" : "minor"}" }
puts people.map(&:age).sum, people.first.to_h.keys.inspect
p people.last
copy = people.first.dup
copy.name = "Eve"
puts people.first.name, copy.name
begin
  Person.new(nme: "typo")
rescue ArgumentError => e
  puts e.message
end
begin
  Point.new(1, 2, 3)
rescue ArgumentError => e
  puts e.message
end
puts Point.new(1).inspect, a.each.to_a.sum, a.dig(:x), a[:y], a["x"], a[0]
puts [Point.new(2, 1), Point.new(1, 9), Point.new(1, 3)].sort.join(" "), a.clamp(a, b), a.between?(a, b)
