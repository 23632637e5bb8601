require "set"
class Countdown
  include Enumerable
  def initialize(n) = @n = n
  def each
    return to_enum(:each) { @n } unless block_given?
    @n.downto(1) { |i| yield i }
    self
  end
end
c = Countdown.new(5)
puts c.to_a.inspect, c.each.size, c.each_with_index.map { |x, i| x * i }.inspect, c.lazy.map { |x| x * 2 }.first(2).inspect
puts c.inject { |a, b| a * b }, c.each_cons(2).to_a.length, c.zip(c.to_a.reverse).first.inspect, c.min_by { |x| (x - 3).abs }, c.tally.size
puts c.chunk(&:even?).map { |k, v| "#{k}:#{v.size}" }.join(" "), c.sort_by { |x| x % 3 }.size, c.reduce(0) { |s, x| s + x }, c.entries == c.to_a
puts c.each_slice(2).map(&:first).inspect, c.reject(&:odd?).inspect, c.find_index(3), c.first(2).inspect, c.sum, c.minmax.inspect, c.to_set.size, c.each_entry.to_a.size
puts c.include?(9), c.drop_while { |x| x > 2 }.inspect, c.cycle.lazy.map { |x| x }.first(6).inspect, c.uniq { |x| x % 2 }.inspect, c.flat_map { |x| [x] * 2 }.size
def each_pair_sum(list)
  return enum_for(__method__, list) unless block_given?
  list.each_cons(2) { |a, b| yield a + b }
end
puts each_pair_sum([1, 2, 3]).to_a.inspect, (1..3).sum { |x| x.fdiv(2) }, ("a".."e").step(2).to_a.inspect, (1..10) % 3 == ((1..10).step(3)), (1...10).size
puts (0.5..2).include?(1), ("a".."z").cover?("mm"), (1..).first(2).inspect, (..5).include?(3), Range.new(1, 3, true).to_a.inspect, (1..10).minmax.inspect, ("a".."e").each_slice(2).map(&:join).inspect
