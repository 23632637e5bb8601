def inner = raise(IOError, "closed?")
def outer = inner
begin
  outer
rescue => e
  puts e.backtrace.map { |line| line[/:(\d+):/, 1] }.inspect
  puts e.backtrace_locations.first.lineno
end
def who = caller_locations(1, 1).first.lineno
puts who, caller.inspect, __LINE__
puts [1].map { caller.size }.inspect
warn "careful"
$stderr.puts "more"
warn "a", "b"
def deprecated = warn("old", uplevel: 0)
deprecated
puts __method__.inspect, __dir__.class
