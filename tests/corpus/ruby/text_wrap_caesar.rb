def wrap(text, width) = text.gsub(/(.{1,#{width}})(\s+|\Z)/, "\\1\n")
puts wrap("The quick brown fox jumps over the lazy dog and runs away from it", 20)
def caesar(text, shift)
  text.gsub(/[a-z]/) { |c| ((c.ord - 97 + shift) % 26 + 97).chr }.gsub(/[A-Z]/) { |c| ((c.ord - 65 + shift) % 26 + 65).chr }
end
secret = caesar("Hello, World!", 3)
puts secret, caesar(secret, -3), "hello".tr("a-y", "b-z"), "Hello".tr("A-Za-z", "N-ZA-Mn-za-m")
def rle(s) = s.gsub(/(.)\1*/) { "#{$&.size}#{$1}" }
def unrle(s) = s.gsub(/(\d+)(.)/) { $2 * $1.to_i }
puts rle("aaabccdddd"), unrle(rle("aaabccdddd"))
def palindrome?(s) = s.downcase.delete("^a-z").then { |t| t == t.reverse }
puts palindrome?("A man, a plan, a canal: Panama"), palindrome?("no")
def roman(n) = { 1000 => "M", 900 => "CM", 500 => "D", 400 => "CD", 100 => "C", 90 => "XC", 50 => "L", 40 => "XL", 10 => "X", 9 => "IX", 5 => "V", 4 => "IV", 1 => "I" }.reduce("") { |s, (v, r)| s + r * (n / v).tap { n %= v } }
puts roman(1994), roman(2024), %w[listen silent enlist google].group_by { |w| w.chars.sort.join }.values.inspect
def levenshtein(a, b)
  d = (0..b.size).to_a
  a.each_char.with_index(1) do |ca, i|
    prev, d[0] = d[0], i
    b.each_char.with_index(1) { |cb, j| prev, d[j] = d[j], [d[j] + 1, d[j - 1] + 1, prev + (ca == cb ? 0 : 1)].min }
  end
  d.last
end
puts levenshtein("kitten", "sitting"), levenshtein("", "abc")
