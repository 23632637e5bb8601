text = <<~TEXT
  The quick brown fox jumps over the lazy dog.
  The dog sleeps; the fox does not.
TEXT
counts = text.downcase.scan(/[a-z]+/).tally
counts.sort_by { |word, n| [-n, word] }.first(5).each { |word, n| puts format("%-6s %3d", word, n) }
puts counts.values.sum
puts counts.max_by { |_, n| n }.first
