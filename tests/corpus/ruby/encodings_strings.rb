s = "héllo wörld ñ 日本 😀"
puts s.length, s.bytesize, s.reverse, s.upcase, s.capitalize, s.swapcase, s.encoding, s.valid_encoding?, s.ascii_only?, s.chars.last, s.bytes.first(3).inspect, s.codepoints.last, s.unicode_normalize(:nfd).length, s[0..4], s.byteslice(0, 3), s.each_grapheme_cluster.count, s.center(30, "*"), s.index("w")
latin = "caf\xe9".dup.force_encoding("ISO-8859-1")
puts latin.encode("UTF-8"), latin.bytesize, latin.encode("UTF-8").bytesize, "é".encode("ISO-8859-1").bytes.inspect, "日本".encode("Shift_JIS").bytes.inspect, "日本".encode("EUC-JP").bytesize, "x".encode("UTF-16LE").bytes.inspect, "x".encode("UTF-16").bytes.inspect, Encoding.default_external, __ENCODING__
bad = "abc\xffdef"
puts bad.valid_encoding?, bad.scrub("?"), bad.scrub { |b| "<#{b.unpack1("H*")}>" }, bad.inspect, bad.unicode_normalize rescue puts $!.class, $!.message
begin
  "é".encode("US-ASCII")
rescue Encoding::UndefinedConversionError => e
  puts e.message
end
begin
  "\xff".encode("UTF-16")
rescue Encoding::InvalidByteSequenceError => e
  puts e.message
end
puts "é😀".encode("US-ASCII", invalid: :replace, undef: :replace, replace: "?"), "é".encode("US-ASCII", fallback: { "é" => "e" }), "<é>".encode("US-ASCII", xml: :text)
begin
  "é" + "\xe9".dup.force_encoding("ISO-8859-1")
rescue Encoding::CompatibilityError => e
  puts e.message
end
puts "abc".force_encoding("BINARY").encoding rescue puts $!.class
puts "\u00e9" == "e\u0301", "\u00e9" == "e\u0301".unicode_normalize, "ß".upcase, "İ".downcase.length, "ÀÉ".downcase, "straße".casecmp?("STRASSE"), "a".casecmp("B"), "é".ord, "\x41\u{1F600 42}\t".inspect, 'raw\n#{x}'.inspect, "tab\there".dump, "\e[0m".inspect, "\u200b".inspect, "é".dump, "\#{x}", "a\\b", :"odd sym".inspect, :"a=".inspect, "\0".inspect
puts "%c" % 233, "é".unpack("U*").inspect, [233].pack("U"), "é".b.inspect, "é".b.length, "é".hash == "é".dup.hash, "abc".each_byte.sum, "été".tr("é", "e"), "été".delete("é"), "naïve café".split(/\s/).map(&:capitalize).join(" "), "ÑAÑA".squeeze, "日本語".ljust(5, "*"), "日本語".rjust(6), "😀".bytes.size, "😀".encode("UTF-16BE").unpack("n*").map { |n| n.to_s(16) }.inspect, "e\u0301".chars.size, "e\u0301".grapheme_clusters.size, "ab".encode("UTF-32LE").bytesize
str = +"mutable"
str << " string" << 33
str.insert(0, ">> ").concat("a", "b").prepend("[")
str[-1] = "]"
str["mutable"] = "changed"
puts str, str.frozen?, "lit".frozen?, :a.to_s.frozen?, String.new.encoding, str.slice!(0, 4), str, str.replace("new"), str.clear.empty?, str.object_id == str.itself.object_id
CONST = "frozen".freeze
begin
  CONST << "x"
rescue FrozenError => e
  puts e.message, e.receiver
rescue => e
  puts e.class
end
copy = CONST.dup
copy << "!"
puts copy, CONST.clone.frozen?, CONST.dup.frozen?, CONST.clone(freeze: false).frozen?, [1, 2].freeze.map { |n| n + 1 }.frozen?
heredoc = <<-ONE + <<~'TWO'
    keeps #{1 + 1} indent
    ONE
  raw #{not} interpolated
    deeper
TWO
puts heredoc
puts "a".."e", ("a".."e").include?("c"), ("aa".."ad").to_a.inspect, "a" * 3, "abc" <=> "abd", "a" == :a.to_s, "abc".eql?("abc"), "abc".equal?("abc"), "hello world".sub("o", "0"), "hello"[1], "hello"[1, 3], "hello"[1..], "hello"[-2..], "title case here".split.map(&:capitalize).join(" "), "a-b_c d".split(/[-_ ]/).inspect, "hello %s you are %d" % ["Al", 5], "abc".start_with?("ab"), "abc".end_with?("bc", "x"), "  trim ".strip + "|", "xxhixx".gsub(/^x+|x+$/, ""), "abc".chars.each_slice(2).map(&:join).inspect, "line\n".chomp, "abc".chop, "a,b".tr(",", "\n"), "abc".prepend(">"), "hello".sum, "ab\n".inspect, "snake_case".split("_").collect(&:capitalize).join, "AbC".swapcase, "ab".ljust(4, ".") + "|", "3 apples".to_i, "0x1A".hex, "777".oct, "abc".unpack("a1 a*").inspect, "é".bytes.map { |b| b.to_s(2) }.join(" "), "hello".each_char.with_index.map { |ch, i| i.even? ? ch.upcase : ch }.join, "racecar" == "racecar".reverse, "The quick".scan(/\w/).length, "aAbB".downcase.chars.tally.values.inspect, "abc".succ, "hello".tr("a-y", "b-z")
