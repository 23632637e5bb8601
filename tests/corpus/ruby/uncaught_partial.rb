puts "before"
puts [1, 2, 3].map { |x| x * 2 }.inspect
$stderr.puts "going wrong"
raise ArgumentError, "deliberate"
