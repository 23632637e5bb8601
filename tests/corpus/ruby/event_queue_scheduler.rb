class PriorityQueue
  def initialize(&order) = (@items = []; @order = order || ->(a, b) { a <=> b })

  def push(item)
    @items << item
    index = @items.size - 1
    while index.positive? && @order.call(@items[index], @items[parent = (index - 1) / 2]).negative?
      @items[index], @items[parent] = @items[parent], @items[index]
      index = parent
    end
    self
  end
  alias << push

  def pop
    return if @items.empty?
    top, last = @items.first, @items.pop
    return top if @items.empty?
    @items[0] = last
    sift(0)
    top
  end

  def size = @items.size
  def empty? = @items.empty?

  private

  def sift(index)
    loop do
      child = [index * 2 + 1, index * 2 + 2].select { |i| i < @items.size }.min { |a, b| @order.call(@items[a], @items[b]) }
      break if child.nil? || @order.call(@items[index], @items[child]) <= 0
      @items[index], @items[child] = @items[child], @items[index]
      index = child
    end
  end
end

Event = Struct.new(:time, :name, :action)

class Scheduler
  attr_reader :now

  def initialize
    @now = 0
    @queue = PriorityQueue.new { |a, b| [a.time, a.name] <=> [b.time, b.name] }
    @handlers = Hash.new { |hash, key| hash[key] = [] }
  end

  def on(name, &block) = @handlers[name].push(block).size
  def at(time, name, &action) = @queue << Event.new(time, name, action)
  def in(delay, name, &action) = at(@now + delay, name, &action)

  def run(limit: Float::INFINITY)
    until @queue.empty?
      event = @queue.pop
      break if event.time > limit
      @now = event.time
      event.action&.call(self)
      @handlers[event.name].each { |handler| handler.(event) }
    end
    @now
  end
end

scheduler = Scheduler.new
seen = []
scheduler.on(:tick) { |event| seen << "tick@#{event.time}" }
scheduler.on(:tick) { |event| seen << "second" if event.time == 2 }
scheduler.at(5, :end) { |s| seen << "end@#{s.now}" }
scheduler.at(1, :tick) { |s| s.in(1, :tick) { |again| again.in(10, :late) } }
puts scheduler.run(limit: 9), seen.inspect, scheduler.run
queue = PriorityQueue.new { |a, b| b <=> a }
[5, 1, 8, 3, 8].each { |n| queue << n }
puts 6.times.map { queue.pop }.inspect
heap = PriorityQueue.new
srand(3)
list = Array.new(200) { rand(1000) }
list.each { |n| heap << n }
puts Array.new(200) { heap.pop } == list.sort, heap.pop.inspect, list.first(3).inspect
