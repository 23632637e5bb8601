puts 7 / 2, -7 / 2, 7 % 3, -7 % 3, 7.fdiv(2), 7.divmod(-2).inspect, 2**10, 2**-1, 2**0.5
puts 10.digits.inspect, 255.to_s(2), 255.to_s(16), "ff".to_i(16), 0b101, 0o17, 0xff, 1_000_000
puts 3.7.floor, 3.2.ceil, 3.5.round, 4.5.round, -3.7.truncate, 3.14159.round(2), 1234.round(-2), 2.5.round(half: :even)
puts 1e20.to_i, 1e3, 1.0, 1e16, 1e15, 1e-5, 0.0001, 100.0, 123456789.123456789, 0.1 + 0.2, 1.23e-10
puts 10.clamp(1, 5), 5.between?(1, 10), 5.pred, 5.succ, -5.abs, 5.0.to_i, 3.zero?, 0.zero?, 6.bit_length
puts Integer.sqrt(50), Math.sqrt(16), Math::PI.round(5), Math.hypot(3, 4), Math.log(Math::E), Math.log2(8), Math.cbrt(27)
puts 2**100, (2**64).class, 100.digits.sum, 30.downto(28).to_a.inspect, (1..20).reduce(:*), 12345678901234567890 * 98765432109876543210
puts Rational(3, 4) + Rational(1, 4), 0.75.to_r, Rational("2/3") * 3, 3.to_r, 1r / 3, Complex(1, 2) * Complex(3, -1), Complex(3, 4).abs
puts 5 & 3, 5 | 3, 5 ^ 3, ~5, 1 << 10, -16 >> 2, 5[0], 10.pow(3, 7), 17.to_s.rjust(5, "0")
puts 1 <=> 2, 1 == 1.0, 1.eql?(1.0), 1.equal?(1), 0.1 + 0.2 == 0.3, (0.1 + 0.2 - 0.3).abs < Float::EPSILON
puts Float::MAX, Float::MIN, Float::INFINITY, Float::DIG, Integer::MAX rescue puts "no Integer::MAX"
puts 1234567.89.to_s.reverse.scan(/\d{1,3}/).size, 1234567.to_s.gsub(/(\d)(?=(\d{3})+$)/, '\1,')
puts 3.times.to_a.inspect, 1.upto(4).sum, 10.gcd(4), 0.1.rationalize(Rational(1, 100)), 3.7 % 1, -7.remainder(3), 7.pow(2)
puts "%.10f" % 0.1, "%g" % 1e10, "%g" % 123.456, "%e" % 0.00012, "%b" % 10, "%+.1f" % -0.05, "%5.1f|%-5d|" % [2.25, 3]
