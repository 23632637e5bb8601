printf("%5d|%-5d|%05d|%+d|% d\n", 42, 42, 42, 42, 42)
printf("%x %X %#x %o %b %#b %e %g %g\n", 255, 255, 255, 8, 5, 5, 12345.678, 0.00001, 1e10)
printf("%8.3f|%-8.2f|%08.2f|%.0f|%.10g\n", 3.14159, 2.5, -1.5, 2.5, 1.0 / 3)
printf("%s|%10s|%-10s|%.2s|%p|%%|%c%c\n", "str", "right", "left", "cut", :sym, 65, "z")
puts format("%<name>s is %<age>d years and %<height>.1f", name: "Al", age: 30, height: 1.756)
puts format("%{a}-%{b}", a: 1, b: [2]), "%s and %s" % %w[x y], "%05.1f%%" % 99.55, "%-*s|" % [6, "ab"], "%2$s %1$s" % ["a", "b"]
puts 1234567.89.to_s.reverse.scan(/\d{1,3}/).size, 1234567.to_s.gsub(/(\d)(?=(\d{3})+$)/, '\1,')
puts 12.to_s(2).rjust(8, "0"), "ff".to_i(16), 255.to_s(16), "0b11".to_i(0), "12abc".to_i, "z".ord, 97.chr
puts 3.7 % 1, -7 / 2, -7 % 3, -7.remainder(3), 7.fdiv(2), 7.divmod(-2).inspect, 2**-1, 2**0.5, 10.pow(5, 7)
puts 1e20.to_i, 1e16, 1e15, 123456789.123456789, 1e-5, 0.1 + 0.2, 1.23e-10, 100.0, 1e100, -0.0, 2.0e-7
puts 3.14159.round(2), 3.15.round(1), 2.5.round, 3.5.round, -2.5.round, 2.5.round(half: :even), 1234.567.round(-2), 15.round(-1), 3.999.floor(2), 3.001.ceil(2), 3.7.truncate, 12345.floor(-2)
puts "left".ljust(10, ".") + "|", "mid".center(9, "*"), "%-20s%s" % ["a", "b"], "tab\tsep".expand_tabs rescue puts "no expand_tabs"
puts 10.digits.inspect, 3.zero?, 5.pred, 5.bit_length, 0b1010 & 0b0110, 5 ^ 1, ~5, 1 << 10, -16 >> 2, 6[1], 255.digits(16).inspect
puts Integer("0x1f", 16), Integer("42"), Float("1.5e3"), Integer("z", exception: false).inspect, "3.7abc".to_f, Rational("0.75"), "1/3".to_r, Complex("1+2i")
%w[12a 1__2 nope].each { |text| Integer(text) rescue puts($!.message) }
puts 1_000.to_s.length, 0.1.rationalize(Rational(1, 100)), 3.to_r, 1.5.to_r, 10.gcd(4), 10.lcm(4), 17.clamp(1, 10), Float::MAX, Float::EPSILON, Integer.sqrt(99), Math.cbrt(27), Math.log2(8), Math.log(100, 10)
puts "%.3e" % 0, "%+.2f" % -0.001, "%s" % nil, "%d" % 3.99, "%d" % "12", "%f" % 1, "%5s%-5s|" % [1, 2], "%c" % 10004, "%08b" % 37, "%.2f" % 1e10, "%10.4s|" % "abcdefgh"
