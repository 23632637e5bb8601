class AppError < StandardError
  attr_reader :code

  def initialize(message = "app failed", code: 1)
    super(message)
    @code = code
  end
end
class NotFound < AppError
  def initialize(what) = super("#{what} not found", code: 404)
end

def risky(kind)
  case kind
  when :app then raise AppError
  when :found then raise NotFound, "page"
  when :zero then 1 / 0
  when :type then Integer([])
  when :nil then nil.upcase
  when :key then {}.fetch(:a)
  when :index then [].fetch(3)
  when :frozen then "x".freeze << "y"
  when :stop then raise StopIteration
  when :custom then raise AppError.new("own", code: 7)
  when :cause
    begin
      raise "inner"
    rescue
      raise ArgumentError, "outer"
    end
  when :throw then throw :nowhere
  when :float then Float("x")
  when :range then [1, 2].first(-1)
  when :args then risky
  when :const then UnknownThing
  when :exit then exit(2)
  else :fine
  end
end

%i[app found zero type key index stop custom cause throw float range exit ok].each do |kind|
  result = risky(kind)
  puts "#{kind}: #{result}"
rescue AppError => e
  puts "#{kind}: #{e.class} #{e.message} #{e.code}"
rescue ZeroDivisionError, TypeError, KeyError => e
  puts "#{kind}: #{e.class} #{e.message}"
rescue SystemExit => e
  puts "#{kind}: exit #{e.status} #{e.success?}"
rescue StandardError => e
  puts "#{kind}: #{e.class} #{e.message} cause=#{e.cause&.message.inspect}"
else
  puts "#{kind}: no error"
ensure
  puts "#{kind}: ensured" if kind == :ok
end
%i[nil frozen args const].each do |kind|
  risky(kind)
rescue StandardError => e
  puts "#{kind}: #{e.class}"
end

attempts = 0
begin
  attempts += 1
  raise IOError, "try #{attempts}" if attempts < 3
  puts "done after #{attempts}"
rescue IOError => e
  puts e.message
  retry
end
def ensure_order
  yield
  :body
rescue => e
  "rescued #{e.message}"
else
  :else
ensure
  puts "ensure"
end
puts ensure_order {}, ensure_order { raise "x" }
value = catch(:found) do
  [[1, 2], [3, 4]].each { |row| row.each { |n| throw :found, n * 10 if n == 3 } }
  :none
end
puts value, catch { |tag| throw tag, 5 }
puts [1, 2, 3].each { |n| break n * 100 if n == 2 }, (1..10).each_slice(3).find { |s| s.sum > 10 }.inspect
x = Integer("42") rescue 0
y = Integer("zz") rescue -1
puts x, y
def deep(n) = n.zero? ? raise("bottom") : deep(n - 1)
begin
  deep(3)
rescue => e
  puts e.backtrace.size, e.backtrace_locations.first.lineno, e.full_message(highlight: false).lines.first[/bottom/], e.message, e.inspect
end
error = (raise "a" rescue $!)
puts error.message, $!.inspect, error.exception("b").message, error.is_a?(RuntimeError)
begin
  begin
    raise "first"
  ensure
    puts "cleanup"
  end
rescue => e
  puts e.message
end
begin
  raise Class.new(StandardError) { def message = "anonymous" }
rescue => e
  puts e.message
end
begin
  Timeout rescue require("timeout")
  require "timeout"
  Timeout.timeout(0.05) { sleep 2 }
rescue Timeout::Error => e
  puts e.class, e.message
end
def checked(n)
  return :negative if n < 0
  return :zero, 0 if n.zero?
  for i in 1..n do
    next if i.odd?
    return i if i > 3
  end
  :end
end
puts checked(-1), checked(0).inspect, checked(10), checked(3)
i = 0
i += 1 until i * i > 50
puts i
begin
  i -= 1
end while i > 5
puts i, (i > 3 and not i.nil?), (false or true), (nil || :default), (i if i > 100).inspect
puts [1, 2, 3].each_with_index.select { |n, j| n > j + 0 }.size, 3.times.to_a.inspect, 1.upto(3).map { |n| n }.sum, loop { break :out }
at_exit { puts "bye" }
at_exit { puts "first bye" }
raise AppError, "uncaught" if false
puts __method__.inspect, __LINE__, __FILE__ == $0, defined?(foo).inspect, defined?(puts), defined?(String), defined?(@a).inspect, defined?(yield).inspect
BEGIN { puts "BEGIN block" }
