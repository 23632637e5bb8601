class Emitter
  def initialize = @handlers = Hash.new { |h, k| h[k] = [] }
  def on(event, &block) = @handlers[event].push(block).then { self }
  def emit(event, *args, **kw) = @handlers.fetch(event, []).map { |h| h.call(*args, **kw) }
end
e = Emitter.new
e.on(:sum) { |a, b = 1| a + b }.on(:sum) { |*n| n.inspect }.on(:kw) { |x:, y: 2| x * y }
puts e.emit(:sum, 2, 3).inspect, e.emit(:sum, 5).inspect, e.emit(:kw, x: 4).inspect, e.emit(:none).inspect
class StateMachine
  TRANSITIONS = { idle: { start: :running }, running: { pause: :paused, stop: :idle }, paused: { resume: :running } }.freeze
  attr_reader :state
  def initialize = @state = :idle
  TRANSITIONS.values.flat_map(&:keys).uniq.each do |event|
    define_method(:"#{event}!") do
      @state = TRANSITIONS.dig(@state, event) or raise "cannot #{event}"
    end
  end
end
m = StateMachine.new
m.start!
m.pause!
puts m.state
begin
  m.stop!
rescue => err
  puts err.message
end
