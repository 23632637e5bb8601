puts (1..50).reduce(:*), 2**200 - 1, (10**40).to_s.size, 3**100 % 1000, (2**100).digits.sum, (2**64).to_s(16), -(2**70) / 3, (2**70) % -7, (5**60).bit_length
puts 123456789**5, (10**30).gcd(6**30), Integer.sqrt(10**40), (10**20).pow(3, 10**9 + 7), 2**100 > 1e30, (2**80).to_f, 10**25 == 1e25, (10**20).fdiv(10**18)
puts "123456789012345678901234567890".to_i + 1, 0xffffffffffffffffff, (1 << 100) >> 98, ~(2**65), (2**65) & (2**66 - 1), (7**77).to_s.reverse[0, 10]
def pi_digits(n)
  q, r, t, k, m, x = 1, 0, 1, 1, 3, 3
  out = []
  while out.size < n
    if 4 * q + r - t < m * t
      out << m
      q, r, m = 10 * q, 10 * (r - m * t), (10 * (3 * q + r)) / t - 10 * m
    else
      q, r, t, k, m, x = q * k, (2 * q + r) * x, t * x, k + 1, (q * (7 * k + 2) + r * x) / (t * x), x + 2
    end
  end
  out.join
end
puts pi_digits(50)
