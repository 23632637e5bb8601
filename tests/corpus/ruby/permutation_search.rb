# SEND + MORE = MONEY by search, with pruning on the leading digits.
letters = %w[D E Y N R O S M]
digits = (0..9).to_a - [1]
solution = nil
(digits).permutation(4) do |d, e, n, r|
  y = (d + e) % 10
  carry = (d + e) / 10
  next unless (n + r + carry) % 10 == e && ![d, e, n, r].include?(y) && y != 1
  carry = (n + r + carry) / 10
  (digits - [d, e, n, r, y]).permutation(2) do |o, s|
    next if s.zero? || (e + o + carry) % 10 != n
    rest = (e + o + carry) / 10
    next unless s + 1 + rest == 10 + o
    solution = { "D" => d, "E" => e, "Y" => y, "N" => n, "R" => r, "O" => o, "S" => s, "M" => 1 }
  end
end
puts letters.map { |l| "#{l}=#{solution[l]}" }.join(" ")
word = ->(text) { text.chars.map { |c| solution[c] }.join.to_i }
puts word["SEND"], word["MORE"], word["MONEY"], word["SEND"] + word["MORE"] == word["MONEY"]
