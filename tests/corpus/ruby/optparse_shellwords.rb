require "optparse"
require "shellwords"
options = { verbose: false }
parser = OptionParser.new do |o|
  o.banner = "Usage: prog [options]"
  o.on("-v", "--[no-]verbose", "Run verbosely") { |v| options[:verbose] = v }
  o.on("-n", "--num N", Integer, "A number") { |n| options[:num] = n }
  o.on("--list A,B", Array) { |l| options[:list] = l }
end
rest = parser.parse(%w[-v --num 5 file --list x,y z])
puts options.values.inspect, rest.inspect, parser.help
begin
  parser.parse(%w[--num abc])
rescue OptionParser::InvalidArgument => e
  puts e.message
end
begin
  parser.parse(%w[--nope])
rescue OptionParser::InvalidOption => e
  puts e.message.lines.first
end
puts "a 'b c' d\\ e".shellsplit.inspect, Shellwords.escape("it's"), %w[a b\ c].shelljoin
