r = Rational(3, 4)
puts r + Rational(1, 4), r * 2, r / 3, r**2, r.to_f, r.numerator, 0.75.to_r == r, 1.quo(3), 3.to_r / 7, Rational("2/6"), r.round, r.floor, r.ceil, r.truncate, (r - 1).abs, r <=> 0.7, 1r / 3, r.inspect, Rational(5), Rational(7, 2).round(half: :even), 1.5.rationalize
c = Complex(3, 4)
puts c.abs, c.conjugate, c * Complex(0, 1), c + 1, c.real, c.imaginary, c.polar.map { |n| n.round(3) }.inspect, c**2, Complex("1+2i") == Complex(1, 2), c.rectangular.inspect, Complex.polar(1, Math::PI / 2).real.round(5), c == Complex(3.0, 4), 2i * 2i, c.inspect, c.to_s
puts 0b1011.to_s(2), 0xff & 0x0f, 5 | 2, 6 ^ 3, ~0, 1 << 40, -1 >> 3, 13.digits(2).inspect, 13.to_s(2).count("1"), 6[0], 6[1], 2**100, (2**64 - 1).bit_length, (2**100).to_s(36), -255.to_s(16), 0o17, 10.pow(20, 1_000_007), (1 << 65) % 1000, [1, 2].pack("s>l<").unpack("s>l<").inspect, [65, 66].pack("U*"), ["616263"].pack("H*"), "abc".unpack1("H*"), [1.5].pack("g").bytes.inspect, ["abc"].pack("m0"), "YWJj".unpack1("m"), [1, 300].pack("w*").bytes.inspect, "abc".sum
Random.srand(42)
a = [rand, rand(100), rand(1..6), [1, 2, 3, 4, 5].shuffle, [1, 2, 3].sample, Random.rand(10)]
Random.srand(42)
b = [rand, rand(100), rand(1..6), [1, 2, 3, 4, 5].shuffle, [1, 2, 3].sample, Random.rand(10)]
puts a == b, a.inspect
rng = Random.new(1234)
puts rng.rand, rng.rand(50), rng.rand(2.5), rng.bytes(4).bytes.inspect, rng.seed, Random.new(5).rand(1.0..2.0), (1..10).to_a.shuffle(random: Random.new(7)).inspect, [1, 2, 3, 4].sample(2, random: Random.new(3)).inspect, Array.new(5) { rng.rand(1..6) }.inspect
puts Random.rand(1.0).between?(0, 1), Random.new_seed.class, Kernel.rand(3).between?(0, 2)
puts 0.1 + 0.2 == 0.3, (0.1 + 0.2 - 0.3).abs < Float::EPSILON, 1.0.nan?, (0.0 / 0).nan?, 1 / 0.0, -1.0 / 0, 0.1.next_float
puts 10.0.to_s, 1e2.to_i, 1.0.eql?(1), 1 == 1.0, 1.equal?(1), 1.hash == 1.0.hash, 3.7.divmod(1.2).inspect, -5.abs, 5.0.floor, 1e3.to_s, 12.5.modulo(5), 100.clamp(..50), 5.between?(1, 10), 4.2 % 2, 0.5.round, 1.5.round, -1.5.round, 1e23, 9007199254740993.0, 4.35 * 100, 1.1 * 3, 1.15.round(1), 1.25.round(1), 1.35.round(1), 2.675.round(2)
puts Integer::MAX rescue puts "no MAX"
puts Math.sqrt(2), Math::E, Math.sin(1), Math.atan2(1, 2), Math.log(10), Math.exp(1.5), Math.hypot(3, 4), Math.gamma(5), Math.erf(0.5), 10.0**-3, 2**0.5, 8**(1.0 / 3), Math.log10(1000), Math.tan(0.5), Math.sinh(1), Math.acos(0.3)
begin
  Math.sqrt(-1)
rescue Math::DomainError => e
  puts e.message
end
puts 5.coerce(2.5).inspect, 3.14.to_i, "0.1".to_r, 255.chr.bytes.inspect, 8364.chr("UTF-8"), 3.ceil(-1), 1234.5678.floor(2)
