fib = Hash.new { |memo, n| memo[n] = n < 2 ? n : memo[n - 1] + memo[n - 2] }
puts fib[90]
puts (0..10).map { |n| fib[n] }.join(" ")
def fib_iter(n) = n.times.reduce([0, 1]) { |(a, b), _| [b, a + b] }.first
puts fib_iter(150)
