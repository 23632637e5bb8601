require "bigdecimal"
require "bigdecimal/util"
require "ostruct"
require "prime"
require "matrix"
require "forwardable"
require "observer"
require "abbrev"
require "singleton"
require "delegate"
require "tsort"
require "pstore"
total = %w[0.1 0.2 0.3].sum { |s| BigDecimal(s) }
puts total, total == BigDecimal("0.6"), total.to_s("F"), (BigDecimal("1") / 3).round(10).to_s, BigDecimal("123.456").round(1).to_f, BigDecimal("10.50").to_s("F"), "19.99".to_d * 3, BigDecimal("1e-3").to_f, BigDecimal("2").sqrt(10).round(8).to_s("F"), BigDecimal("100").to_i, BigDecimal("3.7").floor, BigDecimal("-3.7").truncate, (BigDecimal("7.5") % 2).to_s, BigDecimal("0.1").inspect, 5.to_d.class, format("%.2f", BigDecimal("2.675")), BigDecimal("2.675").round(2).to_s("F"), BigDecimal("2.665").round(2, :half_even).to_s("F"), [BigDecimal("2"), 1].max == 2, BigDecimal("NaN").nan?
price = BigDecimal("19.99")
puts "Total: $#{(price * 3 * BigDecimal("1.08")).round(2).to_s("F")}", (price / 7).truncate(4).to_digits
person = OpenStruct.new(name: "Al", age: 3)
person.email = "a@b"
person[:zip] = 123
puts person.name, person.email, person.missing.inspect, person.respond_to?(:age), person.to_h.keys.inspect, person, person == OpenStruct.new(name: "Al", age: 3, email: "a@b", zip: 123), person.dig(:name), person.delete_field(:zip), person.each_pair.to_a.length
puts Prime.first(8).inspect, 97.prime?, 360.prime_division.inspect, Prime.each(30).to_a.sum, Integer.from_prime_division([[2, 3], [5, 1]]), Prime.lazy.select { |q| q % 10 == 7 }.first(3).inspect
m = Matrix[[2, 1], [1, 3]]
puts m.determinant, m.inverse, (m * m), m.transpose == m, m * Vector[1, 2], m.row(0).inner_product(Vector[1, 1]), Matrix.identity(2), (m**2).to_a.inspect, m.rank, m.trace
class Ticker
  include Observable

  def tick(n) = (changed; notify_observers(n, n * 2))
end
class Watcher
  def update(a, b) = puts("got #{a} #{b}")
end
ticker = Ticker.new
ticker.add_observer(Watcher.new)
ticker.tick(4)
puts ticker.count_observers, %w[car cart].abbrev.keys.sort.inspect
class Stack
  extend Forwardable
  def_delegators :@items, :size, :first, :empty?, :<<
  def_delegator :@items, :last, :top
  def initialize = @items = []
end
stack = Stack.new
stack << 1 << 2
puts stack.size, stack.top, stack.empty?
class Config
  include Singleton
  attr_accessor :value
end
Config.instance.value = 7
puts Config.instance.value, (Config.new rescue "private"), Config.instance.equal?(Config.instance)
class Loud < SimpleDelegator
  def to_s = "#{__getobj__}!"
end
loud = Loud.new("hey")
puts loud, loud.upcase, loud.length, loud.is_a?(Loud), DelegateClass(Array).class
class Deps < Hash
  include TSort
  alias tsort_each_node each_key
  def tsort_each_child(node, &) = fetch(node, []).each(&)
end
deps = Deps.new
deps.merge!({ app: [:db, :log], db: [:log], log: [] })
puts deps.tsort.inspect, (deps[:log] = [:app]; deps.tsort rescue $!.class)
store = PStore.new("store.db")
store.transaction { store[:a] = [1, 2]; store[:b] = { "x" => 1 } }
store.transaction(true) { puts store[:a].sum, store.roots.inspect }
store.transaction { store[:a] = 0; store.abort }
puts store.transaction(true) { store[:a].inspect }
