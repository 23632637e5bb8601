def full(a, b = a * 2, *c, d, e:, f: e + 1, **g, &h)
  [a, b, c, d, e, f, g.keys, h ? h.call(a) : nil].inspect
end
puts full(1, 9, e: 1), full(1, 2, 3, 4, e: 5, f: 6, z: 7) { |x| x * 100 }
begin
  full(1, 2)
rescue ArgumentError => e
  puts e.message
end
begin
  full(1, e: 2)
rescue ArgumentError => e
  puts e.message
end
def only(a:, b: 2) = a + b
begin
  only(a: 1, c: 3)
rescue ArgumentError => e
  puts e.message
end
puts only(**{ a: 4 }), only(a: 1, b: 1)
def splat(*args, **opts) = "#{args.size} #{opts.size}"
puts splat(1, 2, x: 1), splat(*[1, 2], **{ y: 2 }), splat({ a: 1 }), splat
def yielder
  return "no block" unless block_given?
  yield 1, [2, 3], k: 4
end
puts yielder, yielder { |a, (b, c), k:| [a, b, c, k].inspect }, yielder { |*a, **k| [a, k.size].inspect }
def shorthand(x:, y:) = x * y
x, y = 3, 4
puts shorthand(x:, y:)
def fwd(...) = full(...)
puts fwd(1, 2, e: 3), [[1, [2, 3]]].map { |a, (b, c)| a + b + c }.inspect, [[1, 2], [3, 4]].each_with_index.map { |(a, b), i| a * b + i }.inspect
puts [1, 2, 3].each_with_index.to_a.inspect, %w[a b].each_with_index.to_h.size, { a: 1 }.map { |k, v| [k, v] }.inspect, [3, 4].inject { _1 * _2 }, { x: 1, y: 2 }.sum { |_, v| v }
