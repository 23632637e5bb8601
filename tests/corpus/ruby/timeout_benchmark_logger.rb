require "timeout"
require "benchmark"
require "logger"
require "stringio"
require "pp"
result = Benchmark.measure { 1000.times { "x" * 10 } }
puts result.class, result.real >= 0, Benchmark.realtime { 1 + 1 }.class
out = StringIO.new
$stdout, before = out, $stdout
Benchmark.bm(7) { |x| x.report("a:") { 1 + 1 }; x.report("b:") { 2 + 2 } }
$stdout = before
puts out.string.lines.first.strip.split.join(" "), out.string.lines.size
begin
  Timeout.timeout(0.1) { sleep 5 }
rescue Timeout::Error => e
  puts e.message
end
puts Timeout.timeout(1) { :quick }
log = StringIO.new
logger = Logger.new(log, progname: "app")
logger.level = Logger::INFO
logger.formatter = proc { |severity, time, progname, message| "#{severity}|#{progname}|#{message}|#{time.class}\n" }
logger.debug("hidden")
logger.info("shown")
logger.warn { "lazy" }
logger.error(StandardError.new("boom").message)
logger.add(Logger::FATAL, "fatal")
logger << "raw\n"
puts log.string, logger.info?, logger.debug?, logger.level
plain = StringIO.new
Logger.new(plain).info("hi")
puts plain.string.sub(/\[.*?\]/, "[..]")
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
sleep 0.2
puts (Process.clock_gettime(Process::CLOCK_MONOTONIC) - start) >= 0.2
PP.pp({ "key" * 5 => ["value" * 10, "other" * 8], list: (1..30).to_a }.values)
pp [1, nil, :sym, "str", 2.5, [], {}]
puts [1, [2, 3]].pretty_inspect
class Custom
  def initialize = (@a = 1; @b = "two")
end
puts Custom.new.pretty_inspect.sub(/0x\h+/, "0x0").include?("@b=\"two\"")
