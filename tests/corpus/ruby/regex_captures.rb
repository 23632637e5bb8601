log = <<~LOG
  2024-01-15 10:30:45 [ERROR] db: Connection lost (code=500)
  2024-01-15 10:31:00 [INFO] web: GET /index.html 200
  bad line
  2024-01-16 00:00:01 [WARN] db: Slow query (code=12)
LOG
LINE = /^(?<date>\d{4}-\d\d-\d\d) (?<time>[\d:]+) \[(?<level>\w+)\] (?<source>\w+): (?<text>.*)$/
log.each_line do |line|
  if (m = LINE.match(line))
    puts "#{m[:level].ljust(5)} #{m[:source]} #{m["text"]} #{m.begin(:level)} #{m.names.size}"
  else
    puts "skipped: #{line.chomp.inspect}"
  end
end
if /(?<year>\d+)-(?<mon>\d+)/ =~ log
  puts year, mon, $~[0], $1, $`.size, $'.lines.first
end
puts log.scan(/code=(\d+)/).flatten.inspect, log.scan(/\d{2}:\d{2}/).tally.size, log[/\[(\w+)\]/, 1], log =~ /ERROR/, log.match?(/nothing/)
puts "John Smith".sub(/(\w+) (\w+)/, '\2, \1'), "a1b22".gsub(/\d+/) { |n| (n.to_i * 2).to_s }, "cat hat".gsub(/[ch]at/, "cat" => "dog", "hat" => "cap"), "hello".gsub(/l/, "l" => "L"), "x-y_z".tr("-_", "  "), "path/to".gsub("/", "::"), "aaa".sub("a") { $&.upcase }, "CamelCaseString".gsub(/([A-Z])/) { "_#{$1.downcase}" }.delete_prefix("_"), "snake_case_here".split("_").map.with_index { |w, i| i.zero? ? w : w.capitalize }.join, "2+2".gsub(/\+/, '\\\\+'), "a.b".gsub(".", "-"), 'it\'s'.gsub("'", "\\\\'")
puts "one  two\tthree".split.inspect, "a,b;c".split(/[,;]/).inspect, "a1b2".split(/(\d)/).inspect, "abc".split("").inspect, "k=v=w".split("=", 2).inspect, ",a,,".split(",").inspect, ",a,,".split(",", -1).inspect, "a b".partition(" ").inspect, "a.b.c".rpartition(".").inspect, "l1\nl2\r\nl3".lines.map(&:chomp).inspect, "aXbX".each_char.slice_when { |a, _| a == "X" }.map(&:join).inspect
puts "foobar"[/o+/], "foobar"[1..3], "foobar"[-3..], "foobar"[10].inspect, "%s" % "foo".match(/(o)(x)?/).captures.inspect, "foo bar".match(/(?<a>\w+) (?<b>\w+)/).named_captures.values.inspect, "test123abc".slice(/[a-z]+(?=\d)/), "price: $45" =~ /\$(?<amount>\d+)/, $~[:amount]
puts "ünïcödé".scan(/\p{L}/).length, "日本語 text".scan(/\p{Han}+/).inspect, "a\nb" =~ /a.b/m, "ABC" =~ /b/i, "x y".match?(/x\ y/x), Regexp.escape("a.b*c?"), Regexp.union("a.b", /c|d/).source, Regexp.new("h(.)llo", Regexp::IGNORECASE).match("HELLO")[1], /a(?!b)/.match("abac").begin(0), /(?<=\$)\d+/.match("$99")[0], "aaa".gsub(/(?<first>a)/, '<\k<first>>'), "foo.bar(baz)".scan(/\w+|[.()]/).inspect, "aabbcc".squeeze, "aabbcc".squeeze("b"), "hello world".count("lo"), "hello".delete("l"), "hello".index("l"), "hello".rindex("l"), "hello" <=> "help", "a".succ, "az".next, "zz".succ, "a9".succ, "Zz".succ
case "user@example.com"
when /\A[\w.]+@(?<domain>[\w.]+)\z/ then puts "mail at #{$~[:domain]}"
end
puts %w[apple banana cherry].grep(/an/).inspect, %w[a1 b c2].grep_v(/\d/).inspect, %w[x1 y2].grep(/(\d)/) { $1.to_i }.sum, "1,2;3".tr(";", ",").split(",").sum(&:to_i), "ab12cd".delete("^0-9"), "hello world foo".split.map(&:capitalize).join(" "), "%d%%" % 5
