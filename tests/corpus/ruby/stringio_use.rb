require "stringio"
io = StringIO.new
io.puts "a", [1, [2]]
io.print "x", "y"
io << "z\n"
io.printf("%d-%s\n", 1, "q")
puts io.string
r = StringIO.new("line1\nline2\n\nline4")
puts r.gets.inspect, r.read(3), r.getc, r.readlines.inspect, r.eof?, r.gets.inspect
r.rewind
puts r.each_line.map(&:chomp).inspect, r.pos
old = $stdout
$stdout = StringIO.new
puts "captured"
text = $stdout.string
$stdout = old
puts "got #{text}"
$stderr = StringIO.new
warn "hidden"
puts $stderr.string
$stderr = STDERR
