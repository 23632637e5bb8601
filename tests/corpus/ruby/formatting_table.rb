items = [["Widget", 4, 3.5], ["Gadget long name", 10, 12.25], ["Nut", 1000, 0.05]]
width = items.map { |n, *| n.size }.max
line = "+-#{"-" * width}-+------+----------+"
puts line
items.each { |n, q, p| puts "| #{n.ljust(width)} | #{q.to_s.rjust(4)} | #{format("%8.2f", p)} |" }
puts line, format("Total: %.2f", items.sum { |_, q, p| q * p })
printf("%-10s|%5s|%05.1f|%x|%c|%%|%3$s\n", "left", "right", 3.14159) rescue puts "mixed"
puts format("%<a>05d %{b}", a: 42, b: "x"), "%s" % nil.inspect, "%p" % [nil], "%-5s|" % "ab", "%+05d" % 42, "%#x" % 255, "%08b" % 37
puts 1234567.89.round(1).to_s, 12.to_s.rjust(6, "."), "=" * 10, "abc".center(9).inspect, "%3d%%" % 50, "%s, %s" % %w[a b]
puts [1, 22, 333].map { |n| n.to_s.rjust(5) }.join, "a\tb".expand_tabs rescue puts "no expand_tabs"
