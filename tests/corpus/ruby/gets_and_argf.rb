line = gets
puts line.inspect, $stdin.read.inspect, STDIN.eof?, ARGV.inspect, $stdin.each_line.to_a.inspect
while (l = gets)
  puts l
end
puts $stdout.tty?.inspect, STDIN.fileno, $stdout.fileno, $stderr.fileno
