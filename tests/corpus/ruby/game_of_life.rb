grid = [".....", "..#..", "..#..", "..#..", "....."].map(&:chars)
step = lambda do |g|
  g.each_with_index.map do |row, y|
    row.each_with_index.map do |cell, x|
      n = [-1, 0, 1].product([-1, 0, 1]).count { |dy, dx| (dy != 0 || dx != 0) && (0...5) === y + dy && (0...5) === x + dx && g[y + dy][x + dx] == "#" }
      n == 3 || (n == 2 && cell == "#") ? "#" : "."
    end
  end
end
3.times do
  puts grid.map(&:join), "-" * 5
  grid = step.(grid)
end
