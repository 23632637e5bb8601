# A stack machine with instructions as methods, and errors of its own.
class Machine
  class Error < StandardError
    attr_reader :at

    def initialize(message, at)
      super("#{message} at #{at}")
      @at = at
    end
  end

  class Underflow < Error; end

  BINARY = { add: :+, sub: :-, mul: :*, div: :/, pow: :**, mod: :% }.freeze
  BINARY.each { |name, operator| define_method(name) { |_| b, a = pop, pop; push(a.public_send(operator, b)) } }

  attr_reader :stack

  def initialize
    @stack, @at, @output = [], 0, +""
  end

  def push(value) = @stack.push(value)
  def pop = @stack.pop || raise(Underflow.new("nothing to pop", @at))
  def dup(_) = push(@stack.last)
  def print(_) = @output << "#{pop} "
  def jump(to) = (@at = to - 1)
  def jz(to) = pop.zero? && jump(to)

  def run(program)
    @at = 0
    while (line = program[@at])
      name, argument = line
      respond_to?(name) or raise Error.new("no instruction #{name}", @at)
      public_send(name, argument)
      @at += 1
    end
    @output.strip
  end
end

countdown = [[:push, 3], [:dup], [:print], [:push, 1], [:sub], [:dup], [:jz, 8], [:jump, 1], [:print]]
puts Machine.new.run(countdown)
[[[:push, 2], [:push, 10], [:pow], [:print]], [[:push, 1], [:add]], [[:fly]], [[:push, 1], [:push, 0], [:div]]].each do |program|
  puts Machine.new.run(program)
rescue Machine::Underflow => e
  puts "underflow: #{e.message} (#{e.at}) #{e.class.ancestors.take(3)}"
rescue Machine::Error, ZeroDivisionError => e
  puts "#{e.class}: #{e.message}"
else
  puts "fine"
ensure
  puts "-"
end
begin
  begin
    Machine.new.run([[:add]])
  rescue Machine::Error => e
    raise ArgumentError, "bad program"
  end
rescue ArgumentError => e
  puts "#{e.message} because #{e.cause.message}"
end
x = catch(:found) do
  (1..10).each { |a| (a..10).each { |b| throw :found, [a, b] if a * b == 42 } }
  nil
end
p x
def risky(n)
  tries ||= 0
  tries += 1
  raise "try #{tries}" if tries < n
  "done after #{tries}"
rescue RuntimeError => e
  puts e.message
  retry
end
puts risky(3)
