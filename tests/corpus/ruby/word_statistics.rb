# Word statistics over text in DATA, as a report.
Entry = Struct.new(:word, :count) do
  def bar(width, most) = "#" * (count * width / most)
end

text = DATA.read
words = text.downcase.scan(/[a-z']+/)
stop = %w[the a of and to in is it]
counts = words.reject { |w| stop.include?(w) }.tally
entries = counts.map { |w, n| Entry.new(w, n) }.sort_by { |e| [-e.count, e.word] }
most = entries.first.count
entries.first(5).each { |e| puts format("%-8s %2d %s", e.word, e.count, e.bar(12, most)) }
sentences = text.split(/(?<=[.!?])\s+/)
puts "sentences: #{sentences.size}", "longest: #{sentences.max_by(&:length).split.size} words"
puts "average: #{(words.sum(&:length).to_f / words.size).round(2)}"
by_length = words.uniq.group_by(&:length).sort.to_h.transform_values(&:sort)
by_length.each { |length, list| puts "#{length}: #{list.first(3).join(" ")}#{" …" if list.size > 3}" }
index = Hash.new { |h, k| h[k] = [] }
text.each_line.with_index(1) { |line, n| line.downcase.scan(/\w+/) { |w| index[w] |= [n] } }
puts index.select { |_, lines| lines.size > 2 }.map { |w, lines| "#{w}@#{lines.join("/")}" }.sort.join(" ")
puts words.each_cons(2).tally.max_by { |pair, n| [n, pair.join] }.inspect
puts text.lines.map(&:chomp).map { |l| l.center(44).rstrip }.first(2), text.squeeze(" ").tr("a-z", "b-za").lines.first
longest = words.uniq.select { |w| w.chars.uniq.size == w.size }.max_by { |w| [w.size, w] }
puts longest, words.uniq.select { |w| w == w.reverse && w.size > 1 }.inspect, words.map { |w| w.chars.sort.join }.tally.count { |_, n| n > 1 }
__END__
The quick brown fox jumps over the lazy dog.
It is the dog's day! A fox is a fox, and the dog is lazy.
Did the quick dog see the level fox? No one noticed it.
The brown dog dreams of the quick fox and of the day.
