require "optparse"
require "optparse/time"
require "shellwords"
Options = Struct.new(:verbose, :name, :count, :list, :level, :time)
def parse(line)
  options = Options.new(false, "x", 1, [], :low)
  parser = OptionParser.new do |opts|
    opts.banner = "Usage: tool [options] FILE"
    opts.separator ""
    opts.on("-v", "--[no-]verbose", "Run verbosely") { |v| options.verbose = v }
    opts.on("-n", "--name NAME", String, "The name") { |v| options.name = v }
    opts.on("-c", "--count N", Integer, "How many") { |v| options.count = v }
    opts.on("--list A,B", Array, "A list") { |v| options.list = v }
    opts.on("--level LEVEL", %i[low mid high], "Level") { |v| options.level = v }
    opts.on("--time TIME", Time, "When") { |v| options.time = v }
    opts.on("-h", "--help", "Show help") { puts opts; return nil }
  end
  rest = parser.parse(Shellwords.split(line))
  [options.to_a.compact, rest]
rescue OptionParser::ParseError => e
  "#{e.class}: #{e.message}"
end
["-v -n 'two words' -c 3 file.txt", "--no-verbose --list a,b,c --level mid", "--count many", "--bogus", "-n", "--help", "--level huge", "a -- -v b", "--cou=7 --nam=abbr", "--time 2020-01-01T00:00:00Z"].each { |line| puts parse(line).inspect }
into = {}
OptionParser.new { |o| o.on("-a"); o.on("--bee V") ; o.on("-d", "--dry-run") }.parse!(%w[-a --bee 5 rest --dry-run], into: into)
puts into.map { |k, v| "#{k}=#{v}" }.join(" ")
puts ["it's", "a b", ""].shelljoin, "a\\ b 'c d' \"e\"".shellsplit.inspect, Shellwords.escape("x$y")
puts ARGV.inspect, ARGF.class, $PROGRAM_NAME == __FILE__
