text = "John Smith <john@example.com>, Jane Doe <jane.doe@test.org>"
text.scan(/(\w+) (\w+) <([^>]+)>/) { |first, last, mail| puts "#{last}, #{first}: #{mail}" }
m = /(?<year>\d{4})-(?<month>\d\d)/.match("on 2024-05-06")
puts m[:year], m["month"], m.pre_match, m.post_match, m.begin(0), m.names.inspect, m.captures.inspect, m.named_captures.keys.inspect
if /(?<a>\d+)\s*(?<op>[+*])\s*(?<b>\d+)/ =~ "12 * 3"
  puts a.to_i.send(op, b.to_i)
end
puts $~[0], $1, Regexp.last_match(2), "abc" =~ /c/, "abc" !~ /d/, "aaa".gsub(/a/).with_index { |_, i| i.to_s }
puts "2024-01-02".sub(/(\d+)-(\d+)-(\d+)/, '\3/\2/\1'), "foo bar".gsub(/o/, "o" => "0"), "path/to".tr("/", "\\")
puts "a1b22".scan(/[a-z]\d+/).inspect, "x=1;y=2".split(/[=;]/).each_slice(2).to_h.size, "Hello" =~ /hello/i, "a\nb"[/a.b/m].inspect
puts "price: $42".match?(/\$\d+/), Regexp.escape("a.b*c"), Regexp.union("a", /b/).source, /a b # c/x.match("ab")[0]
puts "foobar".match(/foo(?=bar)/)[0], "foobaz".match(/foo(?!bar)/)[0], "price 100".slice(/(?<=price )\d+/), "aXbX".rpartition("X").inspect
puts "ééa".scan(/\p{L}/).size, "tel 555-1234" [/\d+-\d+/], "((a)(b))".count("("), "abab".gsub(/(ab)\1/, "z"), "foo.bar(baz)".scan(/\w+/).inspect
puts "one two".gsub(/(?<f>\w+) (?<s>\w+)/, '\k<s> \k<f>'), "test123abc".partition(/\d+/).inspect, "CSV,line".split(",", 2).inspect
