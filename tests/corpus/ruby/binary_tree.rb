class Tree
  include Enumerable
  Node = Struct.new(:value, :left, :right)

  def initialize(values = []) = values.each { |v| insert(v) }

  def insert(value)
    @root = add(@root, value)
    self
  end

  def each(node = @root, &block)
    return to_enum(:each) unless block
    return unless node
    each(node.left, &block) if node.left
    block.call(node.value)
    each(node.right, &block) if node.right
  end

  def depth(node = @root) = node ? 1 + [depth(node.left), depth(node.right)].max : 0

  private

  def add(node, value)
    return Node.new(value) unless node
    value < node.value ? node.left = add(node.left, value) : node.right = add(node.right, value)
    node
  end
end
tree = Tree.new([5, 2, 8, 1, 9, 3])
puts tree.to_a.inspect, tree.depth, tree.include?(8), tree.map { |x| x * 2 }.inspect, tree.first, tree.min, tree.sort.reverse.inspect
puts tree.each_slice(2).to_a.inspect, tree.reduce(:+), tree.each.next
