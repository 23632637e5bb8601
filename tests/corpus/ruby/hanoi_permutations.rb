moves = []
hanoi = ->(n, a, b, c) { n.zero? or (hanoi.(n - 1, a, c, b); moves << "#{a}->#{c}"; hanoi.(n - 1, b, a, c)) }
hanoi.(4, "A", "B", "C")
puts moves.size, moves.first(5).join(" ")
def perms(list) = list.size < 2 ? [list] : list.flat_map { |x| perms(list - [x]).map { |p| [x, *p] } }
puts perms(%w[a b c]).map(&:join).inspect
def subsets(list) = list.empty? ? [[]] : subsets(list.drop(1)).flat_map { |s| [s, [list[0]] + s] }
puts subsets([1, 2, 3]).sort.inspect
def change(amount, coins) = amount.zero? ? 1 : amount.negative? || coins.empty? ? 0 : change(amount - coins[0], coins) + change(amount, coins.drop(1))
puts change(50, [25, 10, 5, 1])
def ackermann(m, n) = m.zero? ? n + 1 : n.zero? ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1))
puts ackermann(2, 5)
def collatz(n) = n == 1 ? [1] : [n] + collatz(n.even? ? n / 2 : 3 * n + 1)
puts collatz(27).size
