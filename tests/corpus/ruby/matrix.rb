def multiply(a, b) = a.map { |row| b.transpose.map { |col| row.zip(col).sum { |x, y| x * y } } }
def identity(n) = Array.new(n) { |i| Array.new(n) { |j| i == j ? 1 : 0 } }
def power(m, n) = n.zero? ? identity(m.size) : n.even? ? power(multiply(m, m), n / 2) : multiply(m, power(m, n - 1))
def determinant(m)
  return m[0][0] if m.size == 1
  m[0].each_with_index.sum { |v, j| (-1)**j * v * determinant(m[1..].map { |r| r[0...j] + r[j + 1..] }) }
end
m = [[1, 2], [3, 4]]
puts multiply(m, m).inspect, power([[1, 1], [1, 0]], 30)[0][1], determinant([[2, 0, 1], [1, 3, 2], [1, 1, 1]])
puts m.transpose.inspect, m.map { |r| r.map { |x| x.to_s.rjust(3) }.join }.join("\n")
