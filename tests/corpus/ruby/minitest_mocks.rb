require "minitest"
require "minitest/mock"

# A mailer and what it needs of others.
class Newsletter
  def initialize(store, mailer) = (@store, @mailer = store, mailer)

  def send_all
    sent = @store.subscribers(:active).map { |address| @mailer.deliver(address, "News") }
    sent.count(true)
  end
end

def told
  yield
rescue MockExpectationError, ArgumentError, NoMethodError => e
  "#{e.class}: #{e.message.lines.first.chomp.downcase.sub(/, got.*/, "")}"
end

store = Minitest::Mock.new
store.expect(:subscribers, %w[a@x b@x], [:active])
mailer = Minitest::Mock.new
mailer.expect(:deliver, true, [String, "News"])
mailer.expect(:deliver, false, [/b@/, "News"])
p Newsletter.new(store, mailer).send_all
p store.verify, mailer.verify

late = Minitest::Mock.new.expect(:save, true, [1])
puts told { late.verify }
puts told { late.save }
puts told { late.save(2) }
p late.save(1), late.verify
puts told { late.save(1) }.sub(/ \[1\].*/, "")
puts told { late.load }
p late.respond_to?(:save), late.respond_to?(:load)

odd = Minitest::Mock.new
odd.expect(:add, 3) { |a, b| a + b == 3 }
puts told { odd.add(5, 5) }[/\A\w+: mocked method :add/]
p told { odd.add(1, 2) }[/No more expects/], odd.verify
puts told { odd.expect(:x, 1, 5) }
puts told { odd.expect(:x, 1, [5]) { true } }

named = Minitest::Mock.new.expect(:to_s, "a mock").expect(:==, true, [7])
puts "#{named}", named == 7

backed = Minitest::Mock.new([3, 1, 2])
backed.expect(:size, 99)
p backed.size, backed.sort

Clock = Struct.new(:now) do
  def self.zone = "here"
  def each_tick = yield(now)
end
p Clock.stub(:zone, "there") { Clock.zone }, Clock.zone
p Clock.stub(:zone, -> { "called" }) { Clock.zone }
clock = Clock.new(5)
clock.stub(:now, 7) { |same| p same.now, same.equal?(clock) }
p clock.now
clock.stub(:each_tick, :result, 1, 2) { p(clock.each_tick { |*ticks| p ticks }) }
begin
  clock.stub(:missing, 1) { 2 }
rescue NameError => e
  puts e.class, e.message[/undefined method .missing./].delete("`'")
end
p Time.stub(:now, Time.at(0)) { Time.now.to_i }
p Kernel.stub(:rand, 0.5) { Kernel.rand }, Array.stub(:new, ["made"]) { Array.new }
begin
  Clock.stub(:zone, "lost") { raise "inside" }
rescue RuntimeError
  p Clock.zone
end
