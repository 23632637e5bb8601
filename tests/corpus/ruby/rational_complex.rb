a = Rational(1, 3)
puts a + Rational(1, 6), a * 3, a**2, a.to_f.round(4), a.numerator, a <=> 0.3, 3.to_r / 4, 0.5.to_r, "1/3".to_r, a.floor, a.ceil, a.round(2), Rational(7, 2).truncate, 1.5.rationalize
c = Complex(3, 4)
puts c.abs, c.conjugate, c * Complex(0, 1), c.real, c.imaginary, c == Complex("3+4i"), c.rectangular.inspect, Complex(1, 1)**2, c - 1, c / 2
puts [Rational(1, 2), Rational(1, 3), Rational(1, 4)].sum, (1..10).sum { |n| Rational(1, n) }, 1.quo(3), 2 ** Rational(1, 2)
