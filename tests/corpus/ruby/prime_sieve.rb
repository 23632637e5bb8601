def sieve(n)
  flags = Array.new(n + 1, true)
  flags[0] = flags[1] = false
  (2..Math.sqrt(n)).each { |i| (i * i).step(n, i) { |j| flags[j] = false } if flags[i] }
  flags.each_index.select { |i| flags[i] }
end
primes = sieve(1000)
puts primes.size, primes.last(3).inspect, primes.each_cons(2).count { |a, b| b - a == 2 }
def factors(n, d = 2, found = [])
  return found << n if d * d > n
  (n % d).zero? ? factors(n / d, d, found << d) : factors(n, d + 1, found)
end
puts factors(360360).inspect, factors(97).inspect, 48.gcd(18), 4.lcm(6), 2.pow(100, 97)
