class Vec
  attr_reader :x, :y
  def initialize(x, y) = (@x, @y = x, y)
  def +(o) = Vec.new(x + o.x, y + o.y)
  def -(o) = Vec.new(x - o.x, y - o.y)
  def *(k) = k.is_a?(Vec) ? x * k.x + y * k.y : Vec.new(x * k, y * k)
  def -@ = Vec.new(-x, -y)
  def [](i) = [x, y][i]
  def []=(i, v)
    i.zero? ? @x = v : @y = v
  end
  def ==(o) = o.is_a?(Vec) && x == o.x && y == o.y
  def coerce(n) = [self, n]
  def to_s = "<#{x} #{y}>"
  def inspect = "#<Vec #{x},#{y}>"
  def call(z) = z + x
  def to_str = to_s
  def each = yield(x) && yield(y)
  def <<(o) = tap { @x += o }
  def !~(o) = "nomatch"
  def =~(o) = "match"
  def to_proc = ->(z) { z * x }
end
a, b = Vec.new(1, 2), Vec.new(3, 4)
puts a + b, a - b, a * b, a * 3, 3 * a, -a, a[0], a == Vec.new(1, 2), a != b, a.(5), "v: " + a, [a, b].inspect
a[1] = 9
a << 4
puts a, a =~ 1, a !~ 1, [1, 2].map(&a).inspect, [a, b].sum(Vec.new(0, 0)), (a <=> b).inspect, a.equal?(a)
x = nil
x ||= 5
x &&= x + 1
y = x&.to_s
puts x, y, nil&.length.inspect, nil.to_a.inspect, (x > 5 and not x > 10), (false or true), x.!, 5.send(:+, 3)
i, *j, k = 1, 2, 3, 4
(m, n), o = [1, 2], 3
puts i, j.inspect, k, m + n + o, [*1..3, *[4]].inspect, { **{ a: 1 }, b: 2 }.size
