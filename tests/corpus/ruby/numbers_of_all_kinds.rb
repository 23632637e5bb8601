# Numbers of all kinds, ranges, sets and bits.
require "set"
require "prime"
require "bigdecimal"
require "bigdecimal/util"
require "matrix"

p 10.digits, 3.14.truncate, -7.divmod(2), 7.pow(100, 13), 2**200, 0b1010 ^ 0x0f, ~5, 1 << 40, 255.to_s(16).rjust(4, "0")
p 10.0 / 3, 1e23, 1.23456789012345e-7, 100.0.to_s, 1e15, 1e16, 0.1 + 0.2, 2.0**0.5, -0.0, 5.0.floor, 1.5.round, 2.5.round, -1.5.round, 1234.567.round(-2), 1234.567.round(1)
p Float::INFINITY > 10**400, 0.0 / 0.0, (0.0 / 0.0).nan?, 3.7 % 1, -3.7.abs, 3.999.to_i, Float::EPSILON, Float::MAX, Float::DIG
p Rational(3, 4) + 1, 0.75.to_r, 1.5.rationalize, Rational("2/3") * 1.5, 3.to_r, Complex("1+2i").abs2, Complex(3, 4).abs, Complex(1, 1)**2
p Integer("0x1f", 16), Integer("42", exception: false), Integer("4x", exception: false).inspect, "12abc".to_i, "3.7xyz".to_f, "1_000".to_i
p Prime.first(8), 360.prime_division, 97.prime?, Prime.each(20).sum, 12.lcm(18), 12.gcd(18), Math.hypot(3, 4), Math.cbrt(27), Math.log(8, 2), Math.log10(1000), Math::PI.round(5)
p BigDecimal("0.1") + BigDecimal("0.2") == BigDecimal("0.3"), BigDecimal("1.23E+3").to_i, BigDecimal("12.3456").round(2).to_s("F"), "1.10".to_d.to_s, BigDecimal("1").div(3, 5).to_s
p Matrix[[1, 2], [3, 4]].determinant, Matrix[[2, 0], [0, 2]].inverse, Vector[1, 2].inner_product(Vector[3, 4]), Matrix.identity(2) * Matrix[[5], [6]]
p (1..10).step(4).to_a, (1...10).size, ("a".."e").include?("c"), (1..).first(2), (..5).include?(3), 1.step(2, 0.5).to_a, 10.downto(7).to_a, (1..3).sum, (1..10) % 3, ("aa".."ad").to_a
a, b = Set[3, 1, 2], Set.new([2, 3, 5])
p (a & b).sort, (a | b).sort, (a - b).sort, (a ^ b).sort, a.subset?(Set[1, 2, 3, 4]), a.add?(1), a.add?(9).class, a.disjoint?(b), a === 3
p [1, 2, 3, 4].sum.fdiv(4), [1, 2, 3, 4].minmax, [3, 1, 2].sort { |x, y| y <=> x }, [1, 2, 3, 4, 5].each_cons(2).map { |x, y| y - x }, (1..6).each_slice(2)
p 5.between?(1, 10), 15.clamp(..10), 5 <=> "x", 1 == 1.0, 1.eql?(1.0), 1.equal?(1), 3.zero?, 0.zero?, 5.pred, 5.succ, 65.chr, "A".ord, 3.times.to_a
p [0.1] * 3, [1, 2] * ",", [1, 2, 3].each_entry.to_a, [4, 5].each.with_index(1).to_a, [1, nil, 2].compact, [1, [2, [3, [4]]]].flatten(1)
p 1234567.89.to_s.reverse.scan(/\d{1,3}/).size, 1234567.to_s.gsub(/(\d)(?=(\d{3})+$)/, '\1,'), "%.10g|%+08.3f|%#x|%-6s|%06d|%s" % [1e10 / 3, 3.14159, 255, "ab", -42, [1, nil]]
p rand(1.0).class, Random.new(42).rand(100), Random.new(42).bytes(2).bytes, [1, 2, 3, 4, 5].shuffle(random: Random.new(1)), [1, 2, 3].sample(random: Random.new(3)), Random.rand(3).between?(0, 2)
Integer("twelve")
