class Stack
  def initialize = @items = []
  def push(x) = tap { @items.push(x) }
  def pop = @items.pop
  def peek = @items.last
  def empty? = @items.empty?
end
class LinkedList
  include Enumerable
  Node = Struct.new(:value, :next_node)
  def initialize(*values) = values.reverse_each { |v| @head = Node.new(v, @head) }
  def each
    return enum_for(__method__) unless block_given?
    node = @head
    while node
      yield node.value
      node = node.next_node
    end
  end
  def reverse!
    previous = nil
    node = @head
    node.next_node, previous, node = previous, node, node.next_node while node
    @head = previous
    self
  end
end
s = Stack.new.push(1).push(2)
puts s.pop, s.peek, s.empty?, s.pop, s.pop.inspect, s.empty?
list = LinkedList.new(1, 2, 3, 4)
puts list.to_a.inspect, list.reverse!.to_a.inspect, list.select(&:even?).inspect, list.each_slice(2).to_a.inspect, list.include?(3), list.entries.size, list.each.with_index.to_a.last.inspect
def balanced?(text)
  pairs = { ")" => "(", "]" => "[", "}" => "{" }
  text.each_char.with_object([]) do |c, stack|
    if pairs.value?(c) then stack << c
    elsif pairs.key?(c) then return false unless stack.pop == pairs[c]
    end
  end.empty?
end
puts balanced?("{[()]}"), balanced?("([)]"), balanced?("((")
