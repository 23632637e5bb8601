def solve(n, row = 0, cols = [], found = [])
  return found << cols.dup if row == n
  n.times do |c|
    next if cols.each_with_index.any? { |q, r| q == c || (q - c).abs == row - r }
    solve(n, row + 1, cols + [c], found)
  end
  found
end
solutions = solve(6)
puts solutions.size, solutions.first.inspect
solutions.first.each { |c| puts ("." * 6).tap { |s| s[c] = "Q" } }
puts solve(7).size
