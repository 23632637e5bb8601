class StateMachine
  Transition = Struct.new(:from, :to, :event, :guard)
  class InvalidTransition < StandardError; end

  def self.states = @states ||= []
  def self.transitions = @transitions ||= []

  def self.state(name, initial: false)
    states << name
    @initial = name if initial
    define_method(:"#{name}?") { @state == name }
  end

  def self.initial = @initial

  def self.event(name, from:, to:, if: nil)
    guard = binding.local_variable_get(:if)
    Array(from).each { |f| transitions << Transition.new(f, to, name, guard) }
    define_method(:"#{name}!") do |*args|
      found = self.class.transitions.find { |t| t.event == name && t.from == @state && (t.guard.nil? || instance_exec(*args, &t.guard)) }
      raise InvalidTransition, "#{name} from #{@state}" unless found

      @log << "#{@state}->#{found.to}"
      @state = found.to
      self
    end
    define_method(:"can_#{name}?") { self.class.transitions.any? { |t| t.event == name && t.from == @state } }
  end

  attr_reader :state, :log

  def initialize = (@state = self.class.initial; @log = [])
end

class Door < StateMachine
  state :closed, initial: true
  state :open
  state :locked
  event :open, from: :closed, to: :open
  event :close, from: :open, to: :closed
  event :lock, from: :closed, to: :locked, if: ->(key = nil) { key == 42 }
  event :unlock, from: :locked, to: :closed
end

door = Door.new
puts door.closed?, door.open!.open?, door.close!.state, door.can_lock?
begin
  door.lock!(1)
rescue Door::InvalidTransition => e
  puts e.message
end
puts door.lock!(42).locked?, door.log.inspect, Door.states.inspect, Door.transitions.map(&:event).uniq.inspect, Door.instance_methods(false).sort.first(4).inspect

inventory = Hash.new { |hash, key| hash[key] = 0 }
commands = <<~SCRIPT
  take lamp 2
  drop lamp 1
  take rope
  fly away
  look
SCRIPT
actions = {
  "take" => ->(item, n = 1) { inventory[item] += n.to_i; "took #{n} #{item}" },
  "drop" => ->(item, n = 1) { inventory[item] -= n.to_i; "dropped #{n} #{item}" },
  "look" => -> { inventory.reject { |_, n| n.zero? }.map { |k, n| "#{k} x#{n}" }.join(", ") },
}
commands.each_line(chomp: true).with_index(1) do |line, number|
  verb, *args = line.split
  action = actions.fetch(verb) { ->(*) { "cannot #{verb}" } }
  puts "#{number}> #{action.call(*args)}"
end
memo = {}
ways = ->(n) { n < 2 ? 1 : memo[n] ||= ways.(n - 1) + ways.(n - 2) }
puts ways.(50), memo.size
compose = [:strip, :downcase, ->(s) { s.tr(" ", "-") }].map { |f| f.respond_to?(:call) ? f : f.to_proc }.reduce(:>>)
puts compose.call("  Hello Big World ")
puts (1..15).map { |n| { [0, 0] => "FizzBuzz", [0, n % 5] => "Fizz", [n % 3, 0] => "Buzz" }[[n % 3, n % 5]] || n }.join(" ")
matrix = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
puts matrix.transpose.map(&:reverse).map { |row| row.join(" ") }, matrix.each_with_index.sum { |row, i| row[i] }, matrix.flatten.each_slice(3).map(&:sum).inspect
puts "%s" % matrix.map { |row| row.map { |n| n.to_s.rjust(3) }.join }.join("\n")
