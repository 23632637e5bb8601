from fractions import Fraction
import math
print(Fraction(1, 3) + Fraction(1, 6), Fraction("0.125"), Fraction(3.5).limit_denominator(10), Fraction(7, 3).__floor__())
print(math.gcd(48, 18), math.lcm(4, 6), math.comb(10, 3), math.perm(5, 2), math.factorial(20), math.isqrt(99))
print(round(math.pi, 5), math.floor(-1.5), math.ceil(1.2), math.isclose(0.1 + 0.2, 0.3), math.prod([1, 2, 3, 4]), math.log2(1024), math.hypot(3, 4))
print(math.inf > 10**308, math.nan != math.nan, math.copysign(1, -0.0), math.fsum([0.1] * 10), math.dist((0, 0), (3, 4)))
