s = "Hello, World"
puts s.sub("World", "Ruby"), s.tr("lo", "01"), s.center(20, "*"), s.swapcase
puts s.index("o"), s.rindex("o"), s[0, 5], s[-5..], s[/W\w+/]
puts s.each_char.select { |c| c =~ /[[:upper:]]/ }.join, s.bytes.sum, s.succ
puts "a-b_c d".split(/[-_ ]/).inspect, "abc".ljust(5, ".") + "|", "%08.3f|%+d|%x|%o|%e" % [3.14159, 5, 255, 8, 12345.678]
puts "title case here".split.map(&:capitalize).join(" ")
puts "snake_case_word".gsub(/_(\w)/) { $1.upcase }
puts "CamelCaseWord".gsub(/([A-Z])/) { "_" + $1.downcase }.sub(/^_/, "")
puts "ab\n  cd".lines.map(&:strip).inspect, "x".ord, 97.chr, "abc".reverse, "aabbb".squeeze
puts "héllo wörld".length, "héllo".bytesize, "héllo".upcase, "ß".upcase
puts "hello world".count("lo"), "hello".delete("l"), "a,b,,c".split(",", -1).inspect
puts "abc" <=> "abd", "a" * 3, "abc".include?("bc"), "abc".start_with?("ab"), "%s and %p" % ["x", "y"]
puts "line one\nline two".each_line.with_index(1).map { |l, i| "#{i}: #{l.chomp}" }
puts "1,2;3".split(/[,;]/).sum(&:to_i), "0x1f".hex, "777".oct, "12abc".to_i, "3.7xyz".to_f
puts "abc".unpack("C*").inspect, [65, 66].pack("c*"), "hello"[1..3], "hello"[10].inspect
puts "tést".unicode_normalize(:nfd).length, "abc".casecmp?("ABC"), "a".upto("e").to_a.join
