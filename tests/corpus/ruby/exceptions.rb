class AppError < StandardError
  def initialize(msg = "app failed") = super
end
def risky(n)
  raise AppError if n == 1
  raise AppError, "custom" if n == 2
  raise TypeError.new("typed") if n == 3
  Integer("x") if n == 4
  [].fetch(9) if n == 5
  nil.foo if n == 6
  n
ensure
  puts "ensure #{n}"
end
(0..6).each do |n|
  begin
    puts risky(n)
  rescue AppError, TypeError => e
    puts "#{e.class}: #{e.message}"
  rescue NoMethodError => e
    puts e.class, e.name
  rescue => e
    puts "other #{e.class}: #{e.message}"
  else
    puts "fine"
  end
end
attempts = 0
begin
  attempts += 1
  raise "again" if attempts < 3
  puts "ok after #{attempts}"
rescue
  retry
end
begin
  begin
    raise "inner"
  rescue => e
    raise ArgumentError, "outer"
  end
rescue => e
  puts e.message, e.cause.message
end
puts (raise "x" rescue "rescued")
def m = yield
puts catch(:done) { 10.times { |i| throw :done, i if i == 4 }; :never }
begin
  raise Exception, "base"
rescue Exception => e
  puts e.full_message(highlight: false, order: :top).lines.first.include?("base")
end
e = RuntimeError.new("boom")
puts e.backtrace.inspect, e.message, (e.is_a? StandardError)
begin; raise StopIteration; rescue IndexError => e; puts e.class; end
begin; {}.fetch(:a); rescue KeyError => e; puts e.key.inspect; end
begin; exit(2); rescue SystemExit => e; puts e.status, e.success?; end
begin; 1 / 0; rescue ZeroDivisionError => e; puts e.message; end
begin; Float("1.x"); rescue ArgumentError => e; puts e.message; end
puts 1.0 / 0, -1.0 / 0, (0.0 / 0).nan?
