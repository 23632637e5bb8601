counter = 0
increment = -> { counter += 1 }
3.times(&increment) rescue 3.times { increment.call }
puts counter
adder = ->(a) { ->(b) { a + b } }
puts adder[3][4], adder.(1).(2)
square = proc { |x| x * x }
double = ->(x) { x * 2 }
puts (square >> double).call(3), (square << double).call(3), square.curry.arity, double.lambda?
def make = yield(1, 2)
puts make { |a, b| a * 10 + b }
def pass(&block) = block
puts pass { |x| x.to_s + "!" }.call(5)
puts %w[1 2].map(&:to_i).inspect, [1, 2].map(&10.method(:+)).inspect, [[1, 2]].map { |a, b| a + b }.inspect
def early = [1, 2, 3].each { |x| return x if x > 1 }
puts early
curried = ->(a, b, c) { a + b + c }.curry
puts curried[1][2][3], curried.(1, 2).(3)
def opts(a, b = 2, *rest, key: 0, **others, &blk) = [a, b, rest, key, others.size, blk&.call]
puts opts(1).inspect, opts(1, 3, 4, 5, key: 6, z: 1) { :blk }.inspect
puts method(:opts).parameters.inspect, proc { |x, y| }.arity, ->(*) {}.arity
x = 10
[1].each { |i; x| x = i }
puts x, binding.local_variable_get(:x)
ycomb = ->(f) { ->(x) { x.(x) }.(->(x) { f.(->(v) { x.(x).(v) }) }) }
puts ycomb.(->(slf) { ->(n) { n.zero? ? 1 : n * slf.(n - 1) } }).(5)
